import { expect, it } from "vitest";

import { UnresolvedReferenceError } from "../../src/model/errors.ts";
import type { JsonSchema } from "../../src/model/json-schema.ts";
import { refOf, resolveSchema } from "../../src/model/resolve-schema.ts";

const target: JsonSchema = { type: "object", properties: { a: { type: "string" } } };
const resolve = (ref: string): JsonSchema | undefined => (ref === "#/known" ? target : undefined);

it("a reference stands for its schema", () => {
  expect(resolveSchema({ $ref: "#/known" }, { resolve })).toBe(target);
  expect(resolveSchema({ allOf: [{ $ref: "#/known" }] }, { resolve })).toBe(target);
});

it("what is next to a reference wins over the schema it names", () => {
  const schema = { allOf: [{ $ref: "#/known" }], default: {}, nullable: true };
  expect(resolveSchema(schema, { resolve })).toEqual({ ...target, default: {}, nullable: true });
  expect(resolveSchema(schema, { resolve })).toBe(resolveSchema(schema, { resolve }));
});

it("an unknown reference fails by its name", () => {
  expect(() => resolveSchema({ $ref: "#/unknown" }, { resolve })).toThrow(UnresolvedReferenceError);
});

it("without a resolver schemas are taken as they are", () => {
  const schema = { $ref: "#/known" };
  expect(resolveSchema(schema, {})).toBe(schema);
  expect(refOf(schema)).toBe("#/known");
});
