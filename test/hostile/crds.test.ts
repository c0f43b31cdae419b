import { printYaml } from "@kubescaffold/k8s/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { runCommand } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";
import { expectHarmless, expectRefused, outcomeOf, PAYLOADS, payloads, terminalSigns } from "./canary.ts";

type Json = Readonly<Record<string, unknown>>;

const SPEC = {
  type: "object",
  required: ["size"],
  properties: {
    size: { type: "integer", format: "int32" },
    mode: { type: "string", enum: ["fast"] },
    list: { type: "array", items: { type: "object", properties: { key: { type: "string" } } } },
  },
};

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.x.io", labels: {}, annotations: {} },
  spec: {
    group: "x.io",
    names: {
      kind: "Thing",
      listKind: "ThingList",
      plural: "things",
      singular: "thing",
      shortNames: ["th"],
      categories: ["all"],
    },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        deprecated: true,
        deprecationWarning: "old",
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
        selectableFields: [{ jsonPath: ".spec.mode" }],
        subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "Thing",
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              spec: SPEC,
            },
          },
        },
      },
    ],
  },
};

// Puts a value at a path, whose parts are keys and indexes.
function withValue(target: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(target)) return target.with(Number(key), withValue(target[Number(key)], rest, value));
  const object = (target ?? {}) as Json;
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== key),
    [key, withValue(Object.hasOwn(object, key) ? object[key] : undefined, rest, value)],
  ]);
}

const VERSION = ["spec", "versions", 0] as const;
const SCHEMA = [...VERSION, "schema", "openAPIV3Schema"] as const;
const PROPERTIES = [...SCHEMA, "properties", "spec", "properties"] as const;
const SIZE = [...PROPERTIES, "size"] as const;
const MODE = [...SCHEMA, "properties", "spec", "properties", "mode"] as const;
const LIST = [...SCHEMA, "properties", "spec", "properties", "list"] as const;

async function importOf(crd: unknown): Promise<{
  readonly result: Awaited<ReturnType<typeof runCommand>>;
  readonly made: Readonly<Record<string, string>>;
}> {
  const root = temporaryFolder({ "crd.yaml": typeof crd === "string" ? crd : printYaml(crd) });
  const result = await runCommand(root, "import crd crd.yaml --output-dir types");
  const { "crd.yaml": _, ...made } = readFiles(root);
  return { result, made };
}

type Place = readonly (string | number)[];

const NAMES: readonly Place[] = [
  ["metadata", "name"],
  ["spec", "group"],
  ["spec", "scope"],
  ["spec", "names", "kind"],
  ["spec", "names", "listKind"],
  ["spec", "names", "plural"],
  ["spec", "names", "singular"],
  ["spec", "names", "shortNames", 0],
  ["spec", "names", "categories", 0],
  [...VERSION, "name"],
  [...VERSION, "additionalPrinterColumns", 0, "type"],
  [...VERSION, "additionalPrinterColumns", 0, "format"],
  [...VERSION, "additionalPrinterColumns", 0, "jsonPath"],
  [...VERSION, "selectableFields", 0, "jsonPath"],
  [...VERSION, "subresources", "scale", "specReplicasPath"],
  ["metadata", "labels", "app"],
];

// Every place gets some of the payloads, each of them others.
function spread(
  places: readonly Place[],
  count: number,
): readonly (readonly [name: string, payload: string, place: Place])[] {
  const all = payloads();
  return places.flatMap((place, index) =>
    Array.from({ length: count }, (_, step) => all[(index * count + step) % all.length]).flatMap((each) =>
      each === undefined ? [] : [[`${each[0]} in ${place.slice(-3).join(".")}`, each[1], place] as const],
    ),
  );
}

describe("a definition with names that servers reject", () => {
  it.each(spread(NAMES, 2))("is refused: %s", async (_, payload, place) => {
    const { result, made } = await importOf(withValue(CRD, place, payload));
    expectRefused(result, /\[IMPORT_INVALID_NAMES\]/u);
    expect(result.stderr).toMatch(/^crd\.yaml:\d+:\d+ - error IMPORT_INVALID_NAME: API servers reject the /mu);
    expect(made).toEqual({});
  });
});

// Servers take any text here.
const FREE_TEXTS: readonly Place[] = [
  [...SCHEMA, "description"],
  [...SIZE, "description"],
  [...SIZE, "type"],
  [...SIZE, "format"],
  [...SIZE, "title"],
  [...SIZE, "example"],
  [...SIZE, "externalDocs", "url"],
  [...SIZE, "x-kubernetes-validations"],
  [...MODE, "enum", 0],
  [...MODE, "default"],
  [...MODE, "pattern"],
  [...LIST, "x-kubernetes-list-type"],
  [...LIST, "x-kubernetes-list-map-keys"],
  [...LIST, "items", "properties", "key", "description"],
  [...SCHEMA, "properties", "spec", "required"],
  [...SCHEMA, "properties", "apiVersion", "description"],
  ["metadata", "annotations", "note"],
  [...VERSION, "additionalPrinterColumns", 0, "description"],
];

const TEXTS: readonly Place[] = [
  ...FREE_TEXTS,
  [...VERSION, "deprecationWarning"],
  [...VERSION, "additionalPrinterColumns", 0, "name"],
];

// Keywords that are lists hold the payload in one.
function valueAt(path: readonly (string | number)[], payload: string): unknown {
  const key = path.at(-1);
  if (key === "x-kubernetes-validations") return [{ rule: `self != ${JSON.stringify(payload)}`, message: payload }];
  return key === "x-kubernetes-list-map-keys" || key === "required" ? [payload] : payload;
}

describe("a definition with hostile texts", () => {
  it.each(spread(TEXTS, 2))("runs nothing: %s", async (_, payload, place) => {
    const { result, made } = await importOf(withValue(CRD, place, valueAt(place, payload)));
    expect(["harmless", "refused"]).toContain(await outcomeOf(result, { made }));
  });

  it.each(payloads())("runs nothing: %s in every text and key at once", async (_, payload) => {
    let crd: unknown = CRD;
    for (const place of FREE_TEXTS) crd = withValue(crd, place, valueAt(place, payload));
    for (const place of [SIZE, PROPERTIES]) crd = withValue(crd, [...place, payload], { type: "string" });
    crd = withValue(crd, [...MODE, "default"], { [payload]: payload, __proto__: payload });
    const { result, made } = await importOf(crd);
    expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: "" });
    await expectHarmless(made);
  });
});

describe("a definition that is odd", () => {
  it.each(["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "then"])(
    "with a property called %s changes no prototype",
    async (name) => {
      const properties = JSON.parse(
        `{ ${JSON.stringify(name)}: { "type": "object", "properties": { "canary": {"type": "string"} } } }`,
      ) as Json;
      const { result, made } = await importOf(
        withValue(CRD, [...SCHEMA, "properties", "spec", "properties"], properties),
      );
      expect(result.status).toBe(0);
      expect("canary" in {}).toBe(false);
      expect(made["types/v1/thing_types.ts"]).toContain(`  ${name}?: `);
    },
  );

  it.each([
    "..",
    ".",
    "v1/../..",
    "/etc",
    "v1\\..\\x",
    "V1",
    "1v",
    "v1.",
    "constructor ",
    "ｖ1",
    "v1\u200B",
    "K8s\u212A",
  ])("with a version called %j is refused", async (name) => {
    const { result, made } = await importOf(withValue(CRD, [...VERSION, "name"], name));
    expectRefused(result, /\[IMPORT_INVALID_NAMES\]/u);
    expect(made).toEqual({});
  });

  it.each([
    "\u212Aind",
    "Ki nd",
    "Kind;",
    "Kind.Sub",
    "Kínd",
    "1Kind",
    "../Kind",
    "class",
    "eval",
    "arguments",
    "await",
    "any",
  ])("with a kind called %j is refused", async (kind) => {
    const names = { ...CRD.spec.names, kind, listKind: "ThingList" };
    const { result, made } = await importOf(withValue(CRD, ["spec", "names"], names));
    expectRefused(result, /\[IMPORT_(?:INVALID_NAMES|KIND_NAME)\]/u);
    expect(made).toEqual({});
  });

  it("inside lists is reported with its place, and all problems of all files at once", async () => {
    const bad = withValue(withValue(CRD, ["spec", "group"], "x"), [...VERSION, "name"], "..");
    const root = temporaryFolder({
      "a.yaml": printYaml({ apiVersion: "v1", kind: "List", items: [CRD, bad] }),
      "b.yaml": `---\n---\na: 1\n---\n${printYaml(withValue(CRD, ["spec", "scope"], "cluster"))}`,
    });
    const { status, stderr } = await runCommand(root, "import crd a.yaml b.yaml --output-dir types");
    expect(status).toBe(1);
    expect(
      stderr.match(/^[ab]\.yaml:\d+:\d+ - error IMPORT_INVALID_NAME: API servers reject the \w+ "[^"]*"/gmu),
    ).toEqual([
      expect.stringMatching(/^a\.yaml:.*the group "x"$/u),
      expect.stringMatching(/^a\.yaml:.*the version "\.\."$/u),
      expect.stringMatching(/^a\.yaml:.*the name "things\.x\.io"$/u),
      expect.stringMatching(/^b\.yaml:.*the scope "cluster"$/u),
    ]);
    expect(stderr).toContain("cannot import the definitions: 4 values that API servers reject [IMPORT_INVALID_NAMES]");
  });

  it("is reported without the signs in it that mean something to a terminal", async () => {
    const { result } = await importOf(withValue(CRD, ["spec", "group"], "\u001B[2J\u009B1m\u202Ex"));
    expectRefused(result);
    expect(terminalSigns(result.stderr)).toEqual([]);
  });
});

describe("definitions of any texts", () => {
  const TEXT = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom(...Object.values(PAYLOADS)),
    fc
      .array(
        fc.constantFrom(
          "*/",
          "/*",
          "//",
          "`",
          "${",
          "}",
          '"',
          "'",
          "\\",
          "\n",
          "\r",
          "\u2028",
          "+",
          "@",
          " ",
          "=",
          ",",
          ";",
          "globalThis.canary=1",
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  );
  const HOSTILE = fc.record({
    description: TEXT,
    property: TEXT,
    text: TEXT,
    annotation: TEXT,
    value: fc.jsonValue({ maxDepth: 2 }),
  });

  it("compile, run no payload, and say the same again", async () => {
    await fc.assert(
      fc.asyncProperty(HOSTILE, async ({ description, property, text, annotation, value }) => {
        const own = { type: "string", description: text, enum: [text], title: text, default: text, example: value };
        let crd = withValue(CRD, [...SCHEMA, "description"], description);
        crd = withValue(crd, [...SCHEMA, "properties", "spec", "properties", property], own);
        crd = withValue(crd, ["metadata", "annotations", "note"], annotation);
        // Halves of characters are none in UTF-8.
        const { result, made } = await importOf(JSON.stringify(crd));
        expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: "" });
        await expectHarmless(made);
        // No marker says some annotations, which the command reports; schemas come back whatever they hold.
        expect(result.stdout).toMatch(
          /gives the same definition for 1 of 1 version\.|^ {2}Thing\.v1\.x\.io: annotations$/mu,
        );
      }),
      { numRuns: 20 },
    );
  });
});
