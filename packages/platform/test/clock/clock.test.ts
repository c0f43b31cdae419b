import { afterEach, describe, expect, it, vi } from "vitest";

import { onAbort } from "../../src/clock/abort.ts";
import { realClock, sleep } from "../../src/clock/clock.ts";
import { FakeClock } from "../../src/clock/fake-clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the machine's clock", () => {
  it("delays longer than Node's timers can count are waited out", () => {
    vi.useFakeTimers();
    const days = 86_400_000;
    let isCalled = false;
    realClock.setTimeout(() => {
      isCalled = true;
    }, 60 * days);
    vi.advanceTimersByTime(60 * days - 1);
    expect(isCalled).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isCalled).toBe(true);
  });

  it("a cancelled timer never fires, also in its second leg", () => {
    vi.useFakeTimers();
    let calls = 0;
    const timer = realClock.setTimeout(() => {
      calls += 1;
    }, 2 ** 32);
    vi.advanceTimersByTime(2 ** 31);
    timer.cancel();
    vi.advanceTimersByTime(2 ** 33);
    expect(calls).toBe(0);
  });
});

describe("a fake clock", () => {
  it("runs callbacks in the order of their time, ties in order of scheduling, each at its own time", async () => {
    const clock = new FakeClock(1000);
    const calls: string[] = [];
    const note = (name: string) => () => {
      calls.push(`${name}@${String(clock.now())}`);
    };
    clock.setTimeout(note("late"), 20);
    clock.setTimeout(note("early"), 10);
    clock.setTimeout(note("tie"), 10);
    clock.setTimeout(() => {
      clock.setTimeout(note("nested"), 5);
    }, 10);
    clock.setTimeout(note("never"), 15).cancel();
    await clock.advance(20);
    expect(calls).toEqual(["early@1010", "tie@1010", "nested@1015", "late@1020"]);
    expect([clock.now(), clock.monotonic(), clock.pendingTimers]).toEqual([1020, 20, 0]);
  });

  it("promises resolve between two callbacks", async () => {
    const clock = new FakeClock();
    const calls: string[] = [];
    const loop = (async () => {
      for (let round = 0; round < 3; round += 1) {
        await sleep(clock, 10);
        calls.push(`round ${String(round)} at ${String(clock.monotonic())}`);
      }
    })();
    await clock.advance(30);
    await loop;
    expect(calls).toEqual(["round 0 at 10", "round 1 at 20", "round 2 at 30"]);
  });
});

describe("sleeping", () => {
  it("an abort ends it with the reason and takes the timer away", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const slept = sleep(clock, 1000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(slept).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(0);
    await expect(sleep(clock, 1000, controller.signal)).rejects.toThrow("enough");
  });

  it("an abort listener runs once, immediately after the abort, and never after its removal", () => {
    const controller = new AbortController();
    let calls = 0;
    const count = (): void => {
      calls += 1;
    };
    onAbort(controller.signal, count);
    onAbort(controller.signal, count)();
    onAbort(undefined, count)();
    controller.abort();
    expect(calls).toBe(1);
    onAbort(controller.signal, count);
    expect(calls).toBe(2);
  });
});
