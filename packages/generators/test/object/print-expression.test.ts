import { describe, expect, it } from "vitest";

import { type Expression, printExpression } from "../../src/object/print-expression.ts";

const text = (value: string): Expression => ({ kind: "value", value });
const list = (...items: readonly Expression[]): Expression => ({ kind: "list", items });
const record = (entries: Readonly<Record<string, Expression>>, spread?: string): Expression => ({
  kind: "record",
  entries: Object.entries(entries),
  ...(spread === undefined ? {} : { spread }),
});

function print(expression: Expression, indent = 0): string {
  return printExpression(expression, { indent });
}

describe("printing an expression", () => {
  it("keeps what is short on one line, and quotes only keys that need it", () => {
    expect(print(record({ type: text("a"), "x-y": list(), z: record({}) }))).toBe('{ type: "a", "x-y": [], z: {} }');
  });

  it("breaks what is wider than 120 columns, whatever is before it counted", () => {
    const wide = record({ a: text("x".repeat(100)) });
    expect(print(wide, 8)).toBe(`{ a: "${"x".repeat(100)}" }`);
    expect(print(wide, 12)).toBe(`{\n${" ".repeat(14)}a: "${"x".repeat(100)}",\n${" ".repeat(12)}}`);
  });

  it("gives a text that is too long for the line of its key the next one", () => {
    const long = "x".repeat(120);
    expect(print(record({ key: text(long) }))).toBe(`{\n  key:\n    "${long}",\n}`);
  });

  it("gives each of several objects in a list its own lines", () => {
    const pair = record({ a: text("1"), b: text("2") });
    expect(print(list(pair, pair))).toBe('[\n  { a: "1", b: "2" },\n  { a: "1", b: "2" },\n]');
    expect(print(list(pair))).toBe('[{ a: "1", b: "2" }]');
  });

  it("fills lines with numbers", () => {
    const numbers = Array.from({ length: 30 }, (_, index): Expression => ({ kind: "value", value: 1_000_000 + index }));
    const lines = print(list(...numbers)).split("\n");
    expect(lines.length).toBeLessThan(7);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("begins an object with what it takes from another", () => {
    expect(print(record({ a: text("1") }, "Other.schema"))).toBe('{ ...Other.schema, a: "1" }');
  });

  it.each([
    ['say "hi"', `'say "hi"'`],
    [`it's "x"`, String.raw`'it\'s "x"'`],
    ["grün\t", String.raw`"gr\u00fcn\t"`],
    ["🎉", String.raw`"\ud83c\udf89"`],
  ])("writes %j as %s", (value, code) => {
    expect(print(text(value))).toBe(code);
  });

  it("writes integers beyond 2^53 as JavaScript reads them", () => {
    expect(print({ kind: "value", value: 9_007_199_254_740_993n })).toBe("9007199254740992");
  });
});
