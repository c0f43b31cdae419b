import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { seededRandom } from "../src/seeded-random.ts";

const take = (random: () => number, count: number): readonly number[] => Array.from({ length: count }, random);

describe("seededRandom", () => {
  it("returns numbers from 0 up to 1 that depend on the seed and the occasion only", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.string()), fc.string(), (seed, occasion) => {
        const numbers = take(seededRandom(seed, occasion), 20);
        expect(numbers).toEqual(take(seededRandom(seed, occasion), 20));
        expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
        expect(take(seededRandom(seed, `${occasion}x`), 20)).not.toEqual(numbers);
      }),
    );
  });

  it("spreads its numbers evenly", () => {
    const counts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (const number of take(seededRandom(1, "spread"), 10_000)) counts[Math.floor(number * 10)]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThan(1100);
  });
});
