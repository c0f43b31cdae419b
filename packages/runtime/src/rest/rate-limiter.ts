import { sleep, type Clock } from "../clock/clock.ts";

/** How many requests may go out. */
export interface RateLimit {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** Requests at once after a pause. */
  readonly burst: number;
}

/**
 * Holds requests back so that there are never more than a rate allows.
 *
 * Guarantees: requests go in the order in which they asked.
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  #tokens: number;
  #updatedAt: number;

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#tokens = limit.burst;
    this.#updatedAt = clock.monotonic();
  }

  /** Waits for a turn. Fails: with the signal's reason when it aborts first; the turn is given back. */
  async take(signal?: AbortSignal): Promise<void> {
    this.#refill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) {
      return;
    }
    try {
      await sleep(this.#clock, (-this.#tokens / this.#limit.qps) * 1000, signal);
    } catch (error) {
      this.#tokens += 1;
      throw error;
    }
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const gained = ((now - this.#updatedAt) / 1000) * this.#limit.qps;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + gained);
    this.#updatedAt = now;
  }
}
