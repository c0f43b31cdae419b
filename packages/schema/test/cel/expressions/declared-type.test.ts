import { expect, test } from "vitest";

import { declaredTypeAt, declareType } from "../../../src/cel/expressions/declared-type.ts";
import { formatCelType } from "../../../src/cel/values/cel-type.ts";
import type { JsonSchema } from "../../../src/model/json-schema.ts";

const REQUEST = 3 * 1024 * 1024;

function summary(schema: JsonSchema): readonly [string, number] | undefined {
  const type = declareType(schema);
  return type && [formatCelType(type.celType), type.maxElements];
}

test("scalars have the types of their formats and the sizes of their bounds", () => {
  expect(summary({ type: "string" })).toEqual(["string", REQUEST - 2]);
  expect(summary({ type: "string", maxLength: 10 })).toEqual(["string", 40]);
  expect(summary({ type: "string", enum: ["a", "abc", "é"] })).toEqual(["string", 3]);
  expect(summary({ type: "string", format: "byte", maxLength: 10 })).toEqual(["bytes", 10]);
  expect(summary({ type: "string", format: "date" })).toEqual(["timestamp", 12]);
  expect(summary({ type: "string", format: "date-time" })).toEqual(["timestamp", 32]);
  expect(summary({ type: "string", format: "duration" })).toEqual(["duration", 32]);
  expect(summary({ "x-kubernetes-int-or-string": true, maxLength: 3 })).toEqual(["dyn", 12]);
  expect(summary({ type: "number" })).toEqual(["double", 0]);
});

test("a list or map without a bound holds as many of the smallest values as fit into a request", () => {
  expect(summary({ type: "array", items: { type: "integer" } })).toEqual(["list(int)", (REQUEST - 2) / 2]);
  const map: JsonSchema = { type: "object", additionalProperties: { type: "boolean" } };
  expect(summary(map)).toEqual(["map(string, bool)", Math.floor((REQUEST - 2) / 10)]);
  expect(summary({ ...map, maxProperties: 4 })).toEqual(["map(string, bool)", 4]);
});

test("what has no type is not declared, nor what holds it", () => {
  expect(summary({ "x-kubernetes-preserve-unknown-fields": true })).toBeUndefined();
  expect(summary({ type: "array", items: { "x-kubernetes-preserve-unknown-fields": true } })).toBeUndefined();
});

test("required properties without a default count for the smallest size of an object", () => {
  const properties: JsonSchema["properties"] = { ab: { type: "integer" }, c: { type: "integer", default: 1 } };
  const type = declareType({ type: "object", required: ["ab", "c"], properties });
  expect(type?.minSerializedSize).toBe(2 + 2 + 1 + 4);
});

test("a path of an estimate leads to the declared type, a wrong one nowhere", () => {
  const root = declareType({
    type: "object",
    properties: { "a-b": { type: "array", items: { type: "object", additionalProperties: { type: "integer" } } } },
  });
  const at = (...path: readonly string[]): string | undefined => {
    const type = root && declaredTypeAt(root, path);
    return type && formatCelType(type.celType);
  };
  expect(at("a__dash__b", "@items", "@values")).toBe("int");
  expect(at("a__dash__b", "@items", "@keys")).toBe("string");
  expect(at("a__dash__b", "@keys")).toBeUndefined();
  expect(at("a-b")).toBeUndefined();
});

test("the root of a resource shows its names in metadata and nothing else of it", () => {
  const schema: JsonSchema = { type: "object", properties: { metadata: { type: "object" }, spec: { type: "object" } } };
  const root = declareType(schema, { isResourceRoot: true });
  expect(root?.kind === "object" && [...root.fields.keys()].toSorted()).toEqual([
    "apiVersion",
    "kind",
    "metadata",
    "spec",
  ]);
  const metadata = root && declaredTypeAt(root, ["metadata"]);
  expect(metadata?.kind === "object" && [...metadata.fields.keys()].toSorted()).toEqual(["generateName", "name"]);
});
