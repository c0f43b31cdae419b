import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepClone, deepFreeze } from "../../src/json/json-value.ts";
import { EndlessValueError } from "../../src/json/levels.ts";
import {
  parseLosslessJson,
  parseServerJson,
  printLosslessJson,
  printServerJson,
} from "../../src/json/lossless-json.ts";
import { printDeepJson } from "../../src/json/print-deep-json.ts";

// Keys such as __proto__ and toString, dates, wrapper objects, sparse lists, and values without a JSON form.
const anything = fc.anything({
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "constructor", "length")),
  withBoxedValues: true,
  withDate: true,
  withNullPrototype: true,
  withSparseArray: true,
});

const json = fc.jsonValue({ depthSize: "large" }).filter((value) => !/\d{16}/u.test(JSON.stringify(value)));

// Around the level at which functions stop calling themselves, and beyond the limits of JSON.stringify and structuredClone.
const LEVELS = [198, 199, 200, 201, 399, 400, 401, 10_000] as const;
// Names of digits would come before others.
const name = fc.oneof(
  fc.string().map((text) => `n${text}`),
  fc.constantFrom("__proto__", "[]", "[]"),
);
const atLevel = fc.record({
  value: json,
  levels: fc.constantFrom(...LEVELS),
  names: fc.array(name, { minLength: 1, maxLength: 3 }),
});

/** Nests a text of JSON in objects with members of these names; `[]` stands for a list. */
function nested(text: string, levels: number, names: readonly string[]): string {
  const [opened, closed]: [string[], string[]] = [[], []];
  for (let level = 0; level < levels; level += 1) {
    const name = names[level % names.length] ?? "[]";
    opened.push(name === "[]" ? "[0," : `{"before":1,${JSON.stringify(name)}:`);
    closed.push(name === "[]" ? "]" : "}");
  }
  return opened.join("") + text + closed.toReversed().join("");
}

/** Returns the value that {@link nested} has put into others. */
function innermost(value: unknown, levels: number): unknown {
  let inner = value;
  for (let level = 0; level < levels; level += 1) inner = Object.values(inner as object)[1] as unknown;
  return inner;
}

describe("printing JSON", () => {
  it("gives the text of JSON.stringify for any value", () => {
    fc.assert(
      fc.property(anything, fc.nat(4), (value, space) => {
        let expected: string | undefined;
        try {
          expected = JSON.stringify(value, undefined, space);
        } catch {
          // A member toJSON that is no function, a bigint, or a symbol in a list may be refused.
          return;
        }
        expect(printDeepJson(value, space)).toBe(expected);
      }),
    );
  });

  it("gives a text of any number of levels as it was parsed", () => {
    fc.assert(
      fc.property(atLevel, ({ value, levels, names }) => {
        const text = nested(JSON.stringify(value), levels, names);
        const parsed: unknown = JSON.parse(text);
        expect(printDeepJson(parsed) === text).toBe(true);
        expect(printServerJson(parsed) === text).toBe(true);
        expect(printLosslessJson(parsed) === text).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("indents at most 100 levels", () => {
    const lines = printServerJson(JSON.parse(nested("1", 5000, ["a", "[]"])), 2).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
    const compact = lines.map((line) => line.trim().replace(/: /u, ":")).join("");
    expect(compact === nested("1", 5000, ["a", "[]"])).toBe(true);
  });

  it("fails for a value that contains itself", () => {
    const value: Record<string, unknown> = {};
    value["self"] = [value];
    expect(() => printDeepJson(value)).toThrow(EndlessValueError);
    expect(() => printLosslessJson(value)).toThrow(TypeError);
  });
});

describe("parsing JSON", () => {
  it("gives the value of JSON.parse if there is no long integer", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
        expect(parseServerJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("finds long integers at any level, and prints them again", () => {
    fc.assert(
      fc.property(atLevel, fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), ({ levels, names }, integer) => {
        const text = nested(`{"id":${String(integer)},"same":["${String(integer)}"]}`, levels, names);
        for (const parse of [parseLosslessJson, parseServerJson]) {
          const parsed = parse(text);
          expect(innermost(parsed, levels)).toEqual({ id: integer, same: [String(integer)] });
          expect(printLosslessJson(parsed) === text).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("copying and freezing", () => {
  it("gives a copy like structuredClone", () => {
    const cloneable = fc.anything({
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withBigInt: true,
    });
    fc.assert(
      fc.property(cloneable, (value) => {
        expect(deepClone(value)).toEqual(structuredClone(value));
      }),
    );
  });

  it("copies and freezes any number of levels, and shares no part", () => {
    fc.assert(
      fc.property(atLevel, ({ value, levels, names }) => {
        const text = nested(JSON.stringify(value), levels, names);
        const original: unknown = JSON.parse(text);
        const copy = deepClone(deepFreeze(original));
        expect(printDeepJson(copy) === text).toBe(true);
        for (let part = copy, other = original, level = 0; level < levels; level += 1) {
          if (part === other || Object.isFrozen(part) || !Object.isFrozen(other)) throw new Error(`shared at ${level}`);
          part = Object.values(part as object)[1] as unknown;
          other = Object.values(other as object)[1] as unknown;
        }
      }),
      { numRuns: 50 },
    );
  });

  it("fails for a value that contains itself", () => {
    const value: Record<string, unknown> = {};
    value["self"] = [value];
    expect(() => deepClone(value)).toThrow(EndlessValueError);
    expect(Object.isFrozen(deepFreeze(value))).toBe(true);
  });
});
