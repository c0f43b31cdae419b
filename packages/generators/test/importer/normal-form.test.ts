import { describe, expect, it } from "vitest";

import {
  canonicalJson,
  isSameJson,
  normalSchema,
  schemaDifferences,
  withoutDescriptions,
} from "../../src/importer/normal-form.ts";

describe("the normal form of a schema", () => {
  it("lacks what says nothing, at any depth", () => {
    const schema = {
      type: "object",
      description: "",
      required: ["b", "a", "b"],
      nullable: false,
      default: null,
      properties: {
        a: { type: "string", enum: [], default: "", properties: {} },
        b: { type: "array", items: { type: "string", nullable: false }, default: [], uniqueItems: false },
      },
      anyOf: [{ not: { required: [] } }, {}],
      "x-kubernetes-validations": [{ rule: "true", message: "", optionalOldSelf: false }],
    };
    expect(normalSchema(schema)).toEqual({
      type: "object",
      required: ["a", "b"],
      properties: {
        a: { type: "string", default: "" },
        b: { type: "array", items: { type: "string" }, default: [] },
      },
      anyOf: [{ not: {} }, {}],
      "x-kubernetes-validations": [{ rule: "true", optionalOldSelf: false }],
    });
  });

  it("may go without descriptions, but not without properties of that name", () => {
    const schema = { description: "x", properties: { description: { type: "string", description: "y" } } };
    expect(withoutDescriptions(schema)).toEqual({ properties: { description: { type: "string" } } });
  });
});

describe("comparing", () => {
  it("does not look at the order of keys, but at that of items", () => {
    expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(isSameJson([1, 2], [2, 1])).toBe(false);
    expect(canonicalJson({ b: 1n, a: 0 })).toBe('{"a":0,"b":1}');
  });

  it("names the place and the keyword of each difference", () => {
    const wanted = {
      properties: {
        a: { items: { type: "string" } },
        b: { type: "object", additionalProperties: {} },
        constructor: {},
      },
    };
    const found = { properties: { a: { items: { type: "integer" } }, b: { additionalProperties: { x: 1 } } } };
    expect(schemaDifferences(wanted, found).map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
      "a[] type",
      "b type",
      "b{} x",
      "constructor properties",
    ]);
  });
});
