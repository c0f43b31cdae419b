import { type Clock, realClock } from "@kubescaffold/platform/clock";

import type { Series } from "../metrics/series.ts";
import { type KeyFunction, ItemMap } from "./item-key.ts";
import { type MeteredItem, QueueMeter } from "./queue-meter.ts";
import { Fifo, NOT_IN_HEAP, type WaitingElement, WaitingLine } from "./queue-parts.ts";
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
export function createWorkQueue<T>(options: QueueOptions<T> = {}): WorkQueue<T> {
  return createRateLimitingQueue<T>(options);
}

/**
 * Creates a queue with delays and without priorities.
 *
 * client-go: util/workqueue.NewTypedDelayingQueue
 */
export function createDelayingQueue<T>(options: QueueOptions<T> = {}): DelayingQueue<T> {
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

// An item that must be processed, is in progress, or both.
class Entry<T> implements MeteredItem {
  item: T;
  mustProcess = false;
  readySince: number | undefined = undefined;
  takenSince: number | undefined = undefined;
  takenIndex = -1;

  constructor(item: T) {
    this.item = item;
  }
}

interface DelayedItem<T> extends WaitingElement {
  readonly item: T;
}

class FifoQueue<T> implements RateLimitingQueue<T> {
  readonly keyOf?: KeyFunction<T>;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<T>;
  readonly #meter: QueueMeter;
  readonly #entries: ItemMap<T, Entry<T>>;
  readonly #line = new Fifo<Entry<T>>();
  readonly #workers = new Fifo<(item: T | undefined) => void>();
  readonly #delayed: ItemMap<T, DelayedItem<T>>;
  readonly #waiting: WaitingLine<DelayedItem<T>>;
  #depth: Series | undefined;
  #drained: (() => void)[] = [];
  #sequence = 0;
  #isShuttingDown = false;

  constructor(options: RateLimitingQueueOptions<T>) {
    const { clock = realClock, keyOf } = options;
    if (keyOf !== undefined) {
      this.keyOf = keyOf;
    }
    this.#clock = clock;
    this.#limiter = options.rateLimiter ?? defaultRateLimiter<T>(clock, keyOf);
    this.#meter = new QueueMeter(options, clock);
    this.#entries = new ItemMap(keyOf);
    this.#delayed = new ItemMap(keyOf);
    this.#waiting = new WaitingLine(clock, (delayed) => this.#release(delayed));
  }

  get length(): number {
    return this.#line.size;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  add(item: T): void {
    if (this.#isShuttingDown) {
      return;
    }
    const known = this.#entries.find(item);
    if (known?.mustProcess === true) {
      return;
    }
    const entry = known ?? new Entry(item);
    if (known === undefined) {
      this.#entries.putFound(entry);
    }
    entry.item = item;
    entry.mustProcess = true;
    this.#meter.ready(entry);
    this.#changeDepth(1);
    if (entry.takenIndex === -1) {
      this.#line.push(entry);
      this.#handOut();
    }
  }

  addAfter(item: T, delayMs: number): void {
    if (this.#isShuttingDown) {
      return;
    }
    this.#meter.retried();
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
    const entry = this.#entries.find(item);
    if (entry !== undefined && entry.takenIndex !== -1) {
      this.#meter.done(entry);
      if (entry.mustProcess) {
        this.#line.push(entry);
        this.#handOut();
      } else {
        this.#entries.removeFound();
      }
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
    this.#meter.close();
    for (let worker = this.#workers.shift(); worker !== undefined; worker = this.#workers.shift()) {
      worker(undefined);
    }
  }

  #endDrain(): void {
    if (this.#drained.length > 0 && this.#meter.inProgress === 0 && this.#line.size === 0) {
      this.#drained.splice(0).forEach((resolve) => resolve());
    }
  }

  #handOut(): void {
    const worker = this.#workers.shift();
    worker?.(this.#take());
  }

  #take(): T | undefined {
    const entry = this.#line.shift();
    if (entry !== undefined) {
      entry.mustProcess = false;
      this.#changeDepth(-1);
      this.#meter.taken(entry);
    }
    return entry?.item;
  }

  #changeDepth(change: number): void {
    this.#depth ??= this.#meter.depthOf(undefined);
    if (this.#depth !== undefined) {
      this.#depth.value += change;
    }
  }

  #delay(item: T, readyAt: number): void {
    const known = this.#delayed.find(item);
    if (known === undefined) {
      const delayed = { item, readyAt, sequence: this.#sequence++, heapIndex: NOT_IN_HEAP };
      this.#delayed.putFound(delayed);
      this.#waiting.push(delayed);
    } else if (readyAt < known.readyAt) {
      this.#waiting.bringForward(known, readyAt);
    }
  }

  #release({ item }: DelayedItem<T>): void {
    this.#delayed.find(item);
    this.#delayed.removeFound();
    this.add(item);
  }
}
