import { describe, expect, it } from "vitest";

import { duplicateYamlKeys, readYaml } from "../../src/yaml/index.ts";

const TEXT = `a: 1
b:
  - c: 1
    "c": 2
  - c: 3
a: {d: 1, d: 2}
`;

describe("duplicateYamlKeys", () => {
  it("finds keys that a mapping has twice, with their lines", () => {
    expect(duplicateYamlKeys(TEXT)).toEqual([
      { key: "c", line: 4 },
      { key: "a", line: 6 },
      { key: "d", line: 6 },
    ]);
  });

  it("finds none where every key is stated once", () => {
    expect(duplicateYamlKeys("a: b\nb: [a, a]\nc: {a: 1, b: 2}\n---\na: 1\n")).toEqual([]);
  });
});

describe("readYaml", () => {
  it("takes the last value of a key where asked to", () => {
    expect(readYaml(TEXT, { duplicateKeys: "last-wins" })).toEqual({ a: { d: 2 }, b: [{ c: 2 }, { c: 3 }] });
    expect(() => readYaml(TEXT)).toThrow("duplicated mapping key");
  });
});
