import type { Clock, Timer } from "@kubescaffold/platform/clock";

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
    if (this.#head === this.#values.length) {
      this.clear();
    } else if (this.#head > COMPACT_AT && this.#head > this.#values.length / 2) {
      this.#values = this.#values.slice(this.#head);
      this.#head = 0;
    }
    return value;
  }

  clear(): void {
    if (this.#head > COMPACT_AT) {
      this.#values = [];
    } else {
      this.#values.length = 0;
    }
    this.#head = 0;
  }
}

// Compaction copies the remaining values, so it waits until they are fewer than the removed ones.
const COMPACT_AT = 1024;

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
class Heap<E extends HeapElement> {
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
