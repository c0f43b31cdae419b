import { type Clock, onAbort } from "../clock/clock.ts";
import { ConnectionError } from "./errors.ts";
import type { WireResponse } from "./wire.ts";

/** Bounds one attempt at a request: it ends with the caller's signal, with its time, or when it is over. */
export interface AttemptScope {
  readonly signal: AbortSignal;
  /** Set once the time was over. */
  readonly timedOutAfterMs: number | undefined;
  /** Lets go of the caller's signal and the timer; the connection stays open for others. */
  close(): void;
  /** Gives up the connection. */
  abort(): void;
}

/** Opens the scope of an attempt; a time limit of 0 is none. */
export function openScope(options: {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
}): AttemptScope {
  const controller = new AbortController();
  let timedOutAfterMs: number | undefined;
  const stopListening = onAbort(options.signal, () => controller.abort(options.signal?.reason));
  const giveUp = (): void => {
    timedOutAfterMs = options.timeoutMs;
    controller.abort();
  };
  const timer = options.timeoutMs > 0 ? options.clock.setTimeout(giveUp, options.timeoutMs) : undefined;
  const close = (): void => {
    stopListening();
    timer?.cancel();
  };
  return {
    signal: controller.signal,
    get timedOutAfterMs() {
      return timedOutAfterMs;
    },
    close,
    abort: () => {
      close();
      controller.abort();
    },
  };
}

/** How one attempt at a request went. */
export type Outcome =
  | { readonly kind: "success"; readonly response: WireResponse; readonly scope: AttemptScope }
  | {
      readonly kind: "refused";
      readonly error: Error;
      readonly status: number;
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: "broken"; readonly error: Error };

const CUT_CONNECTION_WAIT_MS = 1000;

/**
 * Returns how long to wait before the next attempt, or undefined when there shall be none.
 *
 * A server that names a time with 429 or 5xx did not act on the request, so any verb is repeated; a cut connection
 * leaves that open, so only reading is.
 */
export function retryDelayMs(method: string, outcome: Exclude<Outcome, { kind: "success" }>): number | undefined {
  if (outcome.kind === "broken") {
    const isCut = outcome.error instanceof ConnectionError && outcome.error.failure === "closed";
    return isCut && method === "GET" ? CUT_CONNECTION_WAIT_MS : undefined;
  }
  const isOverload = outcome.status === 429 || outcome.status >= 500;
  return isOverload && outcome.retryAfterSeconds !== undefined ? outcome.retryAfterSeconds * 1000 : undefined;
}
