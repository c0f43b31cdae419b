import type { Clock, Timer } from "./clock.ts";

/**
 * Calls back once when nothing has happened for a time, unless it is stopped.
 *
 * Guarantees: an event costs no timer, so that each frame of a connection can be one; the process may exit before the call.
 */
export class IdleTimer {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #onIdle: () => void;
  #timer: Timer;
  #lastAt: number;

  constructor(clock: Clock, timeoutMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#onIdle = onIdle;
    this.#lastAt = clock.monotonic();
    this.#timer = this.#start(timeoutMs);
  }

  /** Reports an event: the time starts again. */
  touch(): void {
    this.#lastAt = this.#clock.monotonic();
  }

  /** Prevents the call. */
  stop(): void {
    this.#timer.cancel();
  }

  #start(delayMs: number): Timer {
    return this.#clock.setTimeout(() => this.#check(), delayMs).unref();
  }

  #check(): void {
    const leftMs = this.#lastAt + this.#timeoutMs - this.#clock.monotonic();
    if (leftMs > 0) this.#timer = this.#start(leftMs);
    else this.#onIdle();
  }
}
