import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { withCallScope } from "../../src/log/call-scope.ts";
import { silentLogger } from "../../src/log/logger.ts";
import type { Backoff } from "../../src/wait/backoff.ts";
import { interrupted, WaitTimeoutError } from "../../src/wait/errors.ts";
import { backoffUntil, delayUntil, jitterUntil } from "../../src/wait/loop.ts";
import { exponentialBackoffWithContext, pollUntilContextCancel, pollUntilContextTimeout } from "../../src/wait/poll.ts";

const REASON = new Error("the test has seen enough");

/** Records the times of checks, in milliseconds since the start. */
function recorder(clock: FakeClock, isDone: (checks: number) => boolean | Promise<boolean> = () => false) {
  const times: number[] = [];
  const check = async (): Promise<boolean> => {
    times.push(clock.monotonic());
    return await isDone(times.length);
  };
  return { times, check };
}

/** Advances the clock until a wait has ended, and returns its error. */
async function endOf(clock: FakeClock, wait: Promise<void>): Promise<unknown> {
  const state = { hasEnded: false };
  const ended = Promise.allSettled([wait]).then(([result]) => {
    state.hasEnded = true;
    return result.status === "rejected" ? (result.reason as unknown) : undefined;
  });
  await clock.advance(0);
  for (let turn = 0; turn < 1000 && !state.hasEnded; turn += 1) {
    await clock.advance(clock.nextDelayMs ?? 0);
  }
  return await ended;
}

describe("polls", () => {
  it("the first check comes after the first interval", async () => {
    const clock = new FakeClock();
    const { times, check } = recorder(clock, (checks) => checks === 3);
    expect(await endOf(clock, pollUntilContextCancel({ intervalMs: 100, clock }, check))).toBeUndefined();
    expect(times).toEqual([100, 200, 300]);
    expect(clock.pendingTimers).toBe(0);
  });

  // Recorded from PollUntilContextCancel of apimachinery 0.37.1.
  it("a slow check is followed by the next one immediately, then by the regular ticks", async () => {
    const clock = new FakeClock();
    const slow = async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, 250);
      });
    };
    const { times, check } = recorder(clock, async (checks) => {
      await (checks === 2 ? slow() : undefined);
      return checks === 6;
    });
    await endOf(clock, pollUntilContextCancel({ intervalMs: 100, immediate: true, clock }, check));
    expect(times).toEqual([0, 100, 350, 400, 500, 600]);
  });

  it("an aborted poll checks once if it is immediate, and never otherwise", async () => {
    const clock = new FakeClock();
    const { times, check } = recorder(clock);
    const options = { intervalMs: 10, clock, signal: AbortSignal.abort(REASON) };
    expect(await endOf(clock, pollUntilContextCancel({ ...options, immediate: true }, check))).toBe(REASON);
    expect(times).toEqual([0]);
    expect(await endOf(clock, pollUntilContextCancel(options, check))).toBe(REASON);
    expect(times).toEqual([0]);
  });

  it("a failing check ends the poll with its error", async () => {
    const clock = new FakeClock();
    const failing = (): boolean => {
      throw REASON;
    };
    const error = await endOf(clock, pollUntilContextTimeout({ intervalMs: 10, timeoutMs: 50, clock }, failing));
    expect(error).toBe(REASON);
    expect(interrupted(error)).toBe(false);
    expect(clock.pendingTimers).toBe(0);
  });

  it("the timeout ends the poll with its own error, and aborts the signal of the check", async () => {
    const clock = new FakeClock();
    let seen: AbortSignal | undefined;
    const error = await endOf(
      clock,
      pollUntilContextTimeout({ intervalMs: 100, timeoutMs: 250, clock }, (signal) => {
        seen = signal;
        return false;
      }),
    );
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({ code: "WAIT_TIMEOUT" });
    expect(seen?.reason).toBe(error);
    expect(clock.monotonic()).toBe(250);
    expect(interrupted(error)).toBe(true);
  });

  it("the signal's reason is distinguished from the timeout", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const wait = pollUntilContextTimeout(
      { intervalMs: 100, timeoutMs: 250, clock, signal: controller.signal },
      () => false,
    );
    controller.abort(REASON);
    const error = await endOf(clock, wait);
    expect(error).toBe(REASON);
    expect([interrupted(error), interrupted(error, controller.signal)]).toEqual([false, true]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("a timeout of 0 checks once if the poll is immediate", async () => {
    const clock = new FakeClock();
    const { times, check } = recorder(clock);
    const options = { intervalMs: 100, timeoutMs: 0, clock };
    expect(await endOf(clock, pollUntilContextTimeout({ ...options, immediate: true }, check))).toBeInstanceOf(
      WaitTimeoutError,
    );
    expect(times).toEqual([0]);
  });

  it("a poll in a reconcile ends with the signal of the reconcile", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const wait = withCallScope({ signal: controller.signal, log: silentLogger }, () =>
      pollUntilContextCancel({ intervalMs: 100, clock }, () => false),
    );
    controller.abort(REASON);
    expect(await endOf(clock, wait)).toBe(REASON);
  });
});

describe("waits with a backoff", () => {
  // Recorded from ExponentialBackoffWithContext of apimachinery 0.37.1: checks, and the time until the error.
  it.each<[string, Backoff, readonly number[], number]>([
    ["no steps", { durationMs: 10 }, [], 0],
    ["one step", { durationMs: 10, steps: 1 }, [0], 0],
    ["four steps", { durationMs: 10, steps: 4, factor: 5 }, [0, 10, 60, 310], 310],
    ["a cap", { durationMs: 10, steps: 10, factor: 3, capMs: 100 }, [0, 10, 40], 130],
    ["a cap that a delay equals", { durationMs: 10, steps: 10, factor: 2, capMs: 40 }, [0, 10, 30], 70],
    ["a cap below the first delay", { durationMs: 10, steps: 3, factor: 2, capMs: 5 }, [0], 10],
  ])("%s checks as often as upstream, then times out", async (_, backoff, expected, endsAt) => {
    const clock = new FakeClock();
    const { times, check } = recorder(clock);
    expect(await endOf(clock, exponentialBackoffWithContext(backoff, check, { clock }))).toBeInstanceOf(
      WaitTimeoutError,
    );
    expect(times).toEqual(expected);
    expect(clock.monotonic()).toBe(endsAt);
  });

  it("the signal ends the delay with its reason", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const { times, check } = recorder(clock);
    const wait = exponentialBackoffWithContext({ durationMs: 1000, steps: 3 }, check, {
      clock,
      signal: controller.signal,
    });
    await clock.advance(0);
    controller.abort(REASON);
    expect(await endOf(clock, wait)).toBe(REASON);
    expect([times, clock.pendingTimers]).toEqual([[0], 0]);
  });
});

describe("loops", () => {
  it("a loop with delays of a function takes each delay from it", async () => {
    const clock = new FakeClock();
    const { times, check } = recorder(clock, (checks) => checks === 4);
    const delays = [5, 10, 20, 40];
    await endOf(
      clock,
      delayUntil(() => delays.shift() ?? 0, check, { clock, immediate: true }),
    );
    expect(times).toEqual([0, 5, 15, 35]);
  });

  it.each([
    [true, [0, 130, 260]],
    [false, [0, 100, 200]],
  ])("a run of 30 ms with sliding %s and a period of 100 ms", async (sliding, expected) => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const { times, check } = recorder(clock);
    const run = async (): Promise<void> => {
      await check();
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, 30);
      });
      if (times.length === 3) controller.abort(REASON);
    };
    const wait = jitterUntil(run, { periodMs: 100, sliding, clock, signal: controller.signal });
    expect(await endOf(clock, wait)).toBeUndefined();
    expect(times).toEqual(expected);
  });

  it("jitter adds to each period", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const { times, check } = recorder(clock);
    const run = async (): Promise<void> => {
      await check();
      if (times.length === 3) controller.abort(REASON);
    };
    const options = { periodMs: 100, jitterFactor: 0.5, random: () => 0.5, clock, signal: controller.signal };
    await endOf(clock, jitterUntil(run, options));
    expect(times).toEqual([0, 125, 250]);
  });

  it("a loop that was aborted before it started does not run", async () => {
    const { times, check } = recorder(new FakeClock());
    await backoffUntil(async () => void (await check()), { delay: () => 10, signal: AbortSignal.abort(REASON) });
    expect(times).toEqual([]);
  });

  it("a failing run ends the loop with its error", async () => {
    const clock = new FakeClock();
    const failing = (): void => {
      throw REASON;
    };
    expect(await endOf(clock, backoffUntil(failing, { delay: () => 10, clock }))).toBe(REASON);
  });
});
