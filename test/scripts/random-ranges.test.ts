import { describe, expect, it } from "vitest";

import { importScript } from "../support/import-script.ts";

interface Range {
  readonly test: string;
  readonly minor: string;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface RandomRanges {
  readonly nextSeed: (recorded: readonly Range[], place: Pick<Range, "test" | "minor">) => number;
  readonly countOf: (recorded: readonly Range[], place: Pick<Range, "test" | "minor">) => number;
  readonly withRange: (recorded: readonly Range[], range: Pick<Range, "test" | "minor" | "from">) => readonly Range[];
}

const { nextSeed, countOf, withRange } = await importScript<RandomRanges>("random-ranges.mjs");

const NEWEST = { test: "differential", minor: "1.37" };

describe("the ranges of seeds that have passed", () => {
  it("start with seed 1, and continue after the last one", () => {
    const first = withRange([], { ...NEWEST, from: nextSeed([], NEWEST) });
    expect(first).toEqual([{ ...NEWEST, from: 1, to: 25, count: 10_000 }]);
    expect(nextSeed(first, NEWEST)).toBe(26);
    const second = withRange(first, { ...NEWEST, from: 26 });
    expect(second).toEqual([{ ...NEWEST, from: 1, to: 50, count: 20_000 }]);
    expect(countOf(second, NEWEST)).toBe(20_000);
  });

  it("are those of one test and one minor version", () => {
    const ranges = [NEWEST, { test: "validation", minor: "1.35" }, { ...NEWEST, minor: "1.35" }].reduce<
      readonly Range[]
    >((all, place) => withRange(all, { ...place, from: nextSeed(all, place) }), []);
    expect(ranges).toEqual([
      { ...NEWEST, minor: "1.35", from: 1, to: 25, count: 10_000 },
      { ...NEWEST, from: 1, to: 25, count: 10_000 },
      { test: "validation", minor: "1.35", from: 1, to: 1, count: 5000 },
    ]);
  });

  it("stay apart where seeds between them were not run", () => {
    const ranges = withRange([{ ...NEWEST, from: 1, to: 5, count: 2000 }], { ...NEWEST, from: 11 });
    expect(ranges.map(({ from, to }) => [from, to])).toEqual([
      [1, 5],
      [11, 35],
    ]);
  });
});
