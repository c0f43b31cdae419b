import { type Clock, realClock } from "@kubescaffold/platform/clock";

import { type KeyFunction, ItemMap } from "./item-key.ts";
import { type MeteredItem, QueueMeter } from "./queue-meter.ts";
import { Fifo, NOT_IN_HEAP, type WaitingElement, WaitingLine } from "./queue-parts.ts";
import type { AddOptions, PrioritizedItem, PriorityQueue, RateLimiter, RateLimitingQueueOptions } from "./queue.ts";
import { itemExponentialFailureRateLimiter } from "./rate-limiter.ts";
import { type Level, type ReadyItem, ReadyLevels } from "./ready-levels.ts";

/**
 * Creates a queue with priorities, the default of controllers; its default limiter is exponential per item.
 *
 * Guarantees: a shutdown releases the workers immediately, and queued items are not handed out any more.
 *
 * controller-runtime: pkg/controller/priorityqueue.New
 */
export function createPriorityQueue<T>(options: RateLimitingQueueOptions<T> = {}): PriorityQueue<T> {
  return new LeveledPriorityQueue<T>(options);
}

/** An item that is waiting, ready, in progress, or in progress and added again. */
class Entry<T> implements MeteredItem, ReadyItem<Entry<T>> {
  item: T;
  priority: number;
  wait: Wait<T> | undefined = undefined;
  level: Level<Entry<T>> | undefined = undefined;
  previous: Entry<T> | undefined = undefined;
  next: Entry<T> | undefined = undefined;
  readySince: number | undefined = undefined;
  takenSince: number | undefined = undefined;
  takenIndex = -1;

  constructor(item: T, priority: number) {
    this.item = item;
    this.priority = priority;
  }
}

// Most items never wait, so the fields of a wait are separate.
interface Wait<T> extends WaitingElement {
  readonly entry: Entry<T>;
}

class LeveledPriorityQueue<T> implements PriorityQueue<T> {
  readonly keyOf?: KeyFunction<T>;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<T>;
  readonly #meter: QueueMeter;
  readonly #entries: ItemMap<T, Entry<T>>;
  readonly #ready = new ReadyLevels<Entry<T>>();
  readonly #waiting: WaitingLine<Wait<T>>;
  readonly #workers = new Fifo<(taken: PrioritizedItem<T> | undefined) => void>();
  #sequence = 0;
  #isShuttingDown = false;

  constructor(options: RateLimitingQueueOptions<T>) {
    const { clock = realClock, keyOf } = options;
    if (keyOf !== undefined) {
      this.keyOf = keyOf;
    }
    this.#clock = clock;
    this.#limiter = options.rateLimiter ?? itemExponentialFailureRateLimiter<T>({ keyOf });
    this.#meter = new QueueMeter(options, clock);
    this.#entries = new ItemMap(keyOf);
    this.#waiting = new WaitingLine(clock, ({ entry }) => {
      this.#becomeReady(entry);
      this.#handOut();
    });
  }

  get length(): number {
    return this.#ready.size;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  add(item: T): void {
    if (!this.#isShuttingDown) {
      this.#addOne(item, 0, undefined);
    }
  }

  addAfter(item: T, delayMs: number): void {
    this.addWithOptions({ afterMs: delayMs }, item);
  }

  addRateLimited(item: T): void {
    this.addWithOptions({ rateLimited: true }, item);
  }

  addWithOptions(options: AddOptions, ...items: readonly T[]): void {
    if (this.#isShuttingDown) {
      return;
    }
    for (const item of items) {
      const delayMs = this.#delayOf(item, options);
      this.#addOne(item, options.priority ?? 0, delayMs > 0 ? this.#clock.monotonic() + delayMs : undefined);
    }
  }

  forget(item: T): void {
    this.#limiter.forget(item);
  }

  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }

  async get(): Promise<T | undefined> {
    if (this.#isShuttingDown) {
      return undefined;
    }
    return this.#ready.available > 0 ? this.#take()?.item : (await this.#nextTaken())?.item;
  }

  async getWithPriority(): Promise<PrioritizedItem<T> | undefined> {
    if (this.#isShuttingDown) {
      return undefined;
    }
    return this.takeReady() ?? (await this.#nextTaken());
  }

  /** Takes the next item if one is ready. */
  takeReady(): PrioritizedItem<T> | undefined {
    const entry = this.#isShuttingDown ? undefined : this.#take();
    return entry === undefined ? undefined : { item: entry.item, priority: entry.priority };
  }

  done(item: T): void {
    const entry = this.#entries.find(item);
    if (entry === undefined || entry.takenIndex === -1) {
      return;
    }
    this.#meter.done(entry);
    if (entry.level !== undefined) {
      this.#ready.release(entry);
      this.#handOut();
    } else if (entry.wait === undefined) {
      this.#entries.removeFound();
    }
  }

  shutDown(): void {
    this.#isShuttingDown = true;
    this.#waiting.close();
    this.#ready.forgetDepths();
    this.#meter.close();
    for (let worker = this.#workers.shift(); worker !== undefined; worker = this.#workers.shift()) {
      worker(undefined);
    }
  }

  async shutDownWithDrain(): Promise<void> {
    this.shutDown();
  }

  #addOne(item: T, priority: number, readyAt: number | undefined): void {
    if (readyAt !== undefined) {
      this.#meter.retried();
    }
    const known = this.#entries.find(item);
    const entry = known ?? new Entry(item, priority);
    if (known === undefined) {
      this.#entries.putFound(entry);
    }
    if (entry.level === undefined && entry.wait === undefined) {
      // A new item, or one that only a worker has.
      entry.item = item;
      entry.priority = priority;
      this.#enter(entry, readyAt);
    } else {
      this.#raise(entry, priority);
      this.#bringForward(entry, readyAt);
    }
    this.#handOut();
  }

  #delayOf(item: T, options: AddOptions): number {
    const afterMs = options.afterMs ?? 0;
    if (options.rateLimited !== true) {
      return afterMs;
    }
    const limitedMs = this.#limiter.when(item);
    return afterMs > 0 ? Math.min(afterMs, limitedMs) : limitedMs;
  }

  #enter(entry: Entry<T>, readyAt: number | undefined): void {
    if (readyAt === undefined) {
      this.#becomeReady(entry);
    } else {
      entry.wait = { entry, readyAt, sequence: this.#sequence++, heapIndex: NOT_IN_HEAP };
      this.#waiting.push(entry.wait);
    }
  }

  // An item with a raised priority is queued behind the items of that priority.
  #raise(entry: Entry<T>, priority: number): void {
    if (priority <= entry.priority) {
      return;
    }
    entry.priority = priority;
    if (entry.level !== undefined) {
      const isHeld = isInProgress(entry);
      this.#ready.remove(entry, isHeld);
      this.#ready.push(entry, this.#levelOf(priority), isHeld);
    } else if (entry.wait !== undefined) {
      entry.wait.sequence = this.#sequence++;
      this.#waiting.bringForward(entry.wait, entry.wait.readyAt);
    }
  }

  #bringForward({ wait }: Entry<T>, readyAt: number | undefined): void {
    if (wait === undefined) {
      return;
    }
    if (readyAt === undefined) {
      this.#waiting.remove(wait);
      this.#becomeReady(wait.entry);
    } else if (readyAt < wait.readyAt) {
      this.#waiting.bringForward(wait, readyAt);
    }
  }

  // The order of arrival is the order in which items became ready.
  #becomeReady(entry: Entry<T>): void {
    entry.wait = undefined;
    this.#meter.ready(entry);
    this.#ready.push(entry, this.#levelOf(entry.priority), isInProgress(entry));
  }

  #levelOf(priority: number): Level<Entry<T>> {
    const level = this.#ready.levelOf(priority);
    level.depth ??= this.#meter.depthOf(priority);
    return level;
  }

  #handOut(): void {
    while (this.#workers.size > 0 && this.#ready.available > 0) {
      this.#workers.shift()?.(this.takeReady());
    }
  }

  async #nextTaken(): Promise<PrioritizedItem<T> | undefined> {
    return await new Promise((resolve) => {
      this.#workers.push(resolve);
    });
  }

  #take(): Entry<T> | undefined {
    const entry = this.#ready.first(isInProgress);
    if (entry !== undefined) {
      this.#ready.remove(entry, false);
      this.#meter.taken(entry);
    }
    return entry;
  }
}

function isInProgress(entry: MeteredItem): boolean {
  return entry.takenIndex !== -1;
}
