import type { Clock } from "../clock/clock.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";

/**
 * Hands items out to workers, each item to one worker at a time.
 *
 * Guarantees: an item is in line at most once however often it is added; one added while it is worked on is handed out once more after
 * {@link WorkQueue.done}. Items with equal fields are the same item.
 */
export interface WorkQueue<T> {
  /** Puts an item in line unless it is there already; ignored after shutdown. */
  add(item: T): void;
  /** How many items are ready to be handed out. */
  readonly length: number;
  /** Takes the next item, waiting for one if need be; undefined when the queue has shut down. */
  get(): Promise<T | undefined>;
  /** Says that the work on an item is over, whatever came of it; every item taken needs it. */
  done(item: T): void;
  /** Takes no more items and lets waiting workers go. */
  shutDown(): void;
  /** Takes no more items, and resolves when everything taken is done. */
  shutDownWithDrain(): Promise<void>;
  readonly isShuttingDown: boolean;
}

/** A queue that can also put an item in line later. */
export interface DelayingQueue<T> extends WorkQueue<T> {
  /** Puts an item in line after a delay; of several delays the earliest counts. */
  addAfter(item: T, delayMs: number): void;
}

/** A queue that knows how long items that failed have to wait. */
export interface RateLimitingQueue<T> extends DelayingQueue<T> {
  /** Puts an item in line after the delay that its failures call for, and counts one more. */
  addRateLimited(item: T): void;
  /** Forgets the failures of an item; it stays where it is in line. */
  forget(item: T): void;
  /** Returns how many failures of an item are counted. */
  numRequeues(item: T): number;
}

/** How {@link PriorityQueue.addWithOptions} puts items in line. */
export interface AddOptions {
  readonly afterMs?: number;
  /** Waits as the rate limiter says; with `afterMs` too, the shorter of the two. */
  readonly rateLimited?: boolean;
  /** Higher goes first; 0 unless given. */
  readonly priority?: number;
}

/** An item with the priority that it was taken with. */
export interface PrioritizedItem<T> {
  readonly item: T;
  readonly priority: number;
}

/**
 * A queue that hands out items of higher priority first, and in order of arrival among equals.
 *
 * Adding an item again can raise its priority or bring it forward, never the opposite; adding one that waits without a delay ends the wait.
 * Priorities do not age: as long as there are items of higher priority, lower ones wait.
 */
export interface PriorityQueue<T> extends RateLimitingQueue<T> {
  addWithOptions(options: AddOptions, ...items: readonly T[]): void;
  /** Takes the next item with its priority; undefined when the queue has shut down. */
  getWithPriority(): Promise<PrioritizedItem<T> | undefined>;
}

/** Settings of a queue. */
export interface QueueOptions {
  /** The label of the queue's metrics; without it nothing is counted. */
  readonly name?: string;
  /** The `controller` label of the metrics; the name unless given. */
  readonly controller?: string;
  readonly registry?: MetricsRegistry;
  readonly clock?: Clock;
}

/** Says whether a queue has priorities. */
export function isPriorityQueue<T>(queue: WorkQueue<T>): queue is PriorityQueue<T> {
  return "addWithOptions" in queue;
}

/** Says how long an item that failed has to wait. */
export interface RateLimiter<T> {
  /** Counts a failure of the item and returns how many milliseconds it has to wait. */
  when(item: T): number;
  /** Forgets the item's failures. */
  forget(item: T): void;
  /** Returns how many failures of the item are counted. */
  numRequeues(item: T): number;
}

/** Settings of a queue with a rate limiter. */
export interface RateLimitingQueueOptions<T> extends QueueOptions {
  readonly rateLimiter?: RateLimiter<T>;
}
