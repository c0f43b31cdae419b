import type { JSONValue } from "@kubescaffold/k8s";
import { builtInSchema } from "@kubescaffold/k8s/tables";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { prune, unknownFieldMessage } from "../../src/structural/prune.ts";
import { objectsOf, schemas } from "../oracle/arbitrary-schemas.ts";

const schema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { list: { type: "array", items: { type: "object", properties: { x: {} } } } } },
  },
};

describe("prune", () => {
  it("names the fields it removes by their paths, sorted", () => {
    const value = { kind: "Foo", metadata: { a: 1 }, zeta: 1, spec: { bogus: 1, list: [{ x: 1, y: 2 }, { y: 3 }] } };
    expect(prune(schema, value)).toEqual({
      value: { kind: "Foo", metadata: { a: 1 }, spec: { list: [{ x: 1 }, {}] } },
      unknownFields: ["spec.bogus", "spec.list[0].y", "spec.list[1].y", "zeta"],
    });
  });

  it("prints an unknown field as strict decoding does", () => {
    expect(unknownFieldMessage("spec.list[0].y")).toBe('unknown field "spec.list[0].y"');
  });

  it("takes apiVersion, kind and metadata for unknown in a value that is no whole object, without naming them", () => {
    const pruned = prune({ type: "object" }, { kind: "x", other: 1 }, { isResourceRoot: false });
    expect(pruned).toEqual({ value: {}, unknownFields: ["other"] });
  });

  it("knows the fields of built-in kinds through references, and leaves free-form values alone", () => {
    const crd = builtInSchema({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }) ?? {};
    const value = {
      metadata: { name: "x" },
      spec: { bogus: 1, versions: [{ schema: { openAPIV3Schema: { default: { free: { form: 1 } }, bogus: 1 } } }] },
    };
    const pruned = prune(crd, value, { resolve: (ref) => builtInSchema(ref) });
    expect(pruned.unknownFields).toEqual(["spec.bogus", "spec.versions[0].schema.openAPIV3Schema.bogus"]);
    expect(pruned.value.spec.versions).toEqual([{ schema: { openAPIV3Schema: { default: { free: { form: 1 } } } } }]);
  });

  it("returns the same value when nothing is unknown, and never changes its input", () => {
    fc.assert(
      fc.property(
        schemas.chain((drawn) => fc.tuple(fc.constant(drawn), objectsOf(drawn))),
        ([drawn, value]) => {
          const before = JSON.stringify(value);
          const once = prune(drawn, value as JSONValue);
          expect(JSON.stringify(value)).toBe(before);
          expect(prune(drawn, once.value)).toEqual({ value: once.value, unknownFields: [] });
          expect(prune(drawn, once.value).value).toBe(once.value);
        },
      ),
    );
  });
});
