import { onAbort } from "./abort.ts";

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
   * Calls back once after a delay in milliseconds, which {@link Clock.now} shows to have passed; a negative delay counts as zero.
   *
   * Guarantees: the callback never runs before `setTimeout` returned; delays beyond 24.8 days work.
   */
  setTimeout(callback: () => void, delayMs: number): Timer;
  /** Reports work in progress, such as a request, to a clock of tests, which lets it end before time passes. Other clocks do without. */
  hold?(work: Promise<unknown>): void;
}

// Node.js loads what it needs for `performance` when a program first names it, which takes milliseconds, and finds it by a getter after that.
let timing: typeof performance | undefined;

/** The clock of the machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => (timing ??= performance).now(),
  setTimeout: (callback, delayMs) => startTimer(callback, delayMs),
};

/** The longest delay of a timer of Node.js in milliseconds, 24.8 days; timers with longer ones fire immediately. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;
// Timers and the wall clock tick at their own pace; a larger difference means that somebody has set the clock back.
const LARGEST_LEAD_MS = 1000;

function startTimer(callback: () => void, delayMs: number): Timer {
  let leftMs = Math.max(0, delayMs);
  const dueAt = Date.now() + leftMs;
  let isReferenced = true;
  let handle: NodeJS.Timeout;
  const wait = (): void => {
    const legMs = Math.min(leftMs, LONGEST_TIMER_MS);
    leftMs -= legMs;
    handle = setTimeout(fire, legMs);
    if (!isReferenced) handle.unref();
  };
  // A timer of Node.js can fire a millisecond before the wall clock shows its time: whoever compares times would find that nothing is due.
  const fire = (): void => {
    const leadMs = dueAt - Date.now();
    if (leftMs === 0 && leadMs > 0 && leadMs <= LARGEST_LEAD_MS) leftMs = leadMs;
    if (leftMs > 0) wait();
    else callback();
  };
  wait();
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
