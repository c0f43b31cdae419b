import { expect, it } from "vitest";

import { containsRules, type JsonSchema } from "../src/index.ts";

const ruled: JsonSchema = { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] };

it.each<[string, JsonSchema]>([
  ["itself", ruled],
  ["in a property", { type: "object", properties: { a: ruled } }],
  ["in items", { type: "array", items: ruled }],
  ["in the values of a map", { type: "object", additionalProperties: ruled }],
])("a schema may have rules %s", (_, schema) => {
  expect(containsRules(schema)).toBe(true);
});

it("an empty list of rules is none", () => {
  expect(containsRules({ type: "object", properties: { a: { "x-kubernetes-validations": [] } } })).toBe(false);
});
