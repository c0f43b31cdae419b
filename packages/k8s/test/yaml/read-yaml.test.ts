import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readYaml, readYamlDocuments } from "../../src/yaml/read-yaml.ts";
import { recordedAnswers } from "../oracle/oracle.ts";

const WORDS = [
  "y",
  "Y",
  "yes",
  "Yes",
  "YES",
  "yEs",
  "n",
  "no",
  "NO",
  "on",
  "On",
  "off",
  "OFF",
  "true",
  "True",
  "TRUE",
  "tRue",
  "false",
  "~",
  "null",
  "Null",
  "NULL",
  "nULL",
  "0644",
  "012",
  "0o14",
  "0O14",
  "0x1F",
  "0X1f",
  "0b101",
  "-0b11",
  "+0b11",
  "1_000",
  "1_0.5",
  "09",
  "08.5",
  "1e3",
  "1E-3",
  "+1",
  "-1",
  "+0x10",
  "-0o7",
  ".5",
  "-.5",
  "+.5",
  "5.",
  "._5",
  "1:30",
  "-1:30:45.2",
  "2024-01-15",
  "2024-1-5T1:2:3Z",
  "2024-01-15 10:20:30",
  "9007199254740991",
  "1.0",
  "1.50",
  "0",
  "-0",
  "00",
  "0_7",
  "0x_1",
  "1__0",
  "_1",
  "--1",
  "+-1",
  "e3",
  "1e",
  "0x",
  "0b2",
  "0o8",
  "1e400",
  ".e1",
  ".",
  "-",
  "+",
  "..",
  "=",
  "<",
  "0.1.2",
  "1,000",
  "12e03",
  "0e0",
  "1.e1",
  "123456789012",
  "2024-13-01",
];

const recorded = recordedAnswers<[string, unknown[] | { error: string }]>("read-yaml", () => [
  ...WORDS.map((word) => `a: ${word}`),
  ...WORDS.map((word) => `- '${word}'\n- "${word}"`),
  ...WORDS.filter((word) => !["~", "null", "Null", "NULL", "0", "1.50", ".5", "-", "08.5"].includes(word)).map(
    (word) => `${word}: key`,
  ),
  ...fc.sample(fc.stringMatching(/^[-+.0-9_xobeE:]{1,7}$/), { numRuns: 600, seed: 5 }).map((word) => `a: ${word}`),
  "a: 1\n---\n---\nb: 2\n---\nnull\n",
  "# nothing\n",
  "",
  "--- \na: 1\n",
  "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n",
  "a: |\n  one\n  two\nb: >-\n  folded\n  text\n",
  '{"a": {"b": [1, true, null, "x\\u00e9"]}}',
  "a: !!str 5\nb: !!int '7'\nc: !!float 1\n",
  "a: !!binary aGVsbG8=\n",
  "a: 1\na: 2\n",
  "a: [1, 2\n",
  "a: 'x\n",
  "a:\n- b\n- c: d\n  e: f\n",
  "? a\n: b\n",
  "a: b: c\n",
  "a: @x\n",
  "- 1\n-2\n",
  "a: .inf\n",
  'a: "\\x41\\u263A\\U0001F600\\n"\n',
  "~: 1\n",
  "[a]: 1\n",
  "a: 'it''s'\n",
]);

describe("readYamlDocuments", () => {
  it(`reads what kubectl's library reads, on ${recorded.length} recorded texts`, () => {
    expect(recorded.length).toBeGreaterThan(600);
    const comparable = recorded.filter(([text]) => !/\d{16}/.test(text));
    expect(comparable.map(([text]) => [text, reading(text)])).toEqual(
      comparable.map(([text, expected]) => [text, Array.isArray(expected) ? expected : "MANIFEST_BAD_YAML"]),
    );
  });

  it.each([
    ["a: 1\nb: 2\na: 3\n", "deploy.yaml:3:1: duplicated mapping key"],
    ["a: [1, 2\n", "deploy.yaml:2:1: deficient indentation"],
    ["a: 1\nb: .nan\n", "deploy.yaml:2:4: NaN has no JSON form"],
  ])("says file, line and column of %j", (text, message) => {
    expect(() => readYamlDocuments(text, { file: "deploy.yaml" })).toThrow(
      expect.objectContaining({ code: "MANIFEST_BAD_YAML", message }),
    );
  });

  it("never shares an object between two places", () => {
    const [document] = readYamlDocuments("a: &x {b: {c: 1}}\nd: *x\n") as [{ a: { b: object }; d: { b: object } }];
    expect(document.d).toEqual(document.a);
    expect(document.d.b).not.toBe(document.a.b);
  });

  it("keeps a key that JavaScript gives its own meaning", () => {
    const value = readYaml("__proto__: {a: 1}") as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("readYaml", () => {
  it("returns undefined for an empty text and refuses a second document", () => {
    expect(readYaml("# nothing")).toBeUndefined();
    expect(() => readYaml("a: 1\n---\nb: 2")).toThrow("expected one document, found 2");
  });
});

function reading(text: string): unknown {
  try {
    return readYamlDocuments(text);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

it("integers beyond 2^53 are rounded, or exact like those of API servers", () => {
  const text = "a: 9007199254740993\nb: 0x7fffffffffffffff\nc: 18446744073709551615\n9007199254740993: d\n";
  expect(readYaml(text, { integers: "exact" })).toEqual({
    a: 9007199254740993n,
    b: 9223372036854775807n,
    c: 18446744073709551616,
    "9007199254740993": "d",
  });
  expect(readYaml("a: 9007199254740993")).toEqual({ a: 9007199254740992 });
});
