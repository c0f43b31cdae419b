import { describe, expect, it } from "vitest";

import { swaggerSchema } from "../../src/openapi/swagger-document.ts";

const REF = "#/components/schemas/io.k8s.api.core.v1.Pod";

describe("a schema of version 2", () => {
  it.each([
    ["refers to definitions", { $ref: REF }, { $ref: "#/definitions/io.k8s.api.core.v1.Pod" }],
    [
      "describes what it refers to, without its default",
      { allOf: [{ $ref: REF }], description: "One.", default: {} },
      { description: "One.", $ref: "#/definitions/io.k8s.api.core.v1.Pod" },
    ],
    [
      "takes any text for a number that may be one",
      { oneOf: [{ type: "string" }, { type: "integer" }], format: "int-or-string" },
      { format: "int-or-string", type: "string" },
    ],
    [
      "has no alternatives",
      { type: "object", properties: { a: { type: "string" } }, oneOf: [{ required: ["a"] }], not: {} },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    [
      "requires nothing that may be null, and leaves it open",
      {
        type: "object",
        required: ["a", "b"],
        properties: { a: { type: "string", nullable: true }, b: { enum: ["x"] } },
      },
      { type: "object", required: ["b"], properties: { a: {}, b: { enum: ["x"] } } },
    ],
    [
      "leaves open what keeps unknown fields",
      { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "string" } } },
      { "x-kubernetes-preserve-unknown-fields": true },
    ],
    [
      "is the same inside of lists and maps",
      { type: "array", items: { type: "object", additionalProperties: { $ref: REF } } },
      {
        type: "array",
        items: { type: "object", additionalProperties: { $ref: "#/definitions/io.k8s.api.core.v1.Pod" } },
      },
    ],
    [
      "keeps the numbers of its bounds",
      { type: "integer", minimum: 1, maximum: 9 },
      { type: "integer", minimum: 1, maximum: 9 },
    ],
  ])("%s", (_, schema, expected) => {
    expect(swaggerSchema(schema)).toEqual(expected);
  });

  it("keeps a field whose name is that of a keyword", () => {
    const schema = { type: "object", properties: { default: { type: "string" }, nullable: { type: "boolean" } } };
    expect(swaggerSchema(schema)).toEqual(schema);
  });
});
