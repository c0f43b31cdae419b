import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Container, PodCondition, PodConditionType, PullPolicy } from "../../src/api/core/v1.ts";
import { apiVersionOf, parseApiVersion } from "../../src/group-version.ts";
import { definitionPrefixes } from "../../src/tables/definition-prefixes.ts";
import { definitionTexts } from "../../src/tables/definition-texts.ts";
import { builtInResources } from "../../src/tables/schemas.ts";

interface Places {
  readonly definitionPlace: (definition: string) => { readonly place: string; readonly name: string };
  readonly groupPlace: (groupVersion: object) => string;
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

const strings = JSON.parse(readFileSync(new URL("string-types.json", scripts), "utf8")) as StringTypes;

describe("the modules of built-in kinds", () => {
  it.each(Object.keys(definitionPrefixes))(
    "hold what the script makes of the definitions of %s",
    async (apiVersion) => {
      const { definitionPlace, groupPlace } = (await import(new URL("places.mjs", scripts).href)) as Places;
      const { printTypes } = (await import(new URL("print-types.mjs", scripts).href)) as Printer;
      const groupVersion = parseApiVersion(apiVersion);
      const place = groupPlace(groupVersion);
      const definitions = Object.entries(JSON.parse(definitionTexts.get(place) ?? "{}") as Record<string, object>).map(
        ([definition, schema]) => ({ name: definitionPlace(definition).name, schema }),
      );
      const committed = readFileSync(new URL(`../../src/api/${place}.ts`, import.meta.url), "utf8");
      const resources = builtInResources.filter((each) => apiVersionOf(each) === apiVersion);
      expect(printTypes({ place, groupVersion, definitions, strings, resources })).toBe(committed);
    },
  );
});

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
