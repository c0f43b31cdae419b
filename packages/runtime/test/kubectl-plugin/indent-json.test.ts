import { describe, expect, it } from "vitest";

import { indentJson } from "../../src/kubectl-plugin/indent-json.ts";

describe("indentJson", () => {
  it.each([
    ["null", "null"],
    ["[]", "[]"],
    ["{}", "{}"],
    ['{"a":[],"b":{},"c":1}', '{\n    "a": [],\n    "b": {},\n    "c": 1\n}'],
    ['[1,[true,{"x":"y"}]]', '[\n    1,\n    [\n        true,\n        {\n            "x": "y"\n        }\n    ]\n]'],
    [String.raw`{"{[,:\"":"}],:\\"}`, String.raw`{` + "\n    " + String.raw`"{[,:\"": "}],:\\"` + "\n}"],
  ])("%s", (compact, indented) => {
    expect(indentJson(compact)).toBe(indented);
  });

  it("equals the indentation of JSON.stringify for nested values, and is not recursive", () => {
    let value: unknown = "end";
    for (let level = 0; level < 500; level += 1) value = level % 2 === 0 ? [value, level] : { level, value };
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 4));
  });
});
