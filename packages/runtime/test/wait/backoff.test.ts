import { FakeClock } from "@kubescaffold/platform/clock";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Backoff, delayFunction, delayWithReset, jitter, step } from "../../src/wait/backoff.ts";

function delays(backoff: Backoff, count: number): readonly number[] {
  const next = delayFunction(backoff);
  return Array.from({ length: count }, next);
}

describe("backoffs", () => {
  // Recorded from Backoff.DelayFunc of apimachinery 0.37.1.
  it.each<[string, Backoff, readonly number[]]>([
    ["a factor of 1", { steps: 5, durationMs: 10, factor: 1 }, [10, 10, 10, 10, 10, 10, 10]],
    ["growth until the steps are used up", { steps: 4, durationMs: 10, factor: 5 }, [10, 50, 250, 1250, 6250, 6250]],
    ["growth up to the cap", { steps: 10, durationMs: 10, factor: 3, capMs: 100 }, [10, 30, 90, 100, 100, 100]],
    ["a delay equal to the cap", { steps: 10, durationMs: 10, factor: 2, capMs: 40 }, [10, 20, 40, 40, 40]],
    ["no steps", { durationMs: 10, factor: 3 }, [10, 10, 10]],
    ["no factor", { steps: 3, durationMs: 10 }, [10, 10, 10, 10, 10]],
    ["a factor below 1", { steps: 3, durationMs: 10, factor: 0.5 }, [10, 5, 2.5, 1.25, 1.25]],
    ["a cap below the first delay", { steps: 3, durationMs: 10, factor: 2, capMs: 5 }, [10, 5, 5]],
  ])("%s gives upstream's delays", (_, backoff, expected) => {
    expect(delays(backoff, expected.length)).toEqual(expected);
  });

  it("reaching the cap uses up the steps", () => {
    expect(step({ durationMs: 10, steps: 9, factor: 2, capMs: 15 }).next).toMatchObject({ durationMs: 15, steps: 0 });
  });

  it("a step does not change its argument", () => {
    const backoff = Object.freeze({ durationMs: 10, steps: 3, factor: 2, jitter: 1 });
    expect(step(backoff, () => 0.5)).toEqual({ delayMs: 15, next: { durationMs: 20, steps: 2, factor: 2, jitter: 1 } });
  });

  it("delays follow the powers of the factor up to the cap, plus at most the jitter", () => {
    const backoffs = fc.record({
      durationMs: fc.integer({ min: 1, max: 1000 }),
      factor: fc.constantFrom(1, 1.5, 2, 3, 5),
      steps: fc.integer({ min: 0, max: 12 }),
      capMs: fc.integer({ min: 0, max: 100_000 }),
      jitter: fc.constantFrom(0, 0.1, 1, 2),
    });
    fc.assert(
      fc.property(backoffs, fc.double({ min: 0, max: 0.999, noNaN: true }), (backoff, random) => {
        const next = delayFunction(backoff, () => random);
        for (let attempt = 0; attempt < 15; attempt += 1) {
          const expected = modelDelay(backoff, attempt) * (1 + backoff.jitter * random);
          expect(next()).toBeCloseTo(expected, 6);
        }
      }),
    );
  });

  it.each([
    [0.5, 125],
    [0, 200],
    [-1, 200],
  ])("a jitter of %d adds at most that fraction, and 0 or less counts as 1", (maximalFactor, expected) => {
    expect(jitter(100, maximalFactor, () => (maximalFactor > 0 ? 0.5 : 1))).toBe(expected);
  });
});

// The delay of an attempt without state: the power of the factor, where the first delay may exceed the cap.
function modelDelay({ durationMs, factor = 0, steps = 0, capMs = 0 }: Backoff, attempt: number): number {
  const grown = durationMs * factor ** Math.min(attempt, steps);
  return capMs > 0 && attempt > 0 && steps > 0 ? Math.min(grown, capMs) : grown;
}

describe("backoffs that start over", () => {
  const BACKOFF: Backoff = { steps: 5, durationMs: 10, factor: 2 };

  it("delays grow until more than the interval has passed", () => {
    const clock = new FakeClock();
    const next = delayWithReset(BACKOFF, { clock, resetIntervalMs: 1000 });
    expect([next(), next(), next()]).toEqual([10, 20, 40]);
    clock.step(1000);
    expect(next()).toBe(80);
    clock.step(1);
    expect([next(), next()]).toEqual([10, 20]);
  });

  it("an interval of 0 keeps the first delay", () => {
    const next = delayWithReset(BACKOFF, { clock: new FakeClock(), resetIntervalMs: 0 });
    expect([next(), next(), next()]).toEqual([10, 10, 10]);
  });
});
