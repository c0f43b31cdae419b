import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Container, PodCondition, PodConditionType, PullPolicy } from "../../src/api/core/v1.ts";
import { SUPPORTED_MINORS } from "../../src/kubernetes-version.ts";
import type { BuiltInResource } from "../../src/tables/schemas.ts";
import { loadApi, PLACES } from "../support/load-api.ts";

interface Tables {
  readonly definitions: object;
  readonly resources: readonly BuiltInResource[];
  readonly gatedResources: readonly BuiltInResource[];
}
interface Superset {
  readonly resources: readonly BuiltInResource[];
  readonly versionsOf: unknown;
}
interface Module {
  readonly place: string;
  readonly groupVersion: { readonly group: string; readonly version: string };
}
interface Merger {
  readonly superset: (tables: Readonly<Record<string, Tables>>) => Superset;
  readonly modulesOf: (superset: Superset) => readonly Module[];
}
interface Printer {
  readonly printTypes: (module: object) => string;
}

/** The named string types of the Go packages; see scripts/k8s-types/string-types.mjs. */
interface StringTypes {
  readonly closed: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const scripts = new URL("../../../../scripts/k8s-types/", import.meta.url);

const strings = readJson("string-types.json") as StringTypes;
const required = readJson("required-fields.json");

const { superset, modulesOf } = (await import(new URL("superset.mjs", scripts).href)) as Merger;
const { printTypes } = (await import(new URL("print-types.mjs", scripts).href)) as Printer;
const all = superset(Object.fromEntries(SUPPORTED_MINORS.map((minor) => [minor, tablesOf(minor)])));

describe("the modules of built-in kinds", () => {
  it.each(modulesOf(all))("hold what the script makes of the definitions of all versions: $place", (module) => {
    const { group, version } = module.groupVersion;
    const resources = all.resources.filter((each) => each.group === group && each.version === version);
    const committed = readFileSync(new URL(`../../src/api/${module.place}.ts`, import.meta.url), "utf8");
    expect(printTypes({ ...module, strings, required, resources, versionsOf: all.versionsOf })).toBe(committed);
  });
});

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, scripts), "utf8"));
}

function tablesOf(minor: string): Tables {
  const api = loadApi(minor);
  const definitions = Object.assign({}, ...PLACES.map((place) => api.definitionsOf(place))) as object;
  return { definitions, resources: api.resources, gatedResources: api.gatedResources() };
}

describe("the modules that are written by hand", () => {
  it.each(Object.keys(strings.values).filter((type) => /^(?:meta|admission)\//u.test(type)))(
    "have the constants of %s",
    (type) => {
      const [place = "", name = ""] = type.split(".");
      const module = readFileSync(new URL(`../../src/api/${place}.ts`, import.meta.url), "utf8");
      const [, union = ""] = new RegExp(`^export type ${name} =([^;]*);$`, "mu").exec(module) ?? [];
      const values = [...union.matchAll(/"([^"]*)"/gu)].map(([, value]) => value);
      expect(new Set(values)).toEqual(new Set(strings.values[type]));
    },
  );
});

describe("the named string types", () => {
  it("take the values of Go's constants", () => {
    const container: Container = { name: "web", imagePullPolicy: "IfNotPresent" satisfies PullPolicy };
    const policies: readonly PullPolicy[] = ["Always", "IfNotPresent", "Never"];
    expect(policies).toContain(container.imagePullPolicy);
    // @ts-expect-error the server takes no other policy
    const wrong: PullPolicy = "Sometimes";
    expect(strings.values["core/v1.PullPolicy"]).not.toContain(wrong);
  });

  it("take other values where the server does", () => {
    const condition: PodCondition = { type: "example.com/Warm", status: "True" };
    const type: PodConditionType = condition.type;
    expect(strings.closed).not.toContain("core/v1.PodConditionType");
    expect(strings.values["core/v1.PodConditionType"]).not.toContain(type);
  });
});
