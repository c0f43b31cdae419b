import { checkNumbers } from "@kubescaffold/k8s";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import { itemKey, type KeyFunction } from "./item-key.ts";
import type { RateLimiter } from "./queue.ts";

/** Options of limiters that count the failures of each item. */
interface PerItemOptions<T> {
  /** Returns a string or number that is equal for equal items. Default: items with equal fields are equal. */
  readonly keyOf?: KeyFunction<T> | undefined;
}

/** Bounds of an exponential backoff. */
export interface ExponentialOptions<T = unknown> extends PerItemOptions<T> {
  /** The delay after the first failure in milliseconds. Default: 5. */
  readonly baseDelayMs?: number;
  /** The longest delay in milliseconds. Default: 1000000. */
  readonly maxDelayMs?: number;
}

/**
 * Creates a limiter that doubles the delay with each failure of an item: 5 ms, 10 ms, 20 ms, at most 1000 s.
 *
 * Guarantees: items do not delay each other; {@link RateLimiter.forget} frees the memory of an item.
 *
 * client-go: util/workqueue.NewTypedItemExponentialFailureRateLimiter
 */
export function itemExponentialFailureRateLimiter<T>(options: ExponentialOptions<T> = {}): RateLimiter<T> {
  checkNumbers("the rate limiter", options, { baseDelayMs: "duration", maxDelayMs: "duration" });
  const { baseDelayMs = 5, maxDelayMs = 1_000_000 } = options;
  // The power is infinite after about a thousand failures, and zero times infinity is not a number.
  return countingRateLimiter(options, (failures) => Math.min(baseDelayMs * 2 ** Math.min(failures, 1000), maxDelayMs));
}

/** Delays of {@link itemFastSlowRateLimiter}. */
export interface FastSlowOptions<T = unknown> extends PerItemOptions<T> {
  /** The delay of the first failures in milliseconds. */
  readonly fastDelayMs: number;
  /** The delay of later failures in milliseconds. */
  readonly slowDelayMs: number;
  /** The number of failures with the fast delay. */
  readonly maxFastAttempts: number;
}

/**
 * Creates a limiter with one delay for an item's first failures and another for later ones.
 *
 * client-go: util/workqueue.NewTypedItemFastSlowRateLimiter
 */
export function itemFastSlowRateLimiter<T>(options: FastSlowOptions<T>): RateLimiter<T> {
  const rules = { fastDelayMs: "duration", slowDelayMs: "duration", maxFastAttempts: "count" } as const;
  checkNumbers("the rate limiter", options, rules);
  return countingRateLimiter(options, (failures) =>
    failures < options.maxFastAttempts ? options.fastDelayMs : options.slowDelayMs,
  );
}

/** Bounds of a token bucket. */
export interface BucketOptions {
  /** Tokens per second; infinity means no limit. Default: 10. */
  readonly qps?: number;
  /** The capacity of the bucket in tokens. Default: 100. */
  readonly burst?: number;
  /** The clock that refills the bucket. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * Creates a limiter over all items: each failure takes a token, and waits for one when the bucket is empty.
 *
 * client-go: util/workqueue.TypedBucketRateLimiter
 */
export function bucketRateLimiter<T>(options: BucketOptions = {}): RateLimiter<T> {
  checkNumbers("the rate limiter", options, { qps: "duration", burst: "duration" });
  const { qps = 10, burst = 100, clock = realClock } = options;
  let tokens = burst;
  let countedAt = clock.monotonic();
  return {
    when: () => {
      if (qps === Number.POSITIVE_INFINITY) return 0;
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - countedAt) / 1000) * qps) - 1;
      countedAt = now;
      return tokens >= 0 ? 0 : (-tokens / qps) * 1000;
    },
    forget: () => undefined,
    numRequeues: () => 0,
  };
}

/**
 * Creates a limiter that returns the longest delay of several limiters.
 *
 * client-go: util/workqueue.NewTypedMaxOfRateLimiter
 */
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

/**
 * Creates a limiter that caps the delays of another at `maxDelayMs` milliseconds.
 *
 * client-go: util/workqueue.NewTypedWithMaxWaitRateLimiter
 */
export function withMaxWaitRateLimiter<T>(limiter: RateLimiter<T>, maxDelayMs: number): RateLimiter<T> {
  checkNumbers("the rate limiter", { maxDelayMs }, { maxDelayMs: "duration" });
  return {
    when: (item) => Math.min(limiter.when(item), maxDelayMs),
    forget: (item) => limiter.forget(item),
    numRequeues: (item) => limiter.numRequeues(item),
  };
}

/**
 * Creates the default limiter of queues without priorities: exponential per item, combined with a bucket of 10 per second and a burst of 100.
 *
 * client-go: util/workqueue.DefaultTypedControllerRateLimiter
 */
export function defaultRateLimiter<T>(clock: Clock = realClock, keyOf?: KeyFunction<T>): RateLimiter<T> {
  return maxOfRateLimiter(itemExponentialFailureRateLimiter<T>({ keyOf }), bucketRateLimiter<T>({ clock }));
}

function countingRateLimiter<T>(
  { keyOf = itemKey }: PerItemOptions<T>,
  delayAfter: (failures: number) => number,
): RateLimiter<T> {
  const failures = new Map<unknown, number>();
  return {
    when: (item) => {
      const key = keyOf(item);
      const earlier = failures.get(key) ?? 0;
      failures.set(key, earlier + 1);
      return delayAfter(earlier);
    },
    forget: (item) => {
      // Every successful reconcile forgets its item, and most items have never failed.
      if (failures.size > 0) {
        failures.delete(keyOf(item));
      }
    },
    numRequeues: (item) => failures.get(keyOf(item)) ?? 0,
  };
}
