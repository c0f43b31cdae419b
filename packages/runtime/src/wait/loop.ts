import { checkNumbers } from "@kubescaffold/k8s";
import { type Clock, realClock, sleep } from "@kubescaffold/platform/clock";

import { callSignal } from "../log/call-scope.ts";
import { type DelayFunction, jitter, type Random } from "./backoff.ts";

/**
 * Reports whether the wait is over; a failure ends the wait with that error.
 *
 * The signal aborts when the wait is canceled or its timeout has passed: pass it to calls, since a wait does not end before a running check.
 *
 * apimachinery: pkg/util/wait.ConditionWithContextFunc
 */
export type Condition = (signal: AbortSignal) => boolean | Promise<boolean>;

/** Options of every wait. */
export interface WaitOptions {
  /** Ends the wait with its reason when it aborts. Default: the signal of the reconcile that waits. */
  readonly signal?: AbortSignal;
  /** The clock of delays and timeouts. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/** The start and the meaning of delays in a loop. */
export interface LoopOptions extends WaitOptions {
  /** Checks the condition once before the first delay, even if the signal has aborted. Default: false. */
  readonly immediate?: boolean;
  /** Starts each delay after the condition was checked; otherwise the delay includes the time of the check. Default: false. */
  readonly sliding?: boolean;
}

/** Decides when a loop continues. */
export interface Pace {
  /** Starts the next delay. */
  start(): void;
  /** Returns the remaining delay in milliseconds. */
  remainingMs(): number;
  /** Records that the delay has passed. */
  passed(): void;
}

/** Returns the signal of a wait: that of its options, that of the reconcile, or one that never aborts. */
export function waitSignal({ signal }: WaitOptions): AbortSignal {
  return callSignal(signal) ?? new AbortController().signal;
}

/** Returns a pace with the delays of a function. */
export function variablePace(nextDelay: DelayFunction, clock: Clock): Pace {
  let dueAt = 0;
  return {
    start: () => {
      dueAt = clock.monotonic() + nextDelay();
    },
    remainingMs: () => Math.max(0, dueAt - clock.monotonic()),
    passed: () => undefined,
  };
}

/** Returns a pace of ticks at fixed times: a late loop continues immediately, and skips the ticks that it missed. */
export function fixedPace(intervalMs: number, clock: Clock): Pace {
  let startedAt: number | undefined;
  let ticks = 0;
  return {
    start: () => {
      startedAt ??= clock.monotonic();
    },
    remainingMs: () => Math.max(0, (startedAt ?? 0) + (ticks + 1) * intervalMs - clock.monotonic()),
    passed: () => {
      const elapsed = Math.floor((clock.monotonic() - (startedAt ?? 0)) / intervalMs);
      ticks = Math.max(ticks + 1, elapsed);
    },
  };
}

/** Checks a condition at a pace until it is true; fails with its error, or with the signal's reason. */
export async function loopUntil(
  pace: Pace,
  loop: { readonly signal: AbortSignal; readonly clock: Clock } & Pick<LoopOptions, "immediate" | "sliding">,
  condition: Condition,
): Promise<void> {
  const { signal, clock, immediate = false, sliding = false } = loop;
  if (!sliding) {
    pace.start();
  }
  if (immediate && (await condition(signal))) {
    return;
  }
  if (sliding) {
    pace.start();
  }
  for (;;) {
    await sleep(clock, pace.remainingMs(), signal);
    signal.throwIfAborted();
    pace.passed();
    if (!sliding) {
      pace.start();
    }
    if (await condition(signal)) {
      return;
    }
    if (sliding) {
      pace.start();
    }
  }
}

/**
 * Checks a condition with the delays of a function until it is true.
 *
 * Fails: with the error of the condition, or with the signal's reason.
 *
 * apimachinery: pkg/util/wait.DelayFunc.Until
 */
export async function delayUntil(delay: DelayFunction, condition: Condition, options: LoopOptions = {}): Promise<void> {
  const clock = options.clock ?? realClock;
  await loopUntil(variablePace(delay, clock), { ...options, clock, signal: waitSignal(options) }, condition);
}

/** Options of {@link jitterUntil}. */
export interface JitterUntilOptions extends WaitOptions {
  /** The time between two runs in milliseconds. */
  readonly periodMs: number;
  /** The largest random addition to each period, as a fraction of it. Default: 0. */
  readonly jitterFactor?: number;
  /** Starts each period after a run; otherwise the period includes the run. Default: true. */
  readonly sliding?: boolean;
  /** The source of randomness. Default: `Math.random`. */
  readonly random?: Random;
}

/**
 * Runs a function now and once per period until the signal aborts, and resolves then.
 *
 * Fails: with the error of the function.
 *
 * apimachinery: pkg/util/wait.JitterUntilWithContext
 */
export async function jitterUntil(
  run: (signal: AbortSignal) => void | Promise<void>,
  options: JitterUntilOptions,
): Promise<void> {
  const { periodMs, jitterFactor = 0, random = Math.random } = options;
  checkNumbers("the loop", { periodMs, jitterFactor }, { periodMs: "duration", jitterFactor: "number" });
  const delay = (): number => (jitterFactor > 0 ? jitter(periodMs, jitterFactor, random) : periodMs);
  await backoffUntil(run, { ...options, delay });
}

/**
 * Runs a function now and after each delay until the signal aborts, and resolves then.
 *
 * Fails: with the error of the function.
 *
 * apimachinery: pkg/util/wait.BackoffUntilWithContext
 */
export async function backoffUntil(
  run: (signal: AbortSignal) => void | Promise<void>,
  options: WaitOptions & {
    /** Returns the delay after each run. */
    readonly delay: DelayFunction;
    /** Starts each delay after a run; otherwise the delay includes the run. Default: true. */
    readonly sliding?: boolean;
  },
): Promise<void> {
  const { clock = realClock, delay, sliding = true } = options;
  const signal = waitSignal(options);
  if (signal.aborted) {
    return;
  }
  let failure: { readonly error: unknown } | undefined;
  const attempt: Condition = async () => {
    try {
      await run(signal);
    } catch (error) {
      failure = { error };
    }
    return failure !== undefined;
  };
  const loop = { signal, clock, immediate: true, sliding };
  await loopUntil(variablePace(delay, clock), loop, attempt).catch((error: unknown) => {
    if (!signal.aborted) {
      throw error;
    }
  });
  if (failure !== undefined) {
    throw failure.error;
  }
}
