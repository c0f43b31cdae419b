import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { KUBERNETES_MINOR, SUPPORTED_MINORS } from "../../src/kubernetes-version.ts";
import { builtInApi, builtInResources, builtInSchema } from "../../src/tables/schemas.ts";
import { DIGESTS, loadApi as load, PLACES, RELEASES } from "../support/load-api.ts";

const MINORS = Object.keys(DIGESTS).toSorted();
describe.each(MINORS)("the tables of Kubernetes %s", (minor) => {
  it("are those of its sources: groups and resources", () => {
    const api = load(minor);
    expect(digestOf(api.groups)).toBe(DIGESTS[minor]?.groups);
    expect(digestOf([...api.resources, ...api.gatedResources()])).toBe(DIGESTS[minor]?.resources);
  });

  it("are those of its sources: definitions", () => {
    const api = load(minor);
    const found = PLACES.map((place) => [place, api.definitionsOf(place)] as const).filter(
      ([, definitions]) => Object.keys(definitions).length > 0,
    );
    expect(Object.fromEntries(found.map(([place, definitions]) => [place, digestOf(definitions)]))).toEqual(
      DIGESTS[minor]?.definitions,
    );
  });

  it("name a definition for each kind, and contain all that the documents refer to", () => {
    const api = load(minor);
    for (const resource of [...api.resources, ...api.gatedResources()]) {
      const name = api.definitionNameOf(resource);
      expect(api.schema(name ?? ""), `${resource.version} ${resource.kind}`).toBeDefined();
      const schemas = api.schemasOf(resource);
      const references = [...JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/([^"]+)"/gu)];
      expect(references.filter(([, reference = ""]) => schemas[reference] === undefined)).toEqual([]);
    }
  });
});

describe("the differences between versions", () => {
  it("are those of their changelogs", () => {
    const policies = { group: "admissionregistration.k8s.io", version: "v1", resource: "mutatingadmissionpolicies" };
    const deployment = { group: "apps", version: "v1", kind: "Deployment" };
    const facts = MINORS.map((minor) => {
      const api = load(minor);
      return [
        minor,
        api.resource(policies) !== undefined,
        api.groups.includes("storagemigration.k8s.io"),
        api.schema(deployment)?.required ?? [],
        api.schema("io.k8s.api.core.v1.Container")?.properties?.["command"]?.items,
      ];
    });
    const withDefault = { default: "", type: "string" };
    expect(facts).toEqual([
      ["1.34", false, false, [], withDefault],
      ["1.35", false, false, [], withDefault],
      ["1.36", true, false, [], withDefault],
      ["1.37", true, true, ["spec"], { type: "string" }],
    ]);
  });

  it("do not change the tables of the version of the types", () => {
    const before = JSON.stringify(builtInApi.definitionsOf("core/v1"));
    for (const minor of MINORS) load(minor).definitionsOf("core/v1");
    expect(JSON.stringify(builtInApi.definitionsOf("core/v1"))).toBe(before);
  });
});

describe("loading a version", () => {
  it("returns the API that functions without a version use, for that version", () => {
    const api = load(KUBERNETES_MINOR);
    expect(api).toBe(builtInApi);
    expect(api.resources).toBe(builtInResources);
    expect(api.schema("io.k8s.api.core.v1.Pod")).toBe(builtInSchema("io.k8s.api.core.v1.Pod"));
  });

  it("has a file for each other version", () => {
    expect(readdirSync(RELEASES).toSorted()).toEqual(
      SUPPORTED_MINORS.filter((minor) => minor !== KUBERNETES_MINOR).map((minor) => `${minor}.json`),
    );
  });
});

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
