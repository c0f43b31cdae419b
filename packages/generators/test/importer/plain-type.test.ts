import { describe, expect, it } from "vitest";

import { ImportList } from "../../src/importer/import-list.ts";
import { plainType } from "../../src/importer/plain-type.ts";

const EITHER = { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };

describe("the type of a value", () => {
  it.each([
    [{ type: "string" }, "string", {}],
    [{ type: "string", format: "uuid" }, "string", { format: "uuid" }],
    [{ type: "string", format: "date-time" }, "Time", {}],
    [{ type: "string", format: "byte" }, "Bytes", {}],
    [{ type: "string", enum: ["a", "b"] }, '"a" | "b"', {}],
    [{ type: "string", enum: ["a", 1] }, "string", { enum: ["a", 1] }],
    [{ type: "string", enum: ["\ud800"] }, "string", { enum: ["\ud800"] }],
    [{ type: "boolean" }, "boolean", {}],
    [{ type: "boolean", enum: [false] }, "false", {}],
    [{ type: "integer" }, "integer", {}],
    [{ type: "integer", format: "int64", minimum: 1 }, "int64", { minimum: 1 }],
    [{ type: "integer", format: "int32", enum: [2, -1] }, "2 | -1", { format: "int32" }],
    [{ type: "integer", enum: [2 ** 60] }, "integer", { enum: [2 ** 60] }],
    [EITHER, "IntOrString", {}],
    [{ ...EITHER, pattern: "^a" }, "IntOrString", { pattern: "^a" }],
    [{ "x-kubernetes-preserve-unknown-fields": true }, "JSONValue", {}],
  ])("of %j is %s", (schema, type, left) => {
    expect(plainType(schema, new ImportList("Thing"))).toMatchObject({ type, left });
    expect(plainType(schema, new ImportList("Thing")).isSchemaless).toBeUndefined();
  });

  it.each([
    [{ type: "number" }, "float64"],
    [{}, "JSONValue"],
    [{ type: ["string", "null"] }, "JSONValue"],
    [{ "x-kubernetes-int-or-string": true }, "IntOrString"],
  ])("of %j is %s for people only", (schema, type) => {
    expect(plainType(schema, new ImportList("Thing"))).toMatchObject({ type, left: schema, isSchemaless: true });
  });
});
