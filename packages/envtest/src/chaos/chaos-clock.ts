import type { Clock, Timer } from "@kubescaffold/platform/clock";

/**
 * A clock for managers under test: durations pass faster by a factor, and the wall-clock time jumps.
 *
 * Guarantees: `monotonic` never jumps.
 */
export class ChaosClock implements Clock {
  readonly #base: Clock;
  readonly #speed: number;
  readonly #startMs: number;
  #skewMs = 0;

  constructor(base: Clock, speed: number) {
    this.#base = base;
    this.#speed = speed;
    this.#startMs = base.now();
  }

  now(): number {
    return Math.round(this.#startMs + (this.#base.now() - this.#startMs) * this.#speed + this.#skewMs);
  }

  monotonic(): number {
    return this.#base.monotonic() * this.#speed;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    return this.#base.setTimeout(callback, delayMs / this.#speed);
  }

  /** Moves the wall-clock time by a number of milliseconds, which may be negative. */
  jump(byMs: number): void {
    this.#skewMs += byMs;
  }

  /** Undoes all jumps. */
  correct(): void {
    this.#skewMs = 0;
  }
}
