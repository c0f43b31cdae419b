import type { Clock, Timer } from "./clock.ts";

interface PendingCall {
  readonly dueAt: number;
  readonly sequence: number;
  readonly callback: () => void;
}

/**
 * FakeClock is a clock that only advances when a test advances it.
 *
 * Guarantees: due callbacks run in order of their time, ties in order of scheduling, each with `now()` at its own time.
 *
 * @example
 * const clock = new FakeClock();
 * clock.setTimeout(() => console.log("a minute later"), 60_000);
 * await clock.advance(60_000);
 */
export class FakeClock implements Clock {
  #nowMs: number;
  #sequence = 0;
  readonly #startMs: number;
  readonly #pending = new Set<PendingCall>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const call = { dueAt: this.#nowMs + Math.max(0, delayMs), sequence: this.#sequence++, callback };
    this.#pending.add(call);
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(call);
      },
      unref: () => timer,
    };
    return timer;
  }

  /** The number of pending timers. */
  get pendingTimers(): number {
    return this.#pending.size;
  }

  /** Milliseconds until the next timer is due; undefined without timers. */
  get nextDelayMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueAt - this.#nowMs;
  }

  /** Advances the time and runs the due callbacks without letting promises resolve in between. */
  step(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (let call = this.#takeDue(endMs); call !== undefined; call = this.#takeDue(endMs)) {
      call.callback();
    }
    this.#nowMs = endMs;
  }

  /** Advances the time and runs the due callbacks; pending promises resolve before the first, between any two, and after the last. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    await settle();
    for (let call = this.#takeDue(endMs); call !== undefined; call = this.#takeDue(endMs)) {
      call.callback();
      await settle();
    }
    this.#nowMs = endMs;
    await settle();
  }

  #takeDue(endMs: number): PendingCall | undefined {
    const next = this.#next();
    if (next === undefined || next.dueAt > endMs) {
      return undefined;
    }
    this.#pending.delete(next);
    this.#nowMs = Math.max(this.#nowMs, next.dueAt);
    return next;
  }

  #next(): PendingCall | undefined {
    let next: PendingCall | undefined;
    for (const call of this.#pending) {
      if (
        next === undefined ||
        call.dueAt < next.dueAt ||
        (call.dueAt === next.dueAt && call.sequence < next.sequence)
      ) {
        next = call;
      }
    }
    return next;
  }
}

/** Lets promise callbacks and immediates that can already run complete. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
