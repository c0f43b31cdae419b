import { describe, expect, it } from "vitest";

import { FakeClock } from "../../src/clock/fake-clock.ts";
import { IdleTimer } from "../../src/clock/idle-timer.ts";

describe("an idle timer", () => {
  it("calls back once when nothing has happened for its time", async () => {
    const clock = new FakeClock();
    let calls = 0;
    const timer = new IdleTimer(clock, 1000, () => (calls += 1));
    await clock.advance(999);
    timer.touch();
    await clock.advance(999);
    expect(calls).toBe(0);
    await clock.advance(1);
    expect(calls).toBe(1);
    await clock.advance(10_000);
    expect(calls).toBe(1);
  });

  it("has one timer, regardless of the number of events", async () => {
    const clock = new FakeClock();
    const timer = new IdleTimer(clock, 1000, () => undefined);
    for (let index = 0; index < 100; index += 1) {
      timer.touch();
      await clock.advance(100);
      expect(clock.pendingTimers).toBe(1);
    }
  });

  it("does not call back when it was stopped", async () => {
    const clock = new FakeClock();
    let calls = 0;
    const timer = new IdleTimer(clock, 1000, () => (calls += 1));
    await clock.advance(500);
    timer.stop();
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(5000);
    expect(calls).toBe(0);
  });
});
