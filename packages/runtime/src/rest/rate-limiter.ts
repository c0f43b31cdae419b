import { sleep, type Clock } from "../clock/clock.ts";

/** Limits of outgoing requests. */
export interface RateLimit {
  /** Requests per second, on average. */
  readonly qps: number;
  /** Requests at once after a pause. */
  readonly burst: number;
}

/**
 * Delays requests so that they do not exceed a rate.
 *
 * Guarantees: requests proceed in the order of their calls.
 *
 * client-go: util/flowcontrol.RateLimiter
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

  /** Waits for a token. Fails: with the signal's reason when the signal aborts first; the token is returned. */
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
