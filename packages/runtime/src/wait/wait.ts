/** Waits for conditions, as `wait` of the package. */
export {
  type Backoff,
  type BackoffStep,
  type DelayFunction,
  delayFunction,
  delayWithReset,
  jitter,
  type Random,
  type ResetOptions,
  step,
} from "./backoff.ts";
export { interrupted } from "./errors.ts";
export {
  backoffUntil,
  type Condition,
  delayUntil,
  jitterUntil,
  type JitterUntilOptions,
  type LoopOptions,
  type WaitOptions,
} from "./loop.ts";
export {
  type BackoffWaitOptions,
  exponentialBackoffWithContext,
  pollUntilContextCancel,
  pollUntilContextTimeout,
  type PollOptions,
} from "./poll.ts";
export { type RateLimit, TokenBucketRateLimiter } from "./token-bucket.ts";
