import { fieldErrorToString } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import type { JsonSchema } from "../../src/model/json-schema.ts";
import { checkStructural, type StructuralOptions } from "../../src/structural/check-structural.ts";

const messages = (schema: JsonSchema, options?: StructuralOptions): readonly string[] =>
  checkStructural(schema, options).map(fieldErrorToString);
const spec = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { spec: schema } });

describe("checkStructural", () => {
  it("refuses a type inside of a combination", () => {
    expect(messages(spec({ type: "string", anyOf: [{ type: "string" }] }))).toEqual([
      "spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural",
    ]);
  });

  it("refuses a default with fields that the schema does not know", () => {
    expect(messages(spec({ type: "object", default: { bogus: 1 } }))).toEqual([
      'spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: {"bogus":1}: must not have unknown fields',
    ]);
  });

  it("reports at the path it is given", () => {
    const path = "spec.versions[1].schema.openAPIV3Schema";
    expect(messages({ type: "object", nullable: true }, { path })).toEqual([
      `${path}.nullable: Forbidden: nullable cannot be true at the root`,
    ]);
  });

  it("restricts the root of a schema whose kind has a status", () => {
    const schema: JsonSchema = { type: "object", maxProperties: 3 };
    expect(checkStructural(schema)).toEqual([]);
    expect(checkStructural(schema, { hasStatus: true })).toHaveLength(1);
    expect(messages({ type: "object", required: ["spec"] }, { hasStatus: true })).toEqual([]);
  });

  it("lets a CRD go on with what it broke before, rule by rule", () => {
    const cases: readonly JsonSchema[] = [
      spec({ type: "string", anyOf: [{ type: "string" }] }),
      spec({ type: "object", default: { bogus: 1 } }),
      spec({ type: "bogus" }),
      spec({ type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } }),
      spec({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string", nullable: true } }),
    ];
    for (const schema of cases) {
      expect(checkStructural(schema)).not.toEqual([]);
      expect(checkStructural(schema, { previous: [schema] })).toEqual([]);
      expect(checkStructural(schema, { previous: [spec({ type: "string" })] })).not.toEqual([]);
    }
  });

  it("does not change the schema", () => {
    const schema = spec({ type: "object", default: { a: 1 }, properties: { a: { type: "integer" } } });
    const before = JSON.stringify(schema);
    checkStructural(schema);
    expect(JSON.stringify(schema)).toBe(before);
  });
});
