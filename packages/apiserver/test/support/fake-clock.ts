import type { Clock, Timer } from "../../src/clock/clock.ts";

interface Pending {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #nowMs = Date.UTC(2026, 0, 1);
  readonly #pending = new Set<Pending>();

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const pending = { dueAt: this.#nowMs + delayMs, callback };
    this.#pending.add(pending);
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(pending);
      },
      unref: () => timer,
    };
    return timer;
  }

  /** Moves time on and runs what has become due, in its order. */
  advance(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (;;) {
      const due = [...this.#pending].filter(({ dueAt }) => dueAt <= endMs).sort((a, b) => a.dueAt - b.dueAt)[0];
      if (due === undefined) {
        break;
      }
      this.#pending.delete(due);
      this.#nowMs = due.dueAt;
      due.callback();
    }
    this.#nowMs = endMs;
  }
}
