import { onAbort } from "../clock/abort.ts";
import type { Clock } from "../clock/clock.ts";

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
