import { setMaxListeners } from "node:events";

/** A scheduled call that can be canceled. */
export interface Timer {
  /** Cancels the timer; does nothing after the timer has fired or was canceled. */
  cancel(): void;
  /** Allows the process to exit while the timer is pending; returns the timer. */
  unref(): Timer;
}

/**
 * Reads the time and schedules calls; tests replace it with a {@link FakeClock}.
 *
 * k8s.io/utils: clock.Clock
 */
export interface Clock {
  /** Returns the wall-clock time in milliseconds since 1970; it may jump. */
  now(): number;
  /** Returns milliseconds since an arbitrary start; it never goes back, so durations are measured with it. */
  monotonic(): number;
  /**
   * Calls back once after a delay in milliseconds; a negative delay counts as zero.
   *
   * Guarantees: the callback never runs before `setTimeout` returned; delays beyond 24.8 days work.
   */
  setTimeout(callback: () => void, delayMs: number): Timer;
}

/** The clock of the machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: performance.now.bind(performance),
  setTimeout: (callback, delayMs) => startTimer(callback, delayMs),
};

/**
 * Waits for a number of milliseconds.
 *
 * Fails: with the signal's reason when the signal aborts first; the timer is canceled then.
 */
export async function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      stopListening();
      resolve();
    }, delayMs);
    const stopListening = onAbort(signal, () => {
      timer.cancel();
      reject(signal?.reason as Error);
    });
  });
}

// Node fires timers with longer delays immediately.
const LONGEST_DELAY_MS = 2 ** 31 - 1;

function startTimer(callback: () => void, delayMs: number): Timer {
  let remainingMs = Math.max(0, delayMs);
  let isReferenced = true;
  let handle: NodeJS.Timeout;
  const arm = (): void => {
    const spanMs = Math.min(remainingMs, LONGEST_DELAY_MS);
    remainingMs -= spanMs;
    handle = setTimeout(remainingMs > 0 ? arm : callback, spanMs);
    if (!isReferenced) {
      handle.unref();
    }
  };
  arm();
  const timer: Timer = {
    cancel: () => clearTimeout(handle),
    unref: () => {
      isReferenced = false;
      handle.unref();
      return timer;
    },
  };
  return timer;
}

/**
 * Calls back once when a signal aborts, immediately if it already has.
 *
 * Guarantees: calling the returned function removes the listener; any number of listeners causes no warning.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) {
    return () => undefined;
  }
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  // Node 20 warns about more than ten listeners, and every open request adds one.
  setMaxListeners(0, signal);
  // A separate listener, since the same callback may be registered twice and removed once.
  const listener = (): void => callback();
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/**
 * Waits for a promise that others may share.
 *
 * Fails: with the signal's reason when the signal aborts first; the work goes on.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return await work;
  }
  let stopListening = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    stopListening();
  }
}

/** Resolves when a signal aborts, immediately if it already has. */
export async function whenAborted(signal: AbortSignal): Promise<undefined> {
  return await new Promise((resolve) => {
    onAbort(signal, () => resolve(undefined));
  });
}
