import { expect, it } from "vitest";

import { findUnsupported } from "../src/find-unsupported.ts";

const rules = { "x-kubernetes-validations": [{ rule: "self > 0" }] };

it("CEL rules are found wherever they stand", () => {
  const schema = {
    ...rules,
    type: "object",
    properties: {
      spec: { type: "array", items: { ...rules, allOf: [rules] } },
      map: { additionalProperties: rules, not: rules },
    },
  };
  expect(findUnsupported(schema).map(({ path }) => path)).toEqual([
    "openAPIV3Schema.x-kubernetes-validations",
    "openAPIV3Schema.properties[spec].items.x-kubernetes-validations",
    "openAPIV3Schema.properties[spec].items.allOf[0].x-kubernetes-validations",
    "openAPIV3Schema.properties[map].additionalProperties.x-kubernetes-validations",
    "openAPIV3Schema.properties[map].not.x-kubernetes-validations",
  ]);
});

it("a schema without rules asks for nothing that is missing", () => {
  expect(findUnsupported({ type: "object", properties: { a: { "x-kubernetes-validations": [] } } })).toEqual([]);
});
