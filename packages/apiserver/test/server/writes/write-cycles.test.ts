import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CYCLE_ROUNDS, periodOf } from "../../../src/server/writes/write-cycles.ts";

describe("periodOf", () => {
  const label = fc.constantFrom("a", "b", "c");

  it("finds a sequence that repeats, whatever was before it", () => {
    fc.assert(
      fc.property(fc.array(label), fc.array(label, { minLength: 1, maxLength: 8 }), (before, round) => {
        const period = periodOf([...before, ...Array.from({ length: CYCLE_ROUNDS }, () => round).flat()]);
        expect(period).toBeLessThanOrEqual(round.length);
      }),
    );
  });

  it("finds only sequences that do repeat", () => {
    fc.assert(
      fc.property(fc.array(label, { maxLength: 60 }), (labels) => {
        const period = periodOf(labels);
        if (period === undefined) return;
        const last = labels.slice(-period * CYCLE_ROUNDS);
        expect(last.slice(period)).toEqual(last.slice(0, -period));
        expect(last).toHaveLength(period * CYCLE_ROUNDS);
      }),
      { numRuns: 2000 },
    );
  });

  it("finds none while each label is new", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { maxLength: 60 }), (numbers) => {
        expect(periodOf(numbers.map(String))).toBeUndefined();
      }),
    );
  });
});
