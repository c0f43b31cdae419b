import { checkNumbers } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

/**
 * The delays between attempts: exponential, jittered, and limited.
 *
 * apimachinery: pkg/util/wait.Backoff
 */
export interface Backoff {
  /** The first delay in milliseconds. */
  readonly durationMs: number;
  /** The factor between two delays, as long as there are steps; 0 keeps the delay. Default: 0. */
  readonly factor?: number;
  /** The largest random addition to each delay, as a fraction of it. Default: 0. */
  readonly jitter?: number;
  /** The number of steps in which the delay may grow; waits also limit their attempts to it. Default: 0. */
  readonly steps?: number;
  /** The limit of the delay in milliseconds, before jitter; reaching it uses up all steps. Default: no limit. */
  readonly capMs?: number;
}

/** Returns a random number from 0 up to 1, like `Math.random`. */
export type Random = () => number;

/**
 * Returns the next delay in milliseconds; each call advances the backoff.
 *
 * apimachinery: pkg/util/wait.DelayFunc
 */
export type DelayFunction = () => number;

/** A delay, and the backoff of the following step. */
export interface BackoffStep {
  /** The delay in milliseconds, including jitter. */
  readonly delayMs: number;
  /** The backoff after this step. */
  readonly next: Backoff;
}

/**
 * Returns the delay of a backoff, and the backoff of the following step.
 *
 * Guarantees: jitter does not accumulate; without steps the delay stays the same.
 *
 * apimachinery: pkg/util/wait.Backoff.Step
 */
export function step(backoff: Backoff, random: Random = Math.random): BackoffStep {
  checkBackoff(backoff);
  const { durationMs, factor = 0, steps = 0, jitter: maximalFactor = 0 } = backoff;
  const delayMs = maximalFactor > 0 ? jitter(durationMs, maximalFactor, random) : durationMs;
  if (steps < 1) {
    return { delayMs, next: { ...backoff, steps: 0 } };
  }
  if (factor === 0) {
    return { delayMs, next: { ...backoff, steps: steps - 1 } };
  }
  return { delayMs, next: { ...backoff, ...grown(backoff, durationMs * factor) } };
}

function checkBackoff(backoff: Backoff): void {
  const rules = {
    durationMs: "duration",
    factor: "number",
    jitter: "number",
    steps: "number",
    capMs: "number",
  } as const;
  checkNumbers("the backoff", backoff, rules);
}

function grown({ steps = 0, capMs = 0 }: Backoff, durationMs: number): Pick<Backoff, "durationMs" | "steps"> {
  return capMs > 0 && durationMs > capMs ? { durationMs: capMs, steps: 0 } : { durationMs, steps: steps - 1 };
}

/**
 * Returns a random duration between a duration and `1 + maximalFactor` times that.
 *
 * A `maximalFactor` of 0 or less counts as 1.
 *
 * apimachinery: pkg/util/wait.Jitter
 */
export function jitter(durationMs: number, maximalFactor: number, random: Random = Math.random): number {
  return durationMs + random() * (maximalFactor > 0 ? maximalFactor : 1) * durationMs;
}

/**
 * Returns a function that returns the delays of a backoff.
 *
 * apimachinery: pkg/util/wait.Backoff.DelayFunc
 */
export function delayFunction(backoff: Backoff, random: Random = Math.random): DelayFunction {
  checkBackoff(backoff);
  let current = backoff;
  return () => {
    const { delayMs, next } = step(current, random);
    current = next;
    return delayMs;
  };
}

/** The clock of {@link delayWithReset} and the time after which it starts over. */
export interface ResetOptions {
  /** Measures the time since the last reset. */
  readonly clock: Clock;
  /** The time in milliseconds after which the backoff starts over; 0 or less disables the growth of delays. */
  readonly resetIntervalMs: number;
  /** The source of randomness. Default: `Math.random`. */
  readonly random?: Random;
}

/**
 * Returns a function that returns the delays of a backoff, which starts over when more than an interval has passed since it last did.
 *
 * Without a factor, delays never grow, and the interval has no effect.
 *
 * apimachinery: pkg/util/wait.Backoff.DelayWithReset
 */
export function delayWithReset(backoff: Backoff, options: ResetOptions): DelayFunction {
  const { clock, resetIntervalMs, random = Math.random } = options;
  if ((backoff.factor ?? 0) <= 0) {
    return delayFunction(backoff, random);
  }
  if (resetIntervalMs <= 0) {
    return delayFunction({ ...backoff, steps: 0, factor: 0 }, random);
  }
  let next = delayFunction(backoff, random);
  let startedAt = clock.monotonic();
  return () => {
    if (clock.monotonic() - startedAt > resetIntervalMs) {
      next = delayFunction(backoff, random);
      startedAt = clock.monotonic();
    }
    return next();
  };
}
