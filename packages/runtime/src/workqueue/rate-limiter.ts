import { type Clock, realClock } from "../clock/clock.ts";
import { itemKey } from "./queue-parts.ts";
import type { RateLimiter } from "./queue.ts";

/** Bounds of an exponential back-off. */
export interface ExponentialOptions {
  /** The delay after the first failure; 5 unless given. */
  readonly baseDelayMs?: number;
  /** The longest delay; 1 000 000 unless given. */
  readonly maxDelayMs?: number;
}

/**
 * Creates a limiter that doubles the delay with each failure of an item: 5 ms, 10 ms, 20 ms, at most 1000 s.
 *
 * Guarantees: items do not delay one another; {@link RateLimiter.forget} frees what is kept of an item.
 */
export function itemExponentialFailureRateLimiter<T>(options: ExponentialOptions = {}): RateLimiter<T> {
  const { baseDelayMs = 5, maxDelayMs = 1_000_000 } = options;
  return countingRateLimiter((failures) => Math.min(baseDelayMs * 2 ** failures, maxDelayMs));
}

/** Delays of {@link itemFastSlowRateLimiter}. */
export interface FastSlowOptions {
  readonly fastDelayMs: number;
  readonly slowDelayMs: number;
  /** How many failures get the fast delay. */
  readonly maxFastAttempts: number;
}

/** Creates a limiter with one delay for an item's first failures and another for those after. */
export function itemFastSlowRateLimiter<T>(options: FastSlowOptions): RateLimiter<T> {
  return countingRateLimiter((failures) =>
    failures < options.maxFastAttempts ? options.fastDelayMs : options.slowDelayMs,
  );
}

/** Bounds of a token bucket. */
export interface BucketOptions {
  /** Tokens per second; 10 unless given. */
  readonly qps?: number;
  /** How many tokens the bucket holds; 100 unless given. */
  readonly burst?: number;
  readonly clock?: Clock;
}

/** Creates a limiter on all items together: each failure takes a token, and waits for it when the bucket is empty. */
export function bucketRateLimiter<T>(options: BucketOptions = {}): RateLimiter<T> {
  const { qps = 10, burst = 100, clock = realClock } = options;
  let tokens = burst;
  let countedAt = clock.monotonic();
  return {
    when: () => {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - countedAt) / 1000) * qps) - 1;
      countedAt = now;
      return tokens >= 0 ? 0 : (-tokens / qps) * 1000;
    },
    forget: () => undefined,
    numRequeues: () => 0,
  };
}

/** Creates a limiter that asks several and takes the longest delay. */
export function maxOfRateLimiter<T>(...limiters: readonly RateLimiter<T>[]): RateLimiter<T> {
  return {
    when: (item) => Math.max(0, ...limiters.map((limiter) => limiter.when(item))),
    forget: (item) => {
      for (const limiter of limiters) {
        limiter.forget(item);
      }
    },
    numRequeues: (item) => Math.max(0, ...limiters.map((limiter) => limiter.numRequeues(item))),
  };
}

/** Creates a limiter that shortens the delays of another to at most `maxDelayMs`. */
export function withMaxWaitRateLimiter<T>(limiter: RateLimiter<T>, maxDelayMs: number): RateLimiter<T> {
  return {
    when: (item) => Math.min(limiter.when(item), maxDelayMs),
    forget: (item) => limiter.forget(item),
    numRequeues: (item) => limiter.numRequeues(item),
  };
}

/** Creates what queues without priorities use by default: exponential per item, and a bucket of 10 per second with 100 at once over all. */
export function defaultRateLimiter<T>(clock: Clock = realClock): RateLimiter<T> {
  return maxOfRateLimiter(itemExponentialFailureRateLimiter<T>(), bucketRateLimiter<T>({ clock }));
}

function countingRateLimiter<T>(delayAfter: (failures: number) => number): RateLimiter<T> {
  const failures = new Map<unknown, number>();
  return {
    when: (item) => {
      const key = itemKey(item);
      const earlier = failures.get(key) ?? 0;
      failures.set(key, earlier + 1);
      return delayAfter(earlier);
    },
    forget: (item) => void failures.delete(itemKey(item)),
    numRequeues: (item) => failures.get(itemKey(item)) ?? 0,
  };
}
