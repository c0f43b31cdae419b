import { type Clock, realClock } from "../clock/clock.ts";
import {
  createQueueRecorder,
  Fifo,
  Heap,
  itemKey,
  NOT_IN_HEAP,
  type QueueRecorder,
  type WaitingElement,
  WaitingLine,
} from "./queue-parts.ts";
import type { AddOptions, PrioritizedItem, PriorityQueue, RateLimiter, RateLimitingQueueOptions } from "./queue.ts";
import { itemExponentialFailureRateLimiter } from "./rate-limiter.ts";

/**
 * Creates a queue with priorities, the default of controllers; its default limiter is exponential per item.
 *
 * Guarantees: a shutdown releases the workers immediately, and queued items are not handed out any more.
 *
 * controller-runtime: pkg/controller/priorityqueue.New
 */
export function createPriorityQueue<T>(options: RateLimitingQueueOptions<T> = {}): PriorityQueue<T> {
  return new HeapPriorityQueue<T>(options);
}

// An item is waiting, ready, or held back because a worker processes the same item.
interface Entry<T> extends WaitingElement {
  readonly key: unknown;
  readonly item: T;
  priority: number;
  place: "waiting" | "ready" | "held";
}

class HeapPriorityQueue<T> implements PriorityQueue<T> {
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<T>;
  readonly #recorder: QueueRecorder;
  readonly #entries = new Map<unknown, Entry<T>>();
  readonly #ready = new Heap<Entry<T>>(
    (left, right) =>
      left.priority > right.priority || (left.priority === right.priority && left.sequence < right.sequence),
  );
  readonly #waiting: WaitingLine<Entry<T>>;
  readonly #locked = new Set<unknown>();
  readonly #workers = new Fifo<(item: PrioritizedItem<T> | undefined) => void>();
  #sequence = 0;
  #held = 0;
  #isShuttingDown = false;

  constructor(options: RateLimitingQueueOptions<T>) {
    this.#clock = options.clock ?? realClock;
    this.#limiter = options.rateLimiter ?? itemExponentialFailureRateLimiter<T>();
    this.#recorder = createQueueRecorder(options, this.#clock);
    this.#waiting = new WaitingLine(this.#clock, (entry) => {
      this.#becomeReady(entry);
      this.#handOut();
    });
  }

  get length(): number {
    return this.#ready.size + this.#held;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  add(item: T): void {
    this.addWithOptions({}, item);
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
      this.#addOne(item, options);
    }
  }

  forget(item: T): void {
    this.#limiter.forget(item);
  }

  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item);
  }

  async get(): Promise<T | undefined> {
    return (await this.getWithPriority())?.item;
  }

  async getWithPriority(): Promise<PrioritizedItem<T> | undefined> {
    if (this.#isShuttingDown) {
      return undefined;
    }
    return (
      this.#take() ??
      (await new Promise((resolve) => {
        this.#workers.push(resolve);
      }))
    );
  }

  done(item: T): void {
    const key = itemKey(item);
    this.#recorder.done(key);
    this.#locked.delete(key);
    const entry = this.#entries.get(key);
    if (entry?.place === "held") {
      this.#held -= 1;
      this.#enterReady(entry);
      this.#handOut();
    }
  }

  shutDown(): void {
    this.#isShuttingDown = true;
    this.#waiting.close();
    this.#recorder.close();
    for (let worker = this.#workers.shift(); worker !== undefined; worker = this.#workers.shift()) {
      worker(undefined);
    }
  }

  async shutDownWithDrain(): Promise<void> {
    this.shutDown();
  }

  #addOne(item: T, options: AddOptions): void {
    const key = itemKey(item);
    const delayMs = this.#delayOf(item, options);
    const readyAt = delayMs > 0 ? this.#clock.monotonic() + delayMs : undefined;
    if (readyAt !== undefined) {
      this.#recorder.retried();
    }
    const known = this.#entries.get(key);
    if (known === undefined) {
      this.#addNew({ key, item, priority: options.priority ?? 0 }, readyAt);
    } else {
      this.#raise(known, options.priority ?? 0);
      this.#bringForward(known, readyAt);
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

  #addNew(added: Pick<Entry<T>, "key" | "item" | "priority">, readyAt: number | undefined): void {
    const place = { readyAt: readyAt ?? 0, sequence: this.#sequence++, heapIndex: NOT_IN_HEAP };
    const entry: Entry<T> = { ...added, ...place, place: "waiting" };
    this.#entries.set(entry.key, entry);
    if (readyAt === undefined) {
      this.#becomeReady(entry);
    } else {
      this.#waiting.push(entry);
    }
  }

  // An item with a raised priority is queued behind the items of that priority.
  #raise(entry: Entry<T>, priority: number): void {
    if (priority <= entry.priority) {
      return;
    }
    const earlier = entry.priority;
    entry.priority = priority;
    if (entry.place !== "waiting") {
      this.#recorder.reprioritized(earlier, priority);
      entry.sequence = this.#sequence++;
      if (entry.place === "ready") {
        this.#ready.reorder(entry);
      }
    }
  }

  #bringForward(entry: Entry<T>, readyAt: number | undefined): void {
    if (entry.place !== "waiting") {
      return;
    }
    if (readyAt === undefined) {
      this.#waiting.remove(entry);
      this.#becomeReady(entry);
    } else if (readyAt < entry.readyAt) {
      this.#waiting.bringForward(entry, readyAt);
    }
  }

  // The order of arrival is the order in which items became ready.
  #becomeReady(entry: Entry<T>): void {
    entry.sequence = this.#sequence++;
    this.#recorder.ready(entry.key, entry.priority);
    if (this.#locked.has(entry.key)) {
      entry.place = "held";
      this.#held += 1;
    } else {
      this.#enterReady(entry);
    }
  }

  #enterReady(entry: Entry<T>): void {
    entry.place = "ready";
    this.#ready.push(entry);
  }

  #handOut(): void {
    while (this.#workers.size > 0 && this.#ready.size > 0) {
      this.#workers.shift()?.(this.#take());
    }
  }

  #take(): PrioritizedItem<T> | undefined {
    const entry = this.#ready.pop();
    if (entry === undefined) {
      return undefined;
    }
    this.#entries.delete(entry.key);
    this.#locked.add(entry.key);
    this.#recorder.taken(entry.key, entry.priority);
    return { item: entry.item, priority: entry.priority };
  }
}
