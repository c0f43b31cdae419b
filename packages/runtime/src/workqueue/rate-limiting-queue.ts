import { type Clock, realClock } from "../clock/clock.ts";
import {
  createQueueRecorder,
  Fifo,
  itemKey,
  NOT_IN_HEAP,
  type QueueRecorder,
  type WaitingElement,
  WaitingLine,
} from "./queue-parts.ts";
import type {
  DelayingQueue,
  QueueOptions,
  RateLimiter,
  RateLimitingQueue,
  RateLimitingQueueOptions,
  WorkQueue,
} from "./queue.ts";
import { defaultRateLimiter } from "./rate-limiter.ts";

/**
 * Creates a queue without delays and priorities: first in, first out.
 *
 * client-go: util/workqueue.NewTyped
 *
 * @example
 * const queue = createWorkQueue<string>();
 * queue.add("default/web");
 */
export function createWorkQueue<T>(options: QueueOptions = {}): WorkQueue<T> {
  return createRateLimitingQueue<T>(options);
}

/**
 * Creates a queue with delays and without priorities.
 *
 * client-go: util/workqueue.NewTypedDelayingQueue
 */
export function createDelayingQueue<T>(options: QueueOptions = {}): DelayingQueue<T> {
  return createRateLimitingQueue<T>(options);
}

/**
 * Creates a queue with delays and a rate limiter and without priorities, like client-go's.
 *
 * Guarantees: first in, first out; a plain `add` does not cancel a pending delayed add, so the item is handed out again.
 * After shutdown, queued items are still handed out, and delayed items are dropped.
 *
 * client-go: util/workqueue.NewTypedRateLimitingQueue
 */
export function createRateLimitingQueue<T>(options: RateLimitingQueueOptions<T> = {}): RateLimitingQueue<T> {
  return new FifoQueue<T>(options);
}

interface DelayedItem<T> extends WaitingElement {
  readonly key: unknown;
  readonly item: T;
}

class FifoQueue<T> implements RateLimitingQueue<T> {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<T>;
  readonly #recorder: QueueRecorder;
  readonly #line = new Fifo<{ readonly key: unknown }>();
  // The items that must be processed, queued or not.
  readonly #dirty = new Map<unknown, T>();
  readonly #processing = new Set<unknown>();
  readonly #workers = new Fifo<(item: T | undefined) => void>();
  readonly #delayed = new Map<unknown, DelayedItem<T>>();
  readonly #waiting: WaitingLine<DelayedItem<T>>;
  #drained: (() => void)[] = [];
  #sequence = 0;
  #isShuttingDown = false;

  constructor(options: RateLimitingQueueOptions<T>) {
    this.#clock = options.clock ?? realClock;
    this.#limiter = options.rateLimiter ?? defaultRateLimiter<T>(this.#clock);
    this.#recorder = createQueueRecorder(options, this.#clock);
    this.#waiting = new WaitingLine(this.#clock, (delayed) => this.#release(delayed));
  }

  get length(): number {
    return this.#line.size;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  add(item: T): void {
    const key = itemKey(item);
    if (this.#isShuttingDown || this.#dirty.has(key)) {
      return;
    }
    this.#recorder.ready(key);
    this.#dirty.set(key, item);
    if (!this.#processing.has(key)) {
      this.#line.push({ key });
      this.#handOut();
    }
  }

  addAfter(item: T, delayMs: number): void {
    if (this.#isShuttingDown) {
      return;
    }
    this.#recorder.retried();
    if (delayMs > 0) {
      this.#delay(item, this.#clock.monotonic() + delayMs);
    } else {
      this.add(item);
    }
  }

  addRateLimited(item: T): void {
    this.addAfter(item, this.#limiter.when(item));
  }

  forget(item: T): void {
    this.#limiter.forget(item);
  }

  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }

  async get(): Promise<T | undefined> {
    if (this.#line.size > 0) {
      return this.#take();
    }
    if (this.#isShuttingDown) {
      return undefined;
    }
    return await new Promise((resolve) => {
      this.#workers.push(resolve);
    });
  }

  done(item: T): void {
    const key = itemKey(item);
    this.#recorder.done(key);
    this.#processing.delete(key);
    if (this.#dirty.has(key)) {
      this.#line.push({ key });
      this.#handOut();
    }
    this.#endDrain();
  }

  shutDown(): void {
    this.#close();
    this.#drained.splice(0).forEach((resolve) => resolve());
  }

  async shutDownWithDrain(): Promise<void> {
    this.#close();
    await new Promise<void>((resolve) => {
      this.#drained.push(resolve);
      this.#endDrain();
    });
  }

  #close(): void {
    this.#isShuttingDown = true;
    this.#waiting.close();
    this.#delayed.clear();
    this.#recorder.close();
    for (let worker = this.#workers.shift(); worker !== undefined; worker = this.#workers.shift()) {
      worker(undefined);
    }
  }

  #endDrain(): void {
    if (this.#processing.size === 0 && this.#line.size === 0) {
      this.#drained.splice(0).forEach((resolve) => resolve());
    }
  }

  #handOut(): void {
    const worker = this.#workers.shift();
    worker?.(this.#take());
  }

  #take(): T | undefined {
    const { key } = this.#line.shift() ?? {};
    const item = this.#dirty.get(key);
    this.#recorder.taken(key);
    this.#processing.add(key);
    this.#dirty.delete(key);
    return item;
  }

  #delay(item: T, readyAt: number): void {
    const key = itemKey(item);
    const known = this.#delayed.get(key);
    if (known === undefined) {
      const delayed = { key, item, readyAt, sequence: this.#sequence++, heapIndex: NOT_IN_HEAP };
      this.#delayed.set(key, delayed);
      this.#waiting.push(delayed);
    } else if (readyAt < known.readyAt) {
      this.#waiting.bringForward(known, readyAt);
    }
  }

  #release(delayed: DelayedItem<T>): void {
    this.#delayed.delete(delayed.key);
    this.add(delayed.item);
  }
}
