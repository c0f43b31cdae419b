import { setTimeout as delay } from "node:timers/promises";

import { checkNumbers } from "@kubescaffold/k8s";
import { LONGEST_TIMER_MS } from "@kubescaffold/platform/clock";

/** The time of a poll. */
export interface PollingOptions {
  /** The time in milliseconds after which a poll gives up; it reads at least once. Default: depends on the function. */
  readonly timeoutMs?: number;
  /** The time in milliseconds between two reads. Default: depends on the function. */
  readonly intervalMs?: number;
  /** Cancels the poll. Default: it cannot be canceled. */
  readonly signal?: AbortSignal;
}

/** The result of a poll. */
export interface Polled<S> {
  /** Whether the last state ended the poll. */
  readonly isFinal: boolean;
  /** The last state; undefined if the first read did not complete. */
  readonly last: S | undefined;
  /** The state before the last one. */
  readonly previous: S | undefined;
  /** The number of states. */
  readonly attempts: number;
}

/**
 * Reads a state repeatedly until it is final, or the time is over, in real time.
 *
 * Guarantees: the signal of a read aborts when the time is over; a state that was read by then is ignored.
 * Fails: with the reason of `signal`, or the error of a read.
 */
export async function poll<S>(
  read: (signal: AbortSignal) => Promise<S>,
  isFinal: (state: S) => boolean,
  {
    timeoutMs,
    intervalMs,
    signal: canceled,
  }: PollingOptions & { readonly timeoutMs: number; readonly intervalMs: number },
): Promise<Polled<S>> {
  checkNumbers("the poll", { timeoutMs, intervalMs }, { timeoutMs: "duration", intervalMs: "duration" });
  // This timer and the one of the delay are real even if a test replaces the global timers.
  const deadline = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS));
  const signal = canceled === undefined ? deadline : AbortSignal.any([deadline, canceled]);
  let polled: Polled<S> = { isFinal: false, last: undefined, previous: undefined, attempts: 0 };
  while (!signal.aborted) {
    const state = await orAborted(read(signal), signal);
    if (state === ABORTED) break;
    polled = { isFinal: isFinal(state), last: state, previous: polled.last, attempts: polled.attempts + 1 };
    if (polled.isFinal) return polled;
    await orAborted(delay(Math.min(intervalMs, LONGEST_TIMER_MS), undefined, { signal }), signal);
  }
  canceled?.throwIfAborted();
  return polled;
}

const ABORTED = Symbol("aborted");

// A read that ignores the signal does not delay the end of the poll.
async function orAborted<S>(reading: Promise<S>, signal: AbortSignal): Promise<S | typeof ABORTED> {
  const ended = new AbortController();
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    signal.addEventListener("abort", () => resolve(ABORTED), { once: true, signal: ended.signal });
  });
  try {
    return await Promise.race([reading, aborted]);
  } catch (error) {
    if (signal.aborted) return ABORTED;
    throw error;
  } finally {
    ended.abort();
  }
}
