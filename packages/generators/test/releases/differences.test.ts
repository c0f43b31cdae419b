import { readFileSync } from "node:fs";

import { type KubernetesMinor, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { patchedBuiltInApi, type BuiltInApi, type ReleasePatch } from "@kubescaffold/k8s/schemas";
import { checkRules } from "@kubescaffold/schema/cel";
import { beforeAll, describe, expect, it } from "vitest";

import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { loadTypes } from "../../src/loader/load-types.ts";
import { readBuiltInUses } from "../../src/loader/read-built-in-uses.ts";
import { readMarkers } from "../../src/markers/read-markers.ts";
import { FORMATS_SINCE } from "../../src/releases/check-formats.ts";
import { checkPermissions } from "../../src/releases/check-permissions.ts";
import { checkWrittenUses } from "../../src/releases/check-written-values.ts";
import { loadApi, minorsFrom } from "../../src/releases/supported-apis.ts";
import { memoryHost } from "../support/memory-host.ts";

type Versions = Readonly<Record<string, readonly string[]>>;

/** What some versions have and others lack, from the sources of Kubernetes: `scripts/releases/record-differences.mjs`. */
const DIFFERENCES = JSON.parse(readFileSync(new URL("./differences.json", import.meta.url), "utf8")) as Readonly<
  Record<"types" | "fields" | "resources" | "verbs" | "libraries" | "formats", Versions>
>;

let apis: readonly BuiltInApi[];
let uses: ReturnType<typeof readBuiltInUses>;
beforeAll(async () => {
  apis = await Promise.all(SUPPORTED_MINORS.map((minor) => loadApi(minor)));
  uses = readBuiltInUses("all.ts", wholeSource());
});

// All types of all versions with all of their fields.
function allFields(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const api of apis) {
    for (const place of PLACES) {
      for (const [name, { properties = {} }] of Object.entries(api.definitionsOf(place))) {
        const key = `${place}.${name.slice(name.lastIndexOf(".") + 1)}`;
        const fields = found.get(key) ?? new Set();
        for (const field of Object.keys(properties)) fields.add(field);
        found.set(key, fields);
      }
    }
  }
  return found;
}

const PLACES = Object.keys(
  (
    JSON.parse(
      readFileSync(new URL("../../../k8s/test/tables/release-digests.json", import.meta.url), "utf8"),
    ) as Readonly<Record<string, { readonly definitions: object }>>
  )["1.37"]?.definitions ?? {},
);

// A source that imports all types, and writes all of their fields.
function wholeSource(): string {
  const lines = [...allFields()].map(([key, fields], index) => {
    const at = key.lastIndexOf(".");
    const literal = [...fields].map((field) => `${JSON.stringify(field)}: x`).join(", ");
    return [
      `import { ${key.slice(at + 1)} as T${index} } from "@kubescaffold/k8s/${key.slice(0, at)}";`,
      `const v${index}: T${index} = { ${literal} };`,
    ];
  });
  return lines.flat().join("\n");
}

const lacking = (minors: readonly string[], from: KubernetesMinor): readonly string[] =>
  minorsFrom(from).filter((minor) => !minors.includes(minor));

// What is expected of a project for a version and newer ones; `isAsked` omits what is part of something that a version lacks.
function expected(
  differences: Versions,
  from: KubernetesMinor,
  isAsked: (name: string, minor: string) => boolean = () => true,
): Versions {
  const entries = Object.entries(differences).flatMap(([name, minors]) => {
    const without = lacking(minors, from).filter((minor) => isAsked(name, minor));
    return without.length === 0 || without.length === minorsFrom(from).length ? [] : [[name, without] as const];
  });
  return Object.fromEntries(entries);
}

const minorsIn = ({ message }: Diagnostic): readonly string[] => message.match(/\b1\.\d+\b/gu) ?? [];

describe.each(SUPPORTED_MINORS)("what is reported of all types and fields for %s and newer versions", (from) => {
  const check = (): readonly Diagnostic[] => checkWrittenUses(uses, apis.slice(SUPPORTED_MINORS.indexOf(from)));

  it("are the types that the documents of a version lack", () => {
    const found = check().filter(({ code }) => code === "KUBERNETES_LACKS_TYPE");
    const shown = found.map((each) => {
      const [, name = "", place = ""] = /no type (\S+) in (\S+)$/u.exec(each.message) ?? [];
      return [`${place}.${name}`, minorsIn(each)] as const;
    });
    expect(Object.fromEntries(shown)).toEqual(expected(DIFFERENCES.types, from));
  });

  it("are the fields that the documents of a version lack", () => {
    const found = check().filter(({ code }) => code === "KUBERNETES_LACKS_FIELD");
    const shown = found.map((each) => {
      const [, field = "", name = "", place = ""] = /no field (\S+) in (\S+) of (\S+)$/u.exec(each.message) ?? [];
      return [`${place}.${name} ${field}`, minorsIn(each)] as const;
    });
    const hasType = (field: string, minor: string): boolean =>
      DIFFERENCES.types[field.slice(0, field.indexOf(" "))]?.includes(minor) ?? true;
    expect(Object.fromEntries(shown)).toEqual(expected(DIFFERENCES.fields, from, hasType));
  });
});

function markersOf(source: string): ReturnType<typeof readMarkers> {
  const host = memoryHost({ "/p/main.ts": `${source}\n\nexport const x = 1;\n` });
  return readMarkers(loadTypes({ host, root: "/p", paths: ["./..."] }).model);
}

describe.each(SUPPORTED_MINORS)("what is reported of all resources for %s and newer versions", (from) => {
  it("are those that the discovery documents of a version lack", () => {
    const names = new Set(
      apis.flatMap(({ resources }) =>
        resources.flatMap(({ group, plural, subresources }) =>
          ["", ...subresources.map(({ name }) => `/${name}`)].map((end) => `${group}/${plural}${end}`),
        ),
      ),
    );
    const verbs = "create;delete;deletecollection;get;list;patch;update;watch";
    const lines = [...names].map((name) => {
      const at = name.indexOf("/");
      return `// +kubebuilder:rbac:groups=${name.slice(0, at) || "core"},resources=${name.slice(at + 1)},verbs=${verbs}`;
    });
    const found = checkPermissions(markersOf(lines.join("\n")), apis.slice(SUPPORTED_MINORS.indexOf(from)));
    const shown = found.map((each) => {
      const [, resource = "", group = ""] = /no resource (\S+) in (\S+)$/u.exec(each.message) ?? [];
      return [`${group}/${resource}`, minorsIn(each)] as const;
    });
    expect(Object.fromEntries(shown)).toEqual(expected(DIFFERENCES.resources, from));
    expect(names.size).toBeGreaterThan(100);
    expect(DIFFERENCES.verbs).toEqual({});
  });
});

it("a verb that a version lacks is reported", () => {
  const [newest] = apis.slice(-1);
  const row = newest?.resource({ group: "", version: "v1", resource: "configmaps" });
  const patch: ReleasePatch = {
    minor: "1.36",
    resources: {
      "/v1/configmaps": { ...row, group: "", version: "v1", plural: "configmaps", verbs: ["get"] } as never,
    },
    gatedResources: {},
    prefixes: {},
    hasElementDefaults: false,
    definitions: {},
  };
  const marked = markersOf("// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;watch;impersonate");
  const found = checkPermissions(marked, [patchedBuiltInApi(patch), ...(newest === undefined ? [] : [newest])]);
  expect(found.map(({ code, message, line }) => [code, message, line])).toEqual([
    ["KUBERNETES_LACKS_VERB", "Kubernetes 1.36 has no verb watch for configmaps in the core group", 1],
  ]);
});

it("formats are those that servers check only since a version", () => {
  const since = Object.entries(DIFFERENCES.formats).map(([name, minors]) => [name, minors[0]]);
  expect(FORMATS_SINCE).toEqual(Object.fromEntries(since));
});

it("the libraries that new rules can use differ by cel-go's lists, which rules can call since 1.35", () => {
  expect(DIFFERENCES.libraries).toEqual({ "ext.Lists": ["1.35", "1.36", "1.37"] });
  const calls = ["distinct()", "reverse()", "slice(0, 1)", "sort()", "sortBy(x, x)"].map((call) => `self.${call}`);
  const rules = [...calls, "[self].flatten()", "lists.range(3)"].map((call) => `${call}.size() >= 0`);
  for (const minor of SUPPORTED_MINORS) {
    const refused = rules.filter((rule) => {
      const items = { type: "string", maxLength: 9 };
      const tags = { type: "array", maxItems: 9, items, "x-kubernetes-validations": [{ rule }] } as const;
      return checkRules({ type: "object", properties: { tags } }, { kubernetesVersion: minor }).length > 0;
    });
    expect(refused).toEqual(minor === "1.34" ? rules : []);
  }
});

it("the fields of CustomResourceDefinitions that users write are the same in all versions", () => {
  const written = Object.keys(DIFFERENCES.fields).filter((field) => field.startsWith("apiextensions/v1."));
  expect(written).toEqual([
    "apiextensions/v1.CustomResourceDefinitionCondition observedGeneration",
    "apiextensions/v1.CustomResourceDefinitionStatus observedGeneration",
  ]);
});
