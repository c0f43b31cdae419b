import { describe, expect, it } from "vitest";

import {
  builtInApi,
  builtInResources,
  builtInSchema,
  builtInSchemasOf,
  definitionKey,
  definitionNameOf,
  definitionOf,
} from "../../src/tables/schemas.ts";

describe("builtInSchema", () => {
  it("finds a schema for every built-in kind", () => {
    for (const resource of builtInResources) expect(builtInSchema(resource)?.type).toBe("object");
  });

  it("finds a schema by definition name and by reference", () => {
    const container = builtInSchema("io.k8s.api.core.v1.Container");
    expect(container?.properties?.["env"]).toMatchObject({
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    });
    expect(builtInSchema("#/components/schemas/io.k8s.api.core.v1.Container")).toBe(container);
    expect(builtInSchema("io.k8s.api.core.v1.Nothing")).toBeUndefined();
  });

  it("finds the kinds of metadata under every group", () => {
    expect(definitionNameOf({ group: "apps", version: "v1", kind: "DeleteOptions" })).toBe(
      "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
    );
    expect(definitionNameOf({ group: "nobody", version: "v1", kind: "Pod" })).toBeUndefined();
  });
});

describe("builtInSchemasOf", () => {
  it("gathers what the OpenAPI document of a group-version holds, and nothing that is missing", () => {
    const schemas = builtInSchemasOf({ group: "apps", version: "v1" });
    expect(Object.keys(schemas)).toHaveLength(166);
    for (const [, name = ""] of JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(schemas).toHaveProperty([name]);
    }
    expect(schemas).toHaveProperty(["io.k8s.api.autoscaling.v1.Scale"]);
  });

  it("states of kinds that group versions share those of the document", () => {
    const kindsIn = (group: string): unknown =>
      builtInSchemasOf({ group, version: "v1" })["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"]?.[
        "x-kubernetes-group-version-kind"
      ];
    const options = { kind: "DeleteOptions", version: "v1" };
    expect(kindsIn("")).toEqual([{ group: "", ...options }]);
    expect(kindsIn("apps")).toEqual([
      { group: "", ...options },
      { group: "apps", ...options },
    ]);
  });

  it("offers nothing for a group-version that is not built in", () => {
    expect(Object.keys(builtInSchemasOf({ group: "demo", version: "v1" }))).toEqual([
      "io.k8s.apimachinery.pkg.apis.meta.v1.APIResource",
      "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList",
    ]);
  });
});

describe("the definitions of a place", () => {
  it("has the definitions of one group and version, which definitionOf finds by their keys", () => {
    const definitions = builtInApi.definitionsOf("core/v1");
    expect(Object.keys(definitions)).toContain("io.k8s.api.core.v1.Container");
    for (const [name, definition] of Object.entries(definitions)) {
      expect(definitionKey(name)).toMatch(/^core\/v1\./u);
      expect(definitionOf(definitionKey(name))).toBe(definition);
    }
    expect(builtInApi.definitionsOf("none/v1")).toEqual({});
  });
});
