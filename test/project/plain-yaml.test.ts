import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";

import { readPlainYaml } from "../../src/project/project-yaml.ts";

const TEXT = `# One
# two
cliVersion: 0.1.0
layout:
- ts.example.dev/v1
plugins:
  example.dev/v1-alpha: {}
  other.dev/v1:
    resources:
    - kind: A
      options:
        image: "3"
    - kind: B
repo: '@acme/x'
resources:
- api:
    namespaced: true
  webhooks:
    spoke:
    - v1
    - v2
- kind: B
  old: false
version: "3"
`;
const OTHER_WORDS = [
  "yes",
  "null",
  "1.0",
  "12",
  "~",
  "[]",
  "[a]",
  "&a b",
  "*a",
  "!t x",
  "| ",
  "a: b",
  "a #b",
  '"\\n"',
  "'it''s'",
];
const WORDS = ["word", "Word/x.y-z_1", "0.1.0", "true", "false", '"3"', '""', "'@acme/x'", "{}", "2020-01-01", "- a"];

describe("plain YAML", () => {
  it("is read as the library reads it", () => {
    expect(readPlainYaml(TEXT)).toEqual(parseDocument(TEXT).toJS());
    expect(print(TEXT)).toBe(TEXT);
  });

  it.each([
    "",
    "\n",
    "a: b",
    "a: b\r\n",
    " a: b\n",
    "a:\n",
    "a: \n",
    "a: b \n",
    "a:  b\n",
    "a:\n    b: c\n",
    "a: b\n\nc: d\n",
    "a: b\na: c\n",
    "---\na: b\n",
    "- a\n",
    "# a\n",
    "#a\na: b\n",
    "a: b # c\n",
    "a:\n  - b\n",
    "a: b\n# c\n",
    "null: a\n",
    "a: b\n  c: d\n",
    "a:\n- b\n  c: d\n",
    "a:\n- - b\n",
    "a:\n  b\n",
    "? a\n: b\n",
    "a:\n-\n",
    "a: b\n...\n",
    ...OTHER_WORDS.map((word) => `a: ${word}\n`),
  ])("is not %j", (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  it("is what the library prints again, byte for byte, and never anything else", () => {
    const lines = TEXT.split("\n").slice(0, -1);
    const value = fc.constantFrom(...WORDS, ...OTHER_WORDS);
    const line = fc.oneof(
      fc.constantFrom(...lines),
      fc
        .tuple(
          fc.constantFrom("", "  ", "    ", "   "),
          fc.constantFrom("", "- "),
          fc.constantFrom("a", "b", "yes"),
          value,
        )
        .map(([indent, dash, key, text]) => `${indent}${dash}${key}: ${text}`),
      fc.tuple(fc.constantFrom("", "  "), value).map(([indent, text]) => `${indent}- ${text}`),
    );
    const edit = fc.record({ at: fc.nat(lines.length), drop: fc.nat(2), lines: fc.array(line, { maxLength: 2 }) });
    let plain = 0;
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 3 }), (edits) => {
        const text = edits.reduce((now, each) => now.toSpliced(each.at, each.drop, ...each.lines), lines).join("\n");
        const value = readPlainYaml(`${text}\n`);
        if (value === undefined) return;
        plain += 1;
        expect(value).toEqual(parseDocument(`${text}\n`).toJS());
        expect(print(`${text}\n`)).toBe(`${text}\n`);
      }),
      { numRuns: 2000 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});

function print(text: string): string {
  return parseDocument(text).toString({ indentSeq: false, lineWidth: 0, flowCollectionPadding: false });
}
