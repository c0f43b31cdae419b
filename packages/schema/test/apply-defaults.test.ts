import type { JSONValue } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyDefaults } from "../src/apply-defaults.ts";
import type { JsonSchema } from "../src/model/json-schema.ts";
import { objectsOf, schemas } from "./oracle/arbitrary-schemas.ts";

describe("applyDefaults", () => {
  it("fills absent members and nulls that are not allowed, and drops other such nulls", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", default: "x" },
        b: { type: "string", default: "y", nullable: true },
        c: { type: "string" },
      },
    };
    expect(applyDefaults(schema, { a: null, b: null, c: null })).toEqual({ a: "x", b: null });
  });

  it("keeps nulls that are not allowed and have no default if it is asked to", () => {
    const text: JsonSchema = { type: "string" };
    const schema: JsonSchema = {
      type: "object",
      properties: {
        plain: text,
        filled: { ...text, default: "x" },
        map: { type: "object", additionalProperties: text },
      },
    };
    const value = { plain: null, filled: null, map: { a: null } };
    expect(applyDefaults(schema, value, { keepsNulls: true })).toEqual({ plain: null, filled: "x", map: { a: null } });
    expect(applyDefaults(schema, value)).toEqual({ filled: "x", map: {} });
  });

  it("does not create the parent of a default", () => {
    const schema = { type: "object", properties: { spec: { type: "object", properties: { a: { default: 1 } } } } };
    expect(applyDefaults(schema, {})).toEqual({});
    expect(applyDefaults(schema, { spec: {} })).toEqual({ spec: { a: 1 } });
  });

  it("copies a default for each place it fills", () => {
    const shared = { deep: { list: [1] } };
    const schema = {
      type: "object",
      additionalProperties: { type: "object", properties: { a: { type: "object", default: shared } } },
    };
    const value = applyDefaults<Record<string, { a?: { deep: { list: number[] } } }>>(schema, { x: {}, y: {} });
    expect(value["x"]?.a).toEqual(shared);
    expect(value["x"]?.a).not.toBe(shared);
    expect(value["x"]?.a).not.toBe(value["y"]?.a);
  });

  it("returns the same value when there is nothing to do, and never changes its input", () => {
    fc.assert(
      fc.property(
        schemas.chain((schema) => fc.tuple(fc.constant(schema), objectsOf(schema))),
        ([schema, value]) => {
          const before = JSON.stringify(value);
          const once = applyDefaults(schema, value as JSONValue);
          expect(JSON.stringify(value)).toBe(before);
          expect(applyDefaults(schema, once)).toBe(once);
        },
      ),
    );
  });
});
