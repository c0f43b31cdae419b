import { checkNumbers } from "@kubescaffold/k8s";
import { type Clock, onAbort, realClock, sleep } from "@kubescaffold/platform/clock";

import { type Backoff, type Random, step } from "./backoff.ts";
import { WaitTimeoutError } from "./errors.ts";
import { type Condition, fixedPace, loopUntil, type Pace, variablePace, type WaitOptions, waitSignal } from "./loop.ts";

/** Options of polls. */
export interface PollOptions extends WaitOptions {
  /** The time between two checks in milliseconds, including the check itself. */
  readonly intervalMs: number;
  /** Checks the condition once before the first interval, even if the signal has aborted. Default: false. */
  readonly immediate?: boolean;
}

/**
 * Checks a condition once per interval until it is true.
 *
 * Guarantees: a check that takes longer than the interval is followed by the next one immediately, and missed intervals are skipped.
 * Fails: with the error of the condition, or with the signal's reason.
 *
 * apimachinery: pkg/util/wait.PollUntilContextCancel
 */
export async function pollUntilContextCancel(options: PollOptions, condition: Condition): Promise<void> {
  const { clock = realClock, intervalMs, immediate = false } = options;
  checkNumbers("the poll", { intervalMs }, { intervalMs: "number" });
  await loopUntil(paceOf(intervalMs, clock), { clock, immediate, signal: waitSignal(options) }, condition);
}

function paceOf(intervalMs: number, clock: Clock): Pace {
  return intervalMs > 0 ? fixedPace(intervalMs, clock) : variablePace(() => 0, clock);
}

/**
 * Checks a condition once per interval until it is true, or a timeout has passed.
 *
 * Guarantees: the timeout aborts the signal that the condition receives.
 * Fails: with {@link WaitTimeoutError} after the timeout, with the signal's reason, or with the error of the condition.
 *
 * apimachinery: pkg/util/wait.PollUntilContextTimeout
 *
 * @example
 * await wait.pollUntilContextTimeout({ intervalMs: 1000, timeoutMs: 60_000, immediate: true }, async (signal) => {
 *   const job = await client.get(Job, { namespace: "default", name: "backup" }, { signal });
 *   return (job.status?.succeeded ?? 0) > 0;
 * });
 */
export async function pollUntilContextTimeout(
  options: PollOptions & {
    /** The longest time of the poll in milliseconds. */
    readonly timeoutMs: number;
  },
  condition: Condition,
): Promise<void> {
  const { clock = realClock, timeoutMs } = options;
  checkNumbers("the poll", { timeoutMs }, { timeoutMs: "number" });
  const deadline = new AbortController();
  const expire = (): void => deadline.abort(new WaitTimeoutError(`${String(timeoutMs / 1000)} s have passed`));
  const signal = waitSignal(options);
  const stopListening = onAbort(signal, () => deadline.abort(signal.reason));
  if (timeoutMs <= 0) {
    expire();
  }
  const timer = clock.setTimeout(expire, timeoutMs);
  try {
    await pollUntilContextCancel({ ...options, signal: deadline.signal }, condition);
  } finally {
    timer.cancel();
    stopListening();
  }
}

/** Options of waits with a backoff. */
export interface BackoffWaitOptions extends WaitOptions {
  /** The source of randomness. Default: `Math.random`. */
  readonly random?: Random;
}

/**
 * Checks a condition with the delays of a backoff until it is true.
 *
 * Guarantees: the condition is checked at most `steps` times, and not after a delay that reached the cap.
 * Fails: with {@link WaitTimeoutError} when the steps are used up, with the signal's reason, or with the error of the condition.
 *
 * apimachinery: pkg/util/wait.ExponentialBackoffWithContext
 *
 * @example
 * await wait.exponentialBackoffWithContext({ durationMs: 100, factor: 2, steps: 5 }, async () => await isReachable());
 */
export async function exponentialBackoffWithContext(
  backoff: Backoff,
  condition: Condition,
  options: BackoffWaitOptions = {},
): Promise<void> {
  const { clock = realClock, random = Math.random } = options;
  const signal = waitSignal(options);
  let current = backoff;
  while ((current.steps ?? 0) > 0) {
    signal.throwIfAborted();
    if (await condition(signal)) {
      return;
    }
    if (current.steps === 1) {
      break;
    }
    const { delayMs, next } = step(current, random);
    current = next;
    await sleep(clock, delayMs, signal);
  }
  throw new WaitTimeoutError(`all ${String(backoff.steps ?? 0)} steps were used`);
}
