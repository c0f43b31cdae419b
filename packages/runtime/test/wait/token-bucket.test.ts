import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { TokenBucketRateLimiter } from "../../src/wait/token-bucket.ts";

function limiterOf(qps: number, burst: number) {
  const clock = new FakeClock();
  return { clock, limiter: new TokenBucketRateLimiter({ qps, burst }, clock) };
}

describe("TokenBucketRateLimiter", () => {
  it("accepts a burst, and then one call per period", () => {
    const { clock, limiter } = limiterOf(2, 3);
    const accepted = (): readonly boolean[] => Array.from({ length: 5 }, () => limiter.tryAccept());
    expect(accepted()).toEqual([true, true, true, false, false]);
    clock.step(499);
    expect(limiter.tryAccept()).toBe(false);
    clock.step(1);
    expect([limiter.tryAccept(), limiter.tryAccept()]).toEqual([true, false]);
    clock.step(3_600_000);
    expect(accepted()).toEqual([true, true, true, false, false]);
  });

  it("accepts all calls without a limit", async () => {
    const { limiter } = limiterOf(Number.POSITIVE_INFINITY, 1);
    expect([limiter.tryAccept(), limiter.tryAccept(), limiter.tryAccept()]).toEqual([true, true, true]);
    await expect(Promise.all([limiter.wait(), limiter.wait(), limiter.wait()])).resolves.toHaveLength(3);
  });

  it("lets calls wait in order", async () => {
    const { clock, limiter } = limiterOf(2, 1);
    const passed: string[] = [];
    for (const name of ["a", "b", "c"]) void limiter.wait().then(() => passed.push(name));
    await clock.advance(499);
    expect(passed).toEqual(["a"]);
    await clock.advance(1);
    expect(passed).toEqual(["a", "b"]);
    expect(limiter.tryAccept()).toBe(false);
    await clock.advance(500);
    expect(passed).toEqual(["a", "b", "c"]);
  });

  it("does not count a call that its signal ends, and leaves no timer", async () => {
    const { clock, limiter } = limiterOf(1, 1);
    await limiter.wait();
    const abort = new AbortController();
    const waiting = limiter.wait(abort.signal).catch((error: unknown) => error);
    abort.abort("enough");
    expect(await waiting).toBe("enough");
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(1000);
    expect(limiter.tryAccept()).toBe(true);
  });
});
