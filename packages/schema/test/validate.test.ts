import { fieldErrorToString, type JSONValue } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import type { JsonSchema } from "../src/model/json-schema.ts";
import { validate } from "../src/validate.ts";

const messages = (schema: JsonSchema, value: JSONValue): readonly string[] =>
  validate(schema, value).map(fieldErrorToString);
const spec = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { spec: schema } });

describe("validate", () => {
  it("says in kube-apiserver's words what is wrong", () => {
    const schema = spec({
      type: "object",
      required: ["name"],
      properties: {
        replicas: { type: "integer", minimum: 1 },
        mode: { type: "string", enum: ["a", "b"] },
        short: { type: "string", maxLength: 3 },
        list: { type: "array", items: { type: "string" }, maxItems: 1 },
      },
    });
    expect(messages(schema, { spec: { replicas: 0, mode: "x", short: "abcd", list: ["a", "b"] } })).toEqual([
      "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1",
      'spec.mode: Unsupported value: "x": supported values: "a", "b"',
      "spec.short: Too long: may not be more than 3 bytes",
      "spec.list: Too many: 2: must have at most 1 item",
      "spec.name: Required value",
    ]);
    expect(messages(schema, { spec: { name: "n", replicas: "1" } })).toEqual([
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ]);
  });

  it("explains a failed choice for the whole object and by its most promising branch", () => {
    const schema = spec({ type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect(messages(schema, { spec: {} })).toEqual([
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      "spec.a: Required value",
    ]);
  });

  it("puts a path before all others", () => {
    const [error] = validate({ type: "object", required: ["a"] }, {}, { path: "spec.template" });
    expect(error).toMatchObject({ type: "FieldValueRequired", field: "spec.template.a" });
  });

  it("does not report again what an update has not touched", () => {
    const schema = spec({ type: "object", properties: { n: { type: "integer", maximum: 5 }, s: { type: "string" } } });
    const previous = { spec: { n: 9, s: "a" } };
    expect(validate(schema, { spec: { n: 9, s: "b" } }, { previous })).toEqual([]);
    expect(validate(schema, { spec: { n: 8, s: "b" } }, { previous })).toHaveLength(1);
  });

  it("follows references", () => {
    const resolve = (): JsonSchema => ({ type: "integer" });
    expect(validate(spec({ $ref: "#/number" }), { spec: "x" }, { resolve })).toHaveLength(1);
  });

  it("takes members named like those of every JavaScript object for absent", () => {
    expect(messages({ type: "object", required: ["constructor", "toString"] }, {})).toHaveLength(2);
    expect(
      messages({ type: "object", properties: {}, additionalProperties: { type: "string" } }, { constructor: 1 }),
    ).toHaveLength(1);
  });
});
