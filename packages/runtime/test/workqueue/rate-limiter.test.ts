import { readFileSync } from "node:fs";

import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import {
  bucketRateLimiter,
  itemExponentialFailureRateLimiter,
  itemFastSlowRateLimiter,
  maxOfRateLimiter,
  withMaxWaitRateLimiter,
} from "../../src/workqueue/rate-limiter.ts";

interface Trace {
  readonly exponentialMs: readonly number[];
  readonly fastSlowMs: readonly number[];
}

const trace = JSON.parse(readFileSync(new URL("recorded/go-trace.json", import.meta.url), "utf8")) as Trace;

describe("itemExponentialFailureRateLimiter", () => {
  it("row 5: delays double from 5 ms, the 18th is 655.36 s, the 19th and later 1000 s", () => {
    const limiter = itemExponentialFailureRateLimiter<string>();
    const delays = Array.from({ length: 25 }, () => limiter.when("a"));
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays[17]).toBe(655_360);
    expect(delays.slice(18)).toEqual(Array.from({ length: 7 }, () => 1_000_000));
  });

  it("gives the delays that client-go gives", () => {
    const limiter = itemExponentialFailureRateLimiter<string>();
    expect(trace.exponentialMs.map(() => limiter.when("a"))).toEqual(trace.exponentialMs);
  });

  it("clamps to the longest delay however often an item failed", () => {
    const limiter = itemExponentialFailureRateLimiter<string>();
    for (let failure = 0; failure < 5000; failure += 1) limiter.when("a");
    expect(limiter.when("a")).toBe(1_000_000);
    expect(limiter.numRequeues("a")).toBe(5001);
  });

  it("never delays with a base delay of zero, however often an item failed", () => {
    const limiter = itemExponentialFailureRateLimiter<string>({ baseDelayMs: 0 });
    expect(new Set(Array.from({ length: 3000 }, () => limiter.when("a")))).toEqual(new Set([0]));
  });

  it("counts each item by itself, equal requests as one, and starts again after forget", () => {
    const limiter = itemExponentialFailureRateLimiter<{ namespace: string; name: string }>();
    limiter.when({ namespace: "a", name: "b" });
    expect(limiter.when({ name: "b", namespace: "a" })).toBe(10);
    expect(limiter.when({ namespace: "a", name: "c" })).toBe(5);
    limiter.forget({ namespace: "a", name: "b" });
    expect(limiter.numRequeues({ namespace: "a", name: "b" })).toBe(0);
    expect(limiter.when({ namespace: "a", name: "b" })).toBe(5);
  });
});

describe("other limiters", () => {
  it("fast-slow gives the delays that client-go gives", () => {
    const limiter = itemFastSlowRateLimiter<string>({ fastDelayMs: 5, slowDelayMs: 10_000, maxFastAttempts: 3 });
    expect(trace.fastSlowMs.map(() => limiter.when("a"))).toEqual(trace.fastSlowMs);
  });

  it("a bucket passes its burst, then delays each additional item by another tenth of a second", () => {
    const clock = new FakeClock();
    const limiter = bucketRateLimiter<number>({ clock });
    const delays = Array.from({ length: 300 }, (_, index) => limiter.when(index));
    expect(delays.slice(0, 100).every((delay) => delay === 0)).toBe(true);
    expect(delays[100]).toBeCloseTo(100);
    expect(delays[299]).toBeCloseTo(20_000);
  });

  it("a bucket without a limit never delays", () => {
    const limiter = bucketRateLimiter<number>({ clock: new FakeClock(), qps: Number.POSITIVE_INFINITY, burst: 1 });
    expect([limiter.when(1), limiter.when(2), limiter.when(3)]).toEqual([0, 0, 0]);
  });

  it("a bucket fills up again with time, up to its burst", () => {
    const clock = new FakeClock();
    const limiter = bucketRateLimiter<number>({ clock, qps: 10, burst: 2 });
    for (let item = 0; item < 4; item += 1) limiter.when(item);
    clock.step(3_600_000);
    expect([limiter.when(1), limiter.when(2), limiter.when(3)]).toEqual([0, 0, 100]);
  });

  it("the longest of several delays counts, a cap shortens, forget reaches all", () => {
    const first = itemExponentialFailureRateLimiter<string>({ baseDelayMs: 1000 });
    const second = itemFastSlowRateLimiter<string>({ fastDelayMs: 1500, slowDelayMs: 1, maxFastAttempts: 1 });
    const limiter = withMaxWaitRateLimiter(maxOfRateLimiter(first, second), 3000);
    expect([limiter.when("a"), limiter.when("a"), limiter.when("a")]).toEqual([1500, 2000, 3000]);
    limiter.forget("a");
    expect([first.numRequeues("a"), second.numRequeues("a"), limiter.numRequeues("a")]).toEqual([0, 0, 0]);
  });
});
