import type { Clock, Timer } from "../clock/clock.ts";
import { workqueueMetrics, type WorkqueueMetrics } from "../metrics/workqueue-metrics.ts";
import type { QueueOptions } from "./queue.ts";

/**
 * Returns a value that is equal for equal items: the item itself if it is a string or number, otherwise a text of its fields.
 *
 * Two requests with the same fields are one item, regardless of identity and field order.
 */
export function itemKey(item: unknown): unknown {
  if (typeof item !== "object" || item === null) {
    return item;
  }
  // Nearly all items are requests, and every step of a queue computes the key.
  for (const field in item) {
    if (field !== "namespace" && field !== "name") {
      return canonicalText(item);
    }
  }
  const { namespace, name } = item as { readonly namespace?: unknown; readonly name?: unknown };
  return typeof namespace === "string" && typeof name === "string" ? `\u0000${namespace}/${name}` : canonicalText(item);
}

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => canonicalText(element)).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join(",")}}`;
  }
  return typeof value === "bigint" ? `${value}n` : (JSON.stringify(value) ?? "null");
}

/** A first-in, first-out list with constant cost per operation. */
export class Fifo<V> {
  #values: (V | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#values.length - this.#head;
  }

  push(value: V): void {
    this.#values.push(value);
  }

  /** Removes and returns the first value; undefined if the list is empty. */
  shift(): V | undefined {
    if (this.#head >= this.#values.length) {
      return undefined;
    }
    const value = this.#values[this.#head];
    this.#values[this.#head++] = undefined;
    if (this.#head === this.#values.length || this.#head > COMPACT_AT) {
      this.#values = this.#values.slice(this.#head);
      this.#head = 0;
    }
    return value;
  }

  clear(): void {
    this.#values = [];
    this.#head = 0;
  }
}

// Compaction copies the remaining values, so it is rare.
const COMPACT_AT = 16_384;

/** Records the metrics of a queue; keys are those of {@link itemKey}. */
export interface QueueRecorder {
  /** Records an item that became ready. */
  ready(key: unknown, priority?: number): void;
  /** Records a ready item whose priority changed. */
  reprioritized(from: number, to: number): void;
  /** Records an item that was handed out. */
  taken(key: unknown, priority?: number): void;
  /** Records an item that was processed. */
  done(key: unknown): void;
  /** Records an item that was added with a delay. */
  retried(): void;
  /** Stops observing the queue. */
  close(): void;
}

/** Creates the recorder of a queue; one that records nothing for a queue without a name. */
export function createQueueRecorder(options: QueueOptions, clock: Clock): QueueRecorder {
  return options.name === undefined ? SILENT : new MetricsRecorder(options.name, options, clock);
}

const SILENT: QueueRecorder = {
  ready: () => undefined,
  reprioritized: () => undefined,
  taken: () => undefined,
  done: () => undefined,
  retried: () => undefined,
  close: () => undefined,
};

const MAX_PRIORITY_LABELS = 25;
const EXCEEDED_LABEL = "exceeded_cardinality_limit";

class MetricsRecorder implements QueueRecorder {
  readonly #metrics: WorkqueueMetrics;
  readonly #labels: { readonly name: string; readonly controller: string };
  readonly #clock: Clock;
  readonly #readySince = new Map<unknown, number>();
  readonly #takenSince = new Map<unknown, number>();
  readonly #priorities = new Set<number>();
  readonly #stopObserving: () => void;

  constructor(name: string, options: QueueOptions, clock: Clock) {
    this.#metrics = workqueueMetrics(options.registry);
    this.#labels = { name, controller: options.controller ?? name };
    this.#clock = clock;
    this.#metrics.adds.inc(this.#labels, 0);
    this.#metrics.retries.inc(this.#labels, 0);
    this.#metrics.queueDuration.zero(this.#labels);
    this.#metrics.workDuration.zero(this.#labels);
    this.#stopObserving = this.#metrics.observe({
      ...this.#labels,
      unfinishedSeconds: () => this.#ages().reduce((sum, age) => sum + age, 0),
      longestRunningSeconds: () => this.#ages().reduce((longest, age) => Math.max(longest, age), 0),
    });
  }

  ready(key: unknown, priority?: number): void {
    this.#metrics.adds.inc(this.#labels);
    this.#metrics.depth.inc(this.#depthLabels(priority));
    if (!this.#readySince.has(key)) {
      this.#readySince.set(key, this.#clock.monotonic());
    }
  }

  reprioritized(from: number, to: number): void {
    this.#metrics.depth.dec(this.#depthLabels(from));
    this.#metrics.depth.inc(this.#depthLabels(to));
  }

  taken(key: unknown, priority?: number): void {
    const now = this.#clock.monotonic();
    this.#metrics.depth.dec(this.#depthLabels(priority));
    this.#takenSince.set(key, now);
    const since = this.#readySince.get(key);
    if (since !== undefined) {
      this.#readySince.delete(key);
      this.#metrics.queueDuration.observe(this.#labels, (now - since) / 1000);
    }
  }

  done(key: unknown): void {
    const since = this.#takenSince.get(key);
    if (since !== undefined) {
      this.#takenSince.delete(key);
      this.#metrics.workDuration.observe(this.#labels, (this.#clock.monotonic() - since) / 1000);
    }
  }

  retried(): void {
    this.#metrics.retries.inc(this.#labels);
  }

  close(): void {
    this.#stopObserving();
  }

  #ages(): readonly number[] {
    const now = this.#clock.monotonic();
    return [...this.#takenSince.values()].map((since) => (now - since) / 1000);
  }

  #depthLabels(priority: number | undefined): { name: string; controller: string; priority: string } {
    return { ...this.#labels, priority: priority === undefined ? "" : this.#priorityLabel(priority) };
  }

  #priorityLabel(priority: number): string {
    if (!this.#priorities.has(priority)) {
      if (this.#priorities.size >= MAX_PRIORITY_LABELS) {
        return EXCEEDED_LABEL;
      }
      this.#priorities.add(priority);
    }
    return String(priority);
  }
}

/** An element that waits until a time of the monotonic clock. */
export interface WaitingElement extends HeapElement {
  /** The time at which the wait ends. */
  readyAt: number;
  /** Breaks ties between elements with the same time. */
  sequence: number;
}

/** Stores elements until their time has come, with a single timer. */
export class WaitingLine<E extends WaitingElement> {
  readonly #clock: Clock;
  readonly #release: (element: E) => void;
  readonly #heap = new Heap<E>(
    (left, right) => left.readyAt < right.readyAt || (left.readyAt === right.readyAt && left.sequence < right.sequence),
  );
  #timer: Timer | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, release: (element: E) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  push(element: E): void {
    this.#heap.push(element);
    this.#arm();
  }

  remove(element: E): void {
    this.#heap.remove(element);
  }

  /** Moves a waiting element to an earlier time. */
  bringForward(element: E, readyAt: number): void {
    element.readyAt = readyAt;
    this.#heap.reorder(element);
    this.#arm();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    while (this.#heap.pop() !== undefined) {
      // Drops the elements.
    }
  }

  // An early timer is harmless: it releases nothing and is set again.
  #arm(): void {
    const readyAt = this.#heap.first()?.readyAt;
    if (readyAt === undefined || (this.#timer !== undefined && this.#timerAt <= readyAt)) {
      return;
    }
    this.#timer?.cancel();
    this.#timerAt = readyAt;
    this.#timer = this.#clock.setTimeout(() => this.#releaseDue(), readyAt - this.#clock.monotonic());
  }

  #releaseDue(): void {
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.monotonic();
    for (let first = this.#heap.first(); first !== undefined && isDue(first, now); first = this.#heap.first()) {
      this.#heap.remove(first);
      this.#release(first);
    }
    this.#arm();
  }
}

// Node's timers have millisecond resolution and may fire up to 1 ms early.
function isDue(element: WaitingElement, now: number): boolean {
  return element.readyAt <= now + 0.999;
}

/** An element of a {@link Heap}, which stores the element's position here. */
interface HeapElement {
  heapIndex: number;
}

/** The position of an element that is in no heap. */
export const NOT_IN_HEAP = -1;

/** A binary heap whose elements can be moved and removed in logarithmic time. */
export class Heap<E extends HeapElement> {
  readonly #elements: E[] = [];
  readonly #isBefore: (left: E, right: E) => boolean;

  constructor(isBefore: (left: E, right: E) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#elements.length;
  }

  first(): E | undefined {
    return this.#elements[0];
  }

  push(element: E): void {
    this.#place(element, this.#elements.length);
    this.#up(element);
  }

  pop(): E | undefined {
    const first = this.#elements[0];
    if (first !== undefined) {
      this.remove(first);
    }
    return first;
  }

  /** Removes an element; does nothing if it is not in the heap. */
  remove(element: E): void {
    const index = element.heapIndex;
    if (index === NOT_IN_HEAP) {
      return;
    }
    element.heapIndex = NOT_IN_HEAP;
    const last = this.#elements.pop();
    if (last !== undefined && last !== element) {
      this.#place(last, index);
      this.reorder(last);
    }
  }

  /** Restores the position of an element whose order has changed. */
  reorder(element: E): void {
    this.#up(element);
    this.#down(element);
  }

  #place(element: E, index: number): void {
    this.#elements[index] = element;
    element.heapIndex = index;
  }

  #up(element: E): void {
    while (element.heapIndex > 0) {
      const index = element.heapIndex;
      const parent = this.#elements[(index - 1) >> 1];
      if (parent === undefined || !this.#isBefore(element, parent)) {
        return;
      }
      this.#place(element, parent.heapIndex);
      this.#place(parent, index);
    }
  }

  #down(element: E): void {
    for (;;) {
      const index = element.heapIndex;
      const child = this.#firstChild(index);
      if (child === undefined || !this.#isBefore(child, element)) {
        return;
      }
      this.#place(element, child.heapIndex);
      this.#place(child, index);
    }
  }

  #firstChild(index: number): E | undefined {
    const left = this.#elements[2 * index + 1];
    const right = this.#elements[2 * index + 2];
    return left !== undefined && right !== undefined && this.#isBefore(right, left) ? right : left;
  }
}
