import { RE2JS } from "re2js";
import { afterEach, describe, expect, it, vi } from "vitest";

import { compileExpression, type CompiledExpression } from "../../src/cel/compiler/compile-expression.ts";
import { declareType } from "../../src/cel/expressions/declared-type.ts";
import { validateRules } from "../../src/cel/rules/validate-rules.ts";
import { compilePattern } from "../../src/text/regexp.ts";
import { validate } from "../../src/validate.ts";

const STEPS = 2 ** 26;

function compiled(text: string): CompiledExpression {
  const expression = compile(text);
  if (expression.kind === "rejected") throw new Error(JSON.stringify(expression.issues));
  return expression;
}

function compile(text: string): ReturnType<typeof compileExpression> {
  const self = declareType({ type: "string" });
  if (self === undefined) throw new Error("no type");
  return compileExpression(text, { self });
}

describe("the work of a pattern", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const PATTERNS = [
    "^(a+)+$",
    "(?i)(\\pL{1,500}){0,2}$",
    "^(.|b)*a(a|b){500}$",
    "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
  ];

  it.each(PATTERNS)("of %s is bounded by its size and that of the text", (pattern) => {
    const known = compilePattern(pattern);
    const longest = Math.floor(STEPS / RE2JS.compile(pattern).programSize());
    expect(known).toMatchObject({ kind: "pattern", longestText: longest });
    const matched = vi.spyOn(RE2JS.prototype, "test").mockReturnValue(true);
    const schema = { type: "string", pattern };
    expect(validate(schema, "a".repeat(longest))).toEqual([]);
    expect(matched).toHaveBeenCalledTimes(1);
    expect(validate(schema, "a".repeat(longest + 1))[0]?.detail).toContain(
      `should match '${pattern}', but ${longest + 1} characters are too many for it, at most ${longest}`,
    );
    expect(matched).toHaveBeenCalledTimes(1);
  });

  it("is that of an automaton, which does not try the parts of a text again", () => {
    const searched = vi.spyOn(RE2JS.prototype, "matcher");
    const pattern = compilePattern("^(b|a+)+$");
    expect(pattern.kind === "pattern" && pattern.matches(`${"a".repeat(100_000)}!`)).toBe(false);
    expect(compiled("self.matches('^(a|b+)+$')").evaluate({ self: "a".repeat(100_000) })).toMatchObject({
      value: true,
    });
    expect(searched).not.toHaveBeenCalled();
  });

  it.each(["matches", "find", "findAll"])("is bounded in the function %s of rules, too", (name) => {
    const expression = compiled(`self.${name}('(?i)(\\\\pL{1,500}){0,2}$')`);
    expect(expression.evaluate({ self: "a".repeat(300_000) })).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/^300000 characters are too many for the pattern, at most \d+$/u) as string,
    });
  });
});

describe("the work of a rule", () => {
  it("is bounded by 100,000 characters", () => {
    const ofLength = (length: number): string => `true${" ".repeat(length - 4)}`;
    expect(compile(ofLength(100_000)).kind).toBe("compiled");
    expect(compile(ofLength(100_001))).toMatchObject({
      kind: "rejected",
      issues: [
        { line: -1, column: 0, message: "expression code point size exceeds limit: size: 100001, limit 100000" },
      ],
    });
    // A character outside of the basic plane is one.
    expect(compile(`'${"😀".repeat(99_998)}' != ''`.slice(0, -6)).kind).toBe("compiled");
  });

  it.each(["lists.range(9000000000000).size() > 0", "lists.range(self).size() > 0"])("is bounded: %s", (rule) => {
    const schema = {
      type: "object",
      properties: { a: { type: "integer", "x-kubernetes-validations": [{ rule }] } },
    };
    expect(validateRules(schema, { a: 9_000_000_000_000 }).errors[0]?.detail).toContain("actual cost limit exceeded");
  });
});
