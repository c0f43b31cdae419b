import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { defaultBackoff, defaultRetry, onError, retryOnConflict } from "../../src/retry/retry.ts";
import { WaitTimeoutError } from "../../src/wait/errors.ts";
import { statusError } from "../support/fake-server.ts";

async function drive<T>(clock: FakeClock, work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const state = { isDone: false };
  const settled = Promise.allSettled([work]).then(([result]) => {
    state.isDone = true;
    return result;
  });
  await clock.advance(0);
  for (let turn = 0; turn < 100 && !state.isDone; turn += 1) {
    await clock.advance(clock.nextDelayMs ?? 0);
  }
  return await settled;
}

const random = (): number => 0;
const conflict = (): Error => statusError(409, "Conflict");

describe("retries", () => {
  it("the defaults are upstream's", () => {
    expect(defaultRetry).toEqual({ steps: 5, durationMs: 10, factor: 1, jitter: 0.1 });
    expect(defaultBackoff).toEqual({ steps: 4, durationMs: 10, factor: 5, jitter: 0.1 });
  });

  it("a conflict is retried, and the result of the first success is returned", async () => {
    const clock = new FakeClock();
    let runs = 0;
    const update = (): string => {
      runs += 1;
      if (runs < 3) throw conflict();
      return "updated";
    };
    const result = await drive(clock, retryOnConflict(defaultBackoff, update, { clock, random }));
    expect(result).toEqual({ status: "fulfilled", value: "updated" });
    expect([runs, clock.monotonic()]).toEqual([3, 60]);
  });

  it("undefined is a result, too", async () => {
    const clock = new FakeClock();
    expect(
      await drive(
        clock,
        retryOnConflict(defaultRetry, () => undefined, { clock }),
      ),
    ).toMatchObject({
      status: "fulfilled",
    });
  });

  it("the last conflict is thrown unchanged when the steps are used up", async () => {
    const clock = new FakeClock();
    const errors: Error[] = [];
    const update = async (): Promise<never> => {
      errors.push(conflict());
      throw errors.at(-1) ?? conflict();
    };
    const result = await drive(clock, retryOnConflict(defaultBackoff, update, { clock, random }));
    expect(errors).toHaveLength(4);
    expect(result).toMatchObject({ status: "rejected" });
    expect((result as PromiseRejectedResult).reason).toBe(errors[3]);
  });

  it("any other error is thrown at once", async () => {
    const clock = new FakeClock();
    const error = statusError(409, "AlreadyExists");
    let runs = 0;
    const result = await drive(
      clock,
      retryOnConflict(
        defaultRetry,
        () => {
          runs += 1;
          throw error;
        },
        { clock },
      ),
    );
    expect([runs, (result as PromiseRejectedResult).reason]).toEqual([1, error]);
  });

  it("the signal ends the delay with its reason, not with the last error", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const reason = new Error("stopped");
    const work = onError(
      { steps: 3, durationMs: 1000 },
      () => true,
      () => Promise.reject(conflict()),
      {
        clock,
        signal: controller.signal,
      },
    );
    const settled = Promise.allSettled([work]);
    await clock.advance(0);
    controller.abort(reason);
    expect((await settled)[0]).toEqual({ status: "rejected", reason });
    expect(clock.pendingTimers).toBe(0);
  });

  it("a backoff without steps runs nothing and times out", async () => {
    let runs = 0;
    const work = onError(
      { durationMs: 10 },
      () => true,
      () => (runs += 1),
    );
    await expect(work).rejects.toBeInstanceOf(WaitTimeoutError);
    expect(runs).toBe(0);
  });
});
