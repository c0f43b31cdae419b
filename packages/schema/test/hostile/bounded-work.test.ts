import fc from "fast-check";
import { RE2JS } from "re2js";
import { afterEach, describe, expect, it, vi } from "vitest";

import { compileExpression, type CompiledExpression } from "../../src/cel/compiler/compile-expression.ts";
import { declareType } from "../../src/cel/expressions/declared-type.ts";
import { validateRules, validateRulesInTurns } from "../../src/cel/rules/validate-rules.ts";
import { findLastText, findText, splitText } from "../../src/text/find-text.ts";
import { compilePattern } from "../../src/text/regexp.ts";
import { validate } from "../../src/validate.ts";

const STEPS = 2 ** 24;

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

describe("the work of many patterns", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("of an object is bounded together", () => {
    const pattern = "^[a-z]*[^b]$";
    const text = "a".repeat(1_000_000);
    const most = Math.floor(2 ** 28 / (RE2JS.compile(pattern).programSize() * text.length));
    const matched = vi.spyOn(RE2JS.prototype, "test").mockReturnValue(true);
    const patterns = (count: number): object => ({ allOf: Array.from({ length: count }, () => ({ pattern })) });
    const errors = validate({ type: "string", ...patterns(most) }, text);
    expect(errors).toEqual([]);
    expect(matched).toHaveBeenCalledTimes(most);
    matched.mockClear();
    const [first] = validate({ type: "string", ...patterns(500) }, text);
    expect(first?.detail).toContain(
      `should match '${pattern}', but the texts of the object are too long for their patterns`,
    );
    expect(matched).toHaveBeenCalledTimes(most);
  });

  it("of a rule is bounded together", () => {
    const rule = `lists.range(1000).all(i, !self.matches('(?i)(\\\\pL{1,500}){0,2}0$'))`;
    const matched = vi.spyOn(RE2JS.prototype, "test").mockReturnValue(false);
    const schema = { type: "string", "x-kubernetes-validations": [{ rule }] };
    const { errors } = validateRules(schema, "a".repeat(2000), { expressionLimit: Infinity, isResourceRoot: false });
    expect(errors[0]?.detail).toContain("actual cost limit exceeded");
    expect(matched.mock.calls.length).toBeGreaterThan(0);
    expect(matched.mock.calls.length).toBeLessThan(200);
  });

  it("of a rule lets others go on between two matches of long texts", async () => {
    const rule = "lists.range(40).all(i, !self.matches('(?i)(\\\\pL{1,500}){0,2}0$'))";
    const schema = { type: "string", "x-kubernetes-validations": [{ rule }] };
    const state = { now: 0, pauses: 0 };
    const matched = vi.spyOn(RE2JS.prototype, "test").mockImplementation(() => {
      state.now += 40;
      return false;
    });
    const pause = async (): Promise<void> => {
      state.pauses += 1;
      await Promise.resolve();
    };
    const turns = { nowMs: () => state.now, pause };
    const options = { expressionLimit: Infinity, isResourceRoot: false, turns };
    expect((await validateRulesInTurns(schema, "a".repeat(2000), options)).errors).toEqual([]);
    // The first turn finds that the rule takes long, and does not count.
    expect(matched.mock.calls.length).toBeLessThan(45);
    expect(state.pauses).toBeGreaterThan(35);
  });

  it("of all matches of a text is bounded", () => {
    const quadratic = compiled("self.findAll('a.*b|a').size()");
    expect(quadratic.evaluate({ self: "a".repeat(20_000) })).toMatchObject({
      kind: "error",
      message: "the matches of the pattern read the text too often",
    });
    const linear = compiled("self.findAll('[a-c]+').size()");
    expect(linear.evaluate({ self: "abc-".repeat(250_000) })).toMatchObject({ value: 250_000n });
  });
});

describe("the work of functions of texts", () => {
  const A = "a".repeat(1_000_000);

  // The engine's own search compares the part at each of 500,000 places.
  it.each([
    ["contains", "self.contains(oldSelf)", false],
    ["indexOf", "self.indexOf(oldSelf)", -1n],
    ["lastIndexOf", "self.lastIndexOf('a' + oldSelf)", -1n],
    ["split", "self.split(oldSelf).size()", 1n],
    ["replace", "self.replace(oldSelf, 'c').size()", 1_000_000n],
  ])("%s grows in proportion", (_, text, expected) => {
    const searched = ["indexOf", "lastIndexOf", "includes", "split"] as const;
    const spies = searched.map((name) => vi.spyOn(String.prototype, name));
    const program = compiled(text);
    const part = `b${"a".repeat(500_000)}`;
    expect(program.evaluate({ self: A, oldSelf: part })).toMatchObject({ value: expected });
    const long = spies.flatMap((spy) =>
      spy.mock.calls.filter(([wanted]) => typeof wanted === "string" && wanted.length > 1000),
    );
    expect(long).toEqual([]);
    vi.restoreAllMocks();
  });

  it.each([
    "self.replace('', self)",
    "[self, self, self, self, self, self, self, self, self, self, self].join('')",
    "'%s%s%s%s%s%s%s%s%s%s%s'.format([self, self, self, self, self, self, self, self, self, self, self])",
    "'%s'.format([[self, self, self, self, self, self, self, self, self, self, self]])",
    "'%.1000000000f'.format([1.5])",
  ])("%s makes no text without bound", (text) => {
    const outcome = compiled(text).evaluate({ self: A });
    expect(outcome).toEqual({ kind: "error", message: "operation cancelled: actual cost limit exceeded" });
  });

  it("have the positions of code points", () => {
    const value = (text: string): unknown => {
      const outcome = compiled(text).evaluate({ self: "a😀b😀" });
      return outcome.kind === "value" ? outcome.value : outcome.message;
    };
    expect(value("self.charAt(1)")).toBe("😀");
    expect(value("self.charAt(4)")).toBe("");
    expect(value("self.indexOf('b')")).toBe(2n);
    expect(value("self.indexOf('😀', 2)")).toBe(3n);
    expect(value("self.lastIndexOf('😀')")).toBe(3n);
    expect(value("self.lastIndexOf('😀', 2)")).toBe(1n);
    expect(value("self.substring(1, 3)")).toBe("😀b");
    expect(value("self.substring(4)")).toBe("");
  });

  it("that search texts in proportion find what the engine finds", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 }), (text, part) => {
        const [long, wanted] = [text.repeat(100), part.repeat(700)];
        for (const [haystack, needle] of [
          [text, part],
          [long, wanted],
        ] as const) {
          expect(findText(haystack, needle, 1)).toBe(haystack.indexOf(needle, 1));
          expect(findLastText(haystack, needle, haystack.length - 1)).toBe(
            haystack.lastIndexOf(needle, haystack.length - 1),
          );
          expect(splitText(haystack, needle)).toEqual(haystack.split(needle));
        }
      }),
    );
  });
});

describe("the work of lists", () => {
  it("that are joined with themselves again and again is bounded", () => {
    const doubled = Array.from({ length: 40 }, (_, index) => `.map(a${index}, a${index} + a${index})`).join("");
    expect(compiled(`[[self]]${doubled}.map(a, a.size())`).evaluate({ self: "a" })).toEqual({
      kind: "error",
      message: "operation cancelled: actual cost limit exceeded",
    });
  });

  /** Returns a list of texts, and the number of its items that were read. */
  function counted(length: number): { readonly list: readonly string[]; readonly reads: () => number } {
    let reads = 0;
    const list = new Proxy(
      Array.from({ length }, (_, index) => String(index)),
      {
        get: (target, key, receiver) => {
          if (typeof key === "string" && /^\d+$/u.test(key)) reads += 1;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    return { list, reads: () => reads };
  }

  const listOf = (rule: string): object => ({
    type: "array",
    items: { type: "string" },
    "x-kubernetes-validations": [{ rule }],
  });

  it("is not that of elements which a loop does not reach", () => {
    const { list, reads } = counted(1000);
    const rule = "lists.range(1000).all(i, self.exists(x, x == '0'))";
    expect(validateRules(listOf(rule), list, { isResourceRoot: false }).errors).toEqual([]);
    expect(reads()).toBeGreaterThanOrEqual(1000);
    expect(reads()).toBeLessThan(3000);
  });

  it.each(["self.distinct().size() > 0", "self.sort().size() > 0", "sets.contains(self, self)"])(
    "is known before a function compares each element with each: %s",
    (rule) => {
      const { list, reads } = counted(2000);
      const { errors } = validateRules(listOf(rule), list, { isResourceRoot: false });
      expect(errors[0]?.detail).toContain("actual cost limit exceeded");
      // The walk to the rules below reads each item once.
      expect(reads()).toBeLessThan(10);
    },
  );
});

describe("the time of a rule", () => {
  // Each look at the clock takes 20 milliseconds, and each pause a minute.
  it("ends at two seconds, without those of others in its pauses", async () => {
    const state = { now: 0, looks: 0 };
    const nowMs = (): number => {
      state.looks += 1;
      return (state.now += 20);
    };
    const pause = async (): Promise<void> => {
      state.now += 60_000;
      await Promise.resolve();
    };
    const errorsOf = async (elements: number): Promise<readonly string[]> => {
      state.looks = 0;
      const rule = `lists.range(${elements}).all(i, i >= 0)`;
      const schema = { type: "string", "x-kubernetes-validations": [{ rule }] };
      const { errors } = await validateRulesInTurns(schema, "a", { isResourceRoot: false, turns: { nowMs, pause } });
      return errors.map(({ detail }) => detail);
    };
    expect(await errorsOf(1600)).toEqual([]);
    expect(await errorsOf(10_000)).toEqual([expect.stringContaining("actual cost limit exceeded")]);
    expect(state.looks).toBeGreaterThan(100);
    expect(state.looks).toBeLessThan(200);
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
