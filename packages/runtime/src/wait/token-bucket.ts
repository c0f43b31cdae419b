import { type Clock, realClock, sleep } from "@kubescaffold/platform/clock";

import { callSignal } from "../log/call-scope.ts";

/** Limits of a {@link TokenBucketRateLimiter}. */
export interface RateLimit {
  /** Calls per second, on average; infinity means no limit. */
  readonly qps: number;
  /** Calls at once after a pause. */
  readonly burst: number;
}

/**
 * Delays calls so that they do not exceed a rate, such as calls of an external API.
 *
 * Guarantees: calls proceed in the order in which they came.
 *
 * client-go: util/flowcontrol.RateLimiter
 *
 * @example
 * const limiter = new wait.TokenBucketRateLimiter({ qps: 5, burst: 10 });
 * await limiter.wait();
 */
export class TokenBucketRateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  #tokens: number;
  #updatedAt: number;

  /** Creates a limiter whose first calls, up to `burst`, proceed immediately. */
  constructor(limit: RateLimit, clock: Clock = realClock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#tokens = limit.burst;
    this.#updatedAt = clock.monotonic();
  }

  /** Reports whether a call may proceed immediately, and counts it if it may. */
  tryAccept(): boolean {
    this.#refill();
    if (this.#tokens < 1) {
      return false;
    }
    this.#tokens -= 1;
    return true;
  }

  /**
   * Waits until a call may proceed; by default, the signal is that of the current reconcile.
   *
   * Fails: with the signal's reason when the signal aborts first; the call does not count then.
   */
  async wait(signal?: AbortSignal): Promise<void> {
    this.#refill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) {
      return;
    }
    try {
      await sleep(this.#clock, (-this.#tokens / this.#limit.qps) * 1000, callSignal(signal));
    } catch (error) {
      this.#tokens += 1;
      throw error;
    }
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    const { qps } = this.#limit;
    // No time times infinity is not a number.
    const gained = qps === Number.POSITIVE_INFINITY ? qps : ((now - this.#updatedAt) / 1000) * qps;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + gained);
    this.#updatedAt = now;
  }
}
