import { describe, expect, it } from "vitest";

import { fieldChanges } from "../../src/verify/field-changes.ts";

function changesOf(properties: object, spec: object): readonly (readonly [string, unknown])[] {
  const sample = { apiVersion: "example.com/v1", kind: "Web", metadata: { name: "web" }, spec };
  const schema = { type: "object" as const, properties: { spec: { type: "object" as const, properties } } };
  const resources = { schemaOf: () => schema as never };
  return fieldChanges([sample], resources).map(({ path, value }) => [path.join("."), value] as const);
}

describe("fieldChanges", () => {
  it.each([
    [{ type: "integer", minimum: 1, maximum: 3 }, 1, 2],
    [{ type: "integer", minimum: 1, maximum: 3 }, 3, 2],
    [{ type: "integer", minimum: 5 }, undefined, 5],
    [{ type: "integer", default: 4 }, undefined, 5],
    [{ type: "boolean" }, true, false],
    [{ type: "boolean" }, undefined, true],
    [{ type: "string", enum: ["a", "b"] }, "a", "b"],
    [{ type: "string" }, "web", "web-b"],
    [{ type: "string" }, undefined, "verify-b"],
  ])("changes %j from %j to %j", (schema, current, value) => {
    expect(changesOf({ field: schema }, { field: current })).toEqual([["spec.field", value]]);
  });

  it.each([
    [{ type: "string", maxLength: 4 }, "web"],
    [{ type: "string", format: "date-time" }, "2026-01-01T00:00:00Z"],
    [{ type: "string", enum: ["a"] }, "a"],
    [{ type: "integer", minimum: 1, maximum: 1 }, 1],
    [{ type: "array", items: { type: "string" } }, ["a"]],
  ])("leaves %j as it is", (schema, current) => {
    expect(changesOf({ field: schema }, { field: current })).toEqual([]);
  });

  it("names no host of others in an image", () => {
    expect(changesOf({ image: { type: "string" } }, { image: "nginx" })).toEqual([
      ["spec.image", "registry.invalid/verify:2"],
    ]);
  });

  it("finds fields of objects", () => {
    const port = { type: "integer" };
    expect(changesOf({ service: { type: "object", properties: { port } } }, { service: { port: 80 } })).toEqual([
      ["spec.service.port", 81],
    ]);
  });
});
