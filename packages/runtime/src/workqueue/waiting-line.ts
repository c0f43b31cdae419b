import type { Clock, Timer } from "../clock/clock.ts";
import { Heap, type HeapElement } from "./heap.ts";

/** An element that waits until a time of the monotonic clock. */
export interface WaitingElement extends HeapElement {
  readyAt: number;
  /** Settles which of two with the same time comes first. */
  sequence: number;
}

/** Keeps elements until their time has come, with one timer for all of them. */
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

  /** Gives an element that waits an earlier time. */
  bringForward(element: E, readyAt: number): void {
    element.readyAt = readyAt;
    this.#heap.reorder(element);
    this.#arm();
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    while (this.#heap.pop() !== undefined) {
      // Elements of a closed line are dropped.
    }
  }

  // A timer that is too early does no harm: it releases nothing and is set again.
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

// Timers of Node have whole milliseconds and may fire a fraction early.
function isDue(element: WaitingElement, now: number): boolean {
  return element.readyAt <= now + 0.999;
}
