import { type Clock, realClock, type Timer } from "@kubescaffold/platform/clock";

interface Pending {
  readonly callback: () => void;
  dueAt: number;
  timer: Timer;
  isReferenced: boolean;
}

/** A clock that moves forward at once when asked to, and calls back the timers that are due then. */
export class JumpingClock implements Clock {
  readonly #base: Clock;
  readonly #pending = new Set<Pending>();
  #offsetMs = 0;

  constructor(base: Clock = realClock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#offsetMs;
  }

  monotonic(): number {
    return this.#base.monotonic() + this.#offsetMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const pending: Pending = {
      callback,
      dueAt: this.now() + Math.max(0, delayMs),
      timer: NO_TIMER,
      isReferenced: true,
    };
    this.#pending.add(pending);
    this.#arm(pending);
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(pending);
        pending.timer.cancel();
      },
      unref: () => {
        pending.isReferenced = false;
        pending.timer.unref();
        return timer;
      },
    };
    return timer;
  }

  /** Moves forward. */
  jump(ms: number): void {
    this.#offsetMs += ms;
    for (const pending of this.#pending) {
      pending.timer.cancel();
      this.#arm(pending);
    }
  }

  #arm(pending: Pending): void {
    pending.timer = this.#base.setTimeout(() => {
      this.#pending.delete(pending);
      pending.callback();
    }, pending.dueAt - this.now());
    if (!pending.isReferenced) pending.timer.unref();
  }
}

const NO_TIMER: Timer = { cancel: () => undefined, unref: () => NO_TIMER };
