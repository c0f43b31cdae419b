import { describe, expect, it } from "vitest";

import { readCrds } from "../../packages/generators/src/importer/crd-facts.ts";
import { exampleSpec, withExampleSpec } from "../../src/go-project/example-object.ts";

function exampleOf(spec: object | undefined, sample?: unknown): string | undefined {
  const openAPIV3Schema = { type: "object", properties: spec === undefined ? {} : { spec } };
  const [crd] = readCrds(
    [
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        spec: { group: "g", names: { kind: "Boat" }, versions: [{ name: "v1", schema: { openAPIV3Schema } }] },
      },
    ],
    "test",
  );
  return crd === undefined ? undefined : exampleSpec(crd, "v1", sample);
}

describe("exampleSpec", () => {
  it("gives what the schema requires, as small as it may be", () => {
    const properties = {
      size: { type: "integer", minimum: 2 },
      above: { type: "integer", minimum: 2, exclusiveMinimum: true },
      mode: { type: "string", enum: ["fast"] },
      name: { type: "string", minLength: 2 },
      on: { type: "boolean" },
      crew: {
        type: "array",
        minItems: 1,
        items: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
      },
      "at-sea": { type: "string", default: "yes" },
      port: { "x-kubernetes-int-or-string": true },
      left: { type: "string" },
    };
    const required = ["size", "above", "mode", "name", "on", "crew", "at-sea", "port"];
    expect(exampleOf({ type: "object", required, properties })).toBe(
      '{ above: 3, "at-sea": "yes", crew: [{ id: "" }], mode: "fast", name: "xx", on: false, port: 0, size: 2 }',
    );
  });

  it("takes the sample's spec when it has one", () => {
    const spec = { type: "object", required: ["size"], properties: { size: { type: "integer" } } };
    expect(exampleOf(spec, { spec: { size: 7 } })).toBe("{ size: 7 }");
    expect(exampleOf(spec, { spec: null })).toBe("{ size: 0 }");
  });

  it("does not take the spec of an invalid sample", () => {
    const properties = { size: { type: "integer" }, mode: { type: "string", default: "fast" } };
    const spec = { type: "object", required: ["size", "mode"], properties };
    expect(exampleOf(spec, { spec: { size: null } })).toBe('{ mode: "fast", size: 0 }');
    expect(exampleOf(spec, { spec: { size: 7 } })).toBe("{ size: 7 }");
  });

  it("gives nothing for a kind without a spec, and takes it out of the test", () => {
    expect(exampleOf(undefined)).toBeUndefined();
    expect(withExampleSpec("create({ metadata: key, spec: {} })", undefined)).toBe("create({ metadata: key })");
  });
});
