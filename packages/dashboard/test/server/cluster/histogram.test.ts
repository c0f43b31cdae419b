import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addBuckets, type Buckets, bucketsSince, countOf, quantileOf } from "../../../src/server/cluster/histogram.ts";

const INFINITE = Number.POSITIVE_INFINITY;
const BOUNDS = [0.01, 0.1, 1, INFINITE];

/** Counts values as a histogram does. */
function histogramOf(values: readonly number[]): Buckets {
  return new Map(BOUNDS.map((bound) => [bound, values.filter((value) => value <= bound).length]));
}

describe("quantileOf", () => {
  it("spreads observations evenly in their bucket", () => {
    const buckets = histogramOf([0.05, 0.05, 0.5, 0.5]);
    expect(quantileOf(buckets, 0.25)).toBeCloseTo(0.055);
    expect(quantileOf(buckets, 0.5)).toBeCloseTo(0.1);
    expect(quantileOf(buckets, 0.75)).toBeCloseTo(0.55);
    expect(quantileOf(buckets, 1)).toBe(1);
  });

  it("returns the largest bound for observations beyond it", () => {
    expect(quantileOf(histogramOf([5, 6, 7]), 0.9)).toBe(1);
  });

  it("returns nothing without observations", () => {
    expect(quantileOf(histogramOf([]), 0.5)).toBeUndefined();
    expect(quantileOf(new Map(), 0.5)).toBeUndefined();
  });

  it("is in the bucket of the observation with that rank, and never falls", () => {
    const value = fc.double({ min: 0, max: 2, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (values) => {
        const buckets = histogramOf(values);
        const sorted = values.toSorted((left, right) => left - right);
        let before = 0;
        for (const quantile of [0.1, 0.5, 0.9, 0.99, 1]) {
          const found = quantileOf(buckets, quantile) ?? Number.NaN;
          const exact = sorted[Math.ceil(quantile * sorted.length) - 1] ?? 0;
          const upper = BOUNDS.find((bound) => exact <= bound) ?? INFINITE;
          const lower = BOUNDS[BOUNDS.indexOf(upper) - 1] ?? 0;
          expect(found).toBeGreaterThanOrEqual(Math.max(lower, before) - 1e-9);
          expect(found).toBeLessThanOrEqual((upper === INFINITE ? 1 : upper) + 1e-9);
          before = found;
        }
      }),
    );
  });
});

describe("histograms over time and replicas", () => {
  it("count what came since an earlier state, and everything after a restart", () => {
    const before = histogramOf([0.05]);
    expect(bucketsSince(histogramOf([0.05, 0.5]), before)).toEqual(histogramOf([0.5]));
    expect(bucketsSince(histogramOf([]), before)).toEqual(histogramOf([]));
    expect(bucketsSince(before, undefined)).toEqual(before);
  });

  it("are added, whatever else they count", () => {
    const sum = addBuckets([histogramOf([0.05]), new Map(), histogramOf([0.5, 5])]);
    expect(sum).toEqual(histogramOf([0.05, 0.5, 5]));
    expect(countOf(sum)).toBe(3);
    const others: Buckets = new Map([
      [1, 1],
      [INFINITE, 1],
    ]);
    expect(addBuckets([histogramOf([0.05]), others])).toEqual(
      new Map([
        [1, 2],
        [INFINITE, 2],
      ]),
    );
    expect(addBuckets([])).toEqual(new Map());
  });
});
