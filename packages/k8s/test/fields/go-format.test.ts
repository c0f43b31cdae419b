import { describe, expect, it } from "vitest";

import { goTypeName, goUnmarshalError } from "../../src/fields/go-format.ts";

it.each([
  [null, "<nil>"],
  [undefined, "<nil>"],
  ["a", "string"],
  [true, "bool"],
  [1, "int64"],
  [1.5, "float64"],
  [2 ** 70, "float64"],
  [[1], "[]interface {}"],
  [{ a: 1 }, "map[string]interface {}"],
])("the Go type of %j is %s", (value, name) => {
  expect(goTypeName(value)).toBe(name);
});

describe("a value that does not fit a type", () => {
  it.each([
    [[1], "map[string]string", "array"],
    [{}, "string", "object"],
    [true, "int32", "bool"],
    ["a", "int32", "string"],
    [null, "v1.Pod", "null"],
    [1.5, "string", "number"],
    [1.5, "int32", "number 1.5"],
    [3_000_000_000, "int32", "number 3000000000"],
    [1.5, "map[string]int32", "number"],
  ])("%j for %s is called %s", (value, goType, kind) => {
    expect(goUnmarshalError(value, goType)).toBe(`json: cannot unmarshal ${kind} into Go value of type ${goType}`);
  });

  it("is said of the field that it was meant for", () => {
    expect(goUnmarshalError(1, "string", "struct field Pod.spec.hostname")).toBe(
      "json: cannot unmarshal number into Go struct field Pod.spec.hostname of type string",
    );
  });
});
