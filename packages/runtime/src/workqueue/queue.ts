import type { Clock } from "@kubescaffold/platform/clock";

import type { MetricsRegistry } from "../metrics/registry.ts";

/**
 * Hands items out to workers, each item to one worker at a time.
 *
 * Guarantees: an item is queued at most once however often it is added; an item added while a worker processes it is handed out again after
 * {@link WorkQueue.done}. Items with equal fields are the same item, unless {@link QueueOptions.keyOf} compares them.
 * Fails: `UnsupportedItemError` when an item without `keyOf` contains a `Date`, `Map`, `Set`, function, symbol, or object of a class.
 *
 * client-go: util/workqueue.TypedInterface
 */
export interface WorkQueue<T> {
  /** Adds an item unless it is queued already; ignored after shutdown. */
  add(item: T): void;
  /** The number of items that are ready. */
  readonly length: number;
  /** Takes the next item, waiting for one if necessary; resolves to undefined after shutdown. */
  get(): Promise<T | undefined>;
  /** Marks an item as processed, whatever the outcome; required for every item taken. */
  done(item: T): void;
  /** Accepts no more items and releases waiting workers. */
  shutDown(): void;
  /** Accepts no more items, and resolves when all items taken are done. */
  shutDownWithDrain(): Promise<void>;
  /** Whether the queue has been shut down. */
  readonly isShuttingDown: boolean;
  /** Returns a value that is equal for equal items. Default: a text of all fields. */
  readonly keyOf?: (item: T) => unknown;
}

/**
 * A queue that can add items after a delay.
 *
 * client-go: util/workqueue.TypedDelayingInterface
 */
export interface DelayingQueue<T> extends WorkQueue<T> {
  /** Adds an item after a delay in milliseconds; of several delays the earliest counts. */
  addAfter(item: T, delayMs: number): void;
}

/**
 * A queue with a rate limiter for items that failed.
 *
 * client-go: util/workqueue.TypedRateLimitingInterface
 */
export interface RateLimitingQueue<T> extends DelayingQueue<T> {
  /** Counts a failure of the item and adds it after the delay of the rate limiter. */
  addRateLimited(item: T): void;
  /** Resets the failures of an item; its place in the queue does not change. */
  forget(item: T): void;
  /** Returns the number of failures counted for an item. */
  numRequeues(item: T): number;
}

/**
 * Options of {@link PriorityQueue.addWithOptions}.
 *
 * controller-runtime: pkg/controller/priorityqueue.AddOpts
 */
export interface AddOptions {
  /** The delay in milliseconds. Default: 0. */
  readonly afterMs?: number;
  /** Waits for the delay of the rate limiter; together with `afterMs` the shorter delay counts. Default: false. */
  readonly rateLimited?: boolean;
  /** Items of higher priority are handed out first. Default: 0. */
  readonly priority?: number;
}

/** An item and its priority when it was taken. */
export interface PrioritizedItem<T> {
  /** The item. */
  readonly item: T;
  /** The priority at which the item was taken. */
  readonly priority: number;
}

/**
 * A queue that hands out items of higher priority first, and equal ones in order of arrival.
 *
 * Adding an item again can raise its priority or shorten its delay, never the opposite; adding a delayed item without a delay makes it ready.
 * Priorities do not age: items of lower priority wait as long as there are items of higher priority.
 *
 * controller-runtime: pkg/controller/priorityqueue.PriorityQueue
 */
export interface PriorityQueue<T> extends RateLimitingQueue<T> {
  /** Adds items with a delay, a rate limit, or a priority. */
  addWithOptions(options: AddOptions, ...items: readonly T[]): void;
  /** Takes the next item with its priority; resolves to undefined after shutdown. */
  getWithPriority(): Promise<PrioritizedItem<T> | undefined>;
  /** Takes the next item with its priority; returns undefined if none is ready, and after shutdown. Controllers use it if a queue has it. */
  takeReady?(): PrioritizedItem<T> | undefined;
}

/** Settings of a queue. */
export interface QueueOptions<T = unknown> {
  /** The `name` label of the queue's metrics. Default: no metrics are recorded. */
  readonly name?: string;
  /** The `controller` label of the queue's metrics. Default: the name. */
  readonly controller?: string;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** The clock of delays and metrics. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** Returns a string or number that is equal for equal items. Default: items with equal fields are equal. */
  readonly keyOf?: (item: T) => unknown;
}

/** Reports whether a queue has priorities. */
export function isPriorityQueue<T>(queue: WorkQueue<T>): queue is PriorityQueue<T> {
  return "addWithOptions" in queue;
}

/**
 * Computes the delay of items that failed.
 *
 * client-go: util/workqueue.TypedRateLimiter
 */
export interface RateLimiter<T> {
  /** Counts a failure of the item and returns its delay in milliseconds. */
  when(item: T): number;
  /** Resets the item's failures. */
  forget(item: T): void;
  /** Returns the number of failures counted for the item. */
  numRequeues(item: T): number;
}

/** Settings of a queue with a rate limiter. */
export interface RateLimitingQueueOptions<T> extends QueueOptions<T> {
  /** Default: exponential per item; without priorities combined with a token bucket of 10 per second and a burst of 100. */
  readonly rateLimiter?: RateLimiter<T>;
}
