import { printServerJson } from "@kubescaffold/k8s";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseYaml, parseYamlAsJson } from "../../src/request/body.ts";

const objects = fc.dictionary(fc.string({ unit: "binary", maxLength: 20 }), fc.jsonValue({ stringUnit: "binary" }), {
  maxKeys: 5,
});

describe("parseYamlAsJson", () => {
  it("returns what the YAML parser does, or undefined", async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(objects, fc.constantFrom(undefined, 2), async (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const value = parseYamlAsJson(text);
        if (value === undefined) return;
        read += 1;
        expect(printServerJson(value)).toBe(printServerJson(await parseYaml(text)));
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it.each([
    ["a duplicate key", '{"a": 1, "a": 2}'],
    ["a duplicate key in a list", '{"a": [{"b": 1, "b": 1}]}'],
    ["a merge key", '{"<<": {"a": 1}}'],
    ["an exponent", '{"a": 1e400}'],
    ["an exponent in a list", '{"a":[-2.5E3]}'],
    ["a surrogate as an escape", String.raw`{"a": "\ud83d\ude00"}`],
    ["a control character that YAML refuses", '{"a": "\u0080"}'],
    ["YAML", "{a: b}"],
    ["an incomplete text", '{"a": 1'],
    ["a list", "[1]"],
  ])("leaves %s to the YAML parser", (_title, text) => {
    expect(parseYamlAsJson(text)).toBeUndefined();
  });

  it.each([
    '{"a": "sha256:a1e5"}',
    String.raw`{"a": "\\"}`,
    String.raw`{"a\"b": "c\\\"d", "e": {}}`,
    '{"a": {"b": [1, -2.5, null, true]}}',
  ])("reads %s", (text) => {
    expect(parseYamlAsJson(text)).toEqual(JSON.parse(text));
  });
});
