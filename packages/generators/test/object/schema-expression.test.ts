import { describe, expect, it } from "vitest";

import { printExpression } from "../../src/object/print-expression.ts";
import { hasRules, type KnownSchema, schemaExpression } from "../../src/object/schema-expression.ts";

const PART = {
  type: "object",
  description: "A part.",
  properties: { size: { type: "integer", minimum: 1 } },
  required: ["size"],
};
const KNOWN: readonly KnownSchema[] = [{ code: "Part.schema", schema: PART }];

function print(schema: object, known: readonly KnownSchema[] = KNOWN): string {
  return printExpression(schemaExpression({ ...schema }, known), { indent: 0 });
}

describe("the code of a schema", () => {
  it("leaves texts out, but not properties of such names", () => {
    expect(print({ title: "T", properties: { title: { type: "string", description: "D" } } })).toBe(
      '{ properties: { title: { type: "string" } } }',
    );
  });

  it("names what is known, alone or with what is added", () => {
    expect(print({ items: PART })).toBe("{ items: Part.schema }");
    expect(print({ properties: { a: { ...PART, default: { size: 2 } } } })).toBe(
      "{ properties: { a: { ...Part.schema, default: { size: 2 } } } }",
    );
  });

  it("writes out what differs in a value", () => {
    expect(print({ items: { ...PART, required: [] } })).not.toContain("Part.schema");
  });

  it("never makes a schema of itself, nor of one of the same size", () => {
    expect(print(PART)).not.toContain("Part.schema");
    expect(print({ ...PART })).toBe(print(PART, []));
  });

  it("sorts keys as a CRD has them", () => {
    expect(print({ type: "object", properties: { a10: {}, a2: {} } })).toBe(
      '{ properties: { a2: {}, a10: {} }, type: "object" }',
    );
  });
});

describe("rules of a schema", () => {
  it.each([
    [{ "x-kubernetes-validations": [{ rule: "true" }] }, true],
    [{ properties: { a: { items: { "x-kubernetes-validations": [] } } } }, true],
    [{ properties: { "x-kubernetes-validations": { type: "string" } } }, false],
    [{ additionalProperties: true }, false],
  ])("in %j are found: %s", (schema, expected) => {
    expect(hasRules({ ...schema })).toBe(expected);
  });
});
