import { Cancellation, type Clock, onAbort, type Timer } from "@kubescaffold/platform/clock";

import { ConnectionError } from "./errors.ts";
import type { WireResponse } from "./wire.ts";

/** What limits an attempt. */
interface AttemptLimits {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for all of the attempt; 0 means no limit. */
  readonly timeoutMs: number;
  /** Milliseconds until the response begins; 0 means no limit. */
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

/** The lifetime of one attempt at a request: it ends with the caller's signal, the timeout, or the attempt. */
export class AttemptScope {
  readonly #limits: AttemptLimits;
  /** Aborts when the attempt must end. */
  readonly ending: Cancellation = new Cancellation();
  readonly #stopListening: () => void;
  readonly #timer: Timer | undefined;
  #idle: Timer | undefined;
  #hasTimedOut = false;
  #isUnanswered = false;

  constructor(limits: AttemptLimits) {
    const { signal, timeoutMs, clock } = limits;
    this.#limits = limits;
    this.#stopListening = onAbort(signal, () => this.ending.abort(signal?.reason));
    this.#timer = timeoutMs > 0 ? clock.setTimeout(() => this.#giveUp(), timeoutMs) : undefined;
  }

  /** The timeout in milliseconds once it has expired; otherwise undefined. */
  get timedOutAfterMs(): number | undefined {
    return this.#hasTimedOut ? this.#limits.timeoutMs : undefined;
  }

  /** The idle timeout in milliseconds if the server did not respond within it; otherwise undefined. */
  get unansweredForMs(): number | undefined {
    return this.#isUnanswered ? this.#limits.idleTimeoutMs : undefined;
  }

  /** Begins the wait for a response, which the idle timeout limits. */
  sent(): void {
    const { idleTimeoutMs, clock } = this.#limits;
    this.#idle?.cancel();
    if (idleTimeoutMs > 0) this.#idle = clock.setTimeout(() => this.#giveUpWaiting(), idleTimeoutMs).unref();
  }

  /** Ends the wait for a response. */
  answered(): void {
    this.#idle?.cancel();
  }

  /** Releases the caller's signal and the timer; the connection stays open for reuse. */
  close(): void {
    this.#stopListening();
    this.#timer?.cancel();
    this.#idle?.cancel();
  }

  /** Closes the connection. */
  abort(): void {
    this.close();
    this.ending.abort();
  }

  #giveUp(): void {
    this.#hasTimedOut = true;
    this.ending.abort();
  }

  #giveUpWaiting(): void {
    this.#isUnanswered = true;
    this.ending.abort();
  }
}

/** The outcome of one attempt at a request. */
export type Outcome =
  | { readonly kind: "success"; readonly response: WireResponse; readonly scope: AttemptScope }
  | {
      readonly kind: "refused";
      readonly error: Error;
      readonly body: string;
      readonly status: number;
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: "broken"; readonly error: Error };

const CUT_CONNECTION_WAIT_MS = 1000;

/**
 * Returns the delay before the next attempt in milliseconds, or undefined if the request must not be retried.
 *
 * A server that answers 429 or 5xx with `Retry-After` did not process the request, so any verb is retried; after a closed
 * connection that is unknown, so only reads are.
 */
export function retryDelayMs(method: string, outcome: Exclude<Outcome, { kind: "success" }>): number | undefined {
  if (outcome.kind === "broken") {
    const isCut = outcome.error instanceof ConnectionError && outcome.error.failure === "closed";
    return isCut && method === "GET" ? CUT_CONNECTION_WAIT_MS : undefined;
  }
  const isOverload = outcome.status === 429 || outcome.status >= 500;
  return isOverload && outcome.retryAfterSeconds !== undefined ? outcome.retryAfterSeconds * 1000 : undefined;
}
