/** A scheduled call that can be cancelled. */
export interface Timer {
  /** Cancels the timer; has no effect after it has fired. */
  cancel(): void;
  /** Allows the process to exit while the timer is pending; returns the timer. */
  unref(): Timer;
}

/** The server's only source of time: reads it, and schedules timers. */
export interface Clock {
  /** Returns the wall-clock time in milliseconds since 1970. */
  now(): number;
  /** Calls back once after a delay. */
  setTimeout(callback: () => void, delayMs: number): Timer;
}

/** The clock of the machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => {
    const handle = setTimeout(callback, Math.min(Math.max(0, delayMs), 2 ** 31 - 1));
    const timer: Timer = {
      cancel: () => clearTimeout(handle),
      unref: () => {
        handle.unref();
        return timer;
      },
    };
    return timer;
  },
};

/** Prints a moment as objects carry it: RFC 3339 in UTC with whole seconds. */
export function toTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
