import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { realClock } from "../../src/clock/clock.ts";

const DAY_MS = 86_400_000;

describe("the clock of the machine", () => {
  let nowMs = 0;
  const callback = vi.fn<() => void>();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    nowMs = 1_000_000;
    vi.spyOn(Date, "now").mockImplementation(() => nowMs);
    callback.mockReset();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("calls back when the wall clock shows that the delay is over, also if the timer fires before", () => {
    realClock.setTimeout(callback, 15_000);
    nowMs += 14_999;
    vi.advanceTimersByTime(15_000);
    expect(callback).not.toHaveBeenCalled();
    nowMs += 1;
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
  });

  it("does not wait for a wall clock that was set back", () => {
    realClock.setTimeout(callback, 15_000);
    nowMs -= DAY_MS;
    vi.advanceTimersByTime(15_000);
    expect(callback).toHaveBeenCalledOnce();
  });

  it("does not call back after a cancellation, also between two timers", () => {
    const timer = realClock.setTimeout(callback, 15_000);
    nowMs += 14_999;
    vi.advanceTimersByTime(15_000);
    timer.cancel();
    nowMs += DAY_MS;
    vi.advanceTimersByTime(DAY_MS);
    expect(callback).not.toHaveBeenCalled();
  });

  it("waits longer than timers of Node.js can", () => {
    realClock.setTimeout(callback, 60 * DAY_MS);
    nowMs += 60 * DAY_MS - 1;
    vi.advanceTimersByTime(60 * DAY_MS - 1);
    expect(callback).not.toHaveBeenCalled();
    nowMs += 1;
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
  });
});
