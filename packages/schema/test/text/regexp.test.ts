import { expect, it } from "vitest";

import { compilePattern } from "../../src/text/regexp.ts";

it("a pattern matches anywhere in a text, as in Go", () => {
  const pattern = compilePattern("b+");
  expect(pattern.kind === "pattern" && pattern.matches("abbc")).toBe(true);
});

it("a pattern is compiled once", () => {
  expect(compilePattern("^once$")).toBe(compilePattern("^once$"));
});

it("what RE2 does not know is refused with Go's words", () => {
  expect(compilePattern("[a")).toEqual({ kind: "invalid", reason: "error parsing regexp: missing closing ]: `[a`" });
  expect(compilePattern("(?=a)").kind).toBe("invalid");
});

it("a pattern that makes backtracking engines hang answers at once", () => {
  const pattern = compilePattern("^(a+)+$");
  expect(pattern.kind === "pattern" && pattern.matches(`${"a".repeat(5000)}!`)).toBe(false);
});
