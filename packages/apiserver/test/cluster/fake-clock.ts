import type { Clock, Timer } from "../../src/clock/clock.ts";

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #nowMs = Date.UTC(2026, 0, 1);
  readonly #pending = new Set<{ readonly dueAt: number; readonly callback: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const call = { dueAt: this.#nowMs + delayMs, callback };
    this.#pending.add(call);
    const timer: Timer = { cancel: () => void this.#pending.delete(call), unref: () => timer };
    return timer;
  }

  /** How long the next call has to wait, or nothing without one. */
  get nextDelayMs(): number | undefined {
    const due = [...this.#pending].map(({ dueAt }) => dueAt - this.#nowMs);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Moves the time on and calls what is due by then, in order. */
  advance(durationMs: number): void {
    const end = this.#nowMs + durationMs;
    for (;;) {
      const [next] = [...this.#pending].toSorted((left, right) => left.dueAt - right.dueAt);
      if (next === undefined || next.dueAt > end) break;
      this.#pending.delete(next);
      this.#nowMs = next.dueAt;
      next.callback();
    }
    this.#nowMs = end;
  }
}
