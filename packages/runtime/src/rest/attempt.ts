import { type Clock, onAbort, type Timer } from "../clock/clock.ts";
import { ConnectionError } from "./errors.ts";
import type { WireResponse } from "./wire.ts";

/** The lifetime of one attempt at a request: it ends with the caller's signal, the timeout, or the attempt. */
export interface AttemptScope {
  /** Aborts when the attempt must end. */
  readonly signal: AbortSignal;
  /** The timeout in milliseconds once it has expired; otherwise undefined. */
  readonly timedOutAfterMs: number | undefined;
  /** The idle timeout in milliseconds if the server did not respond within it; otherwise undefined. */
  readonly unansweredForMs: number | undefined;
  /** Begins the wait for a response, which the idle timeout limits. */
  sent(): void;
  /** Ends the wait for a response. */
  answered(): void;
  /** Releases the caller's signal and the timer; the connection stays open for reuse. */
  close(): void;
  /** Closes the connection. */
  abort(): void;
}

/** Opens the scope of an attempt; a timeout of 0 means no limit. */
export function openScope(options: {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Limits the wait for the response in milliseconds. */
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}): AttemptScope {
  const controller = new AbortController();
  let timedOutAfterMs: number | undefined;
  let unansweredForMs: number | undefined;
  const stopListening = onAbort(options.signal, () => controller.abort(options.signal?.reason));
  const giveUp = (): void => {
    timedOutAfterMs = options.timeoutMs;
    controller.abort();
  };
  const timer = options.timeoutMs > 0 ? options.clock.setTimeout(giveUp, options.timeoutMs) : undefined;
  const giveUpWaiting = (): void => {
    unansweredForMs = options.idleTimeoutMs;
    controller.abort();
  };
  let idle: Timer | undefined;
  const sent = (): void => {
    idle?.cancel();
    if (options.idleTimeoutMs > 0) idle = options.clock.setTimeout(giveUpWaiting, options.idleTimeoutMs).unref();
  };
  const close = (): void => {
    stopListening();
    timer?.cancel();
    idle?.cancel();
  };
  return {
    signal: controller.signal,
    get timedOutAfterMs() {
      return timedOutAfterMs;
    },
    get unansweredForMs() {
      return unansweredForMs;
    },
    sent,
    answered: () => idle?.cancel(),
    close,
    abort: () => {
      close();
      controller.abort();
    },
  };
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
