import { runInNewContext } from "node:vm";

import fc from "fast-check";
import { stringLiteral } from "kubescaffold/plugin";
import { describe, expect, it } from "vitest";

import { listLiteral } from "../template-values.ts";

// A literal is read by the language itself.
function valueOf(literal: string): unknown {
  return runInNewContext(literal);
}

describe("a literal of TypeScript", () => {
  it("has the value of the string, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(valueOf(stringLiteral(text))).toBe(text);
      }),
    );
  });

  it("takes the quotes that need fewer escapes", () => {
    expect(["a", 'say "a"', "don't", `'"`].map((text) => stringLiteral(text))).toEqual([
      '"a"',
      `'say "a"'`,
      `"don't"`,
      `"'\\""`,
    ]);
  });

  it("of a list has one line when that fits, else one for each", () => {
    expect(listLiteral(["a", "b"], "const a = ")).toBe('["a", "b"]');
    expect(listLiteral(["a", "b"], " ".repeat(109))).toBe('["a", "b"]');
    expect(listLiteral(["a", "b"], " ".repeat(110))).toBe('[\n  "a",\n  "b",\n]');
  });
});
