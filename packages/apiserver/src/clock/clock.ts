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
  /** Calls back once after a delay, which {@link Clock.now} shows to have passed. */
  setTimeout(callback: () => void, delayMs: number): Timer;
}

// Timers of Node.js cannot wait longer.
const LONGEST_LEG_MS = 2 ** 31 - 1;
// Timers and the wall clock tick at their own pace; a larger difference means that somebody has set the clock back.
const LARGEST_LEAD_MS = 1000;

/** The clock of the machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => {
    let leftMs = Math.max(0, delayMs);
    const dueAt = Date.now() + leftMs;
    let isReferenced = true;
    let handle: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const legMs = Math.min(leftMs, LONGEST_LEG_MS);
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
  },
};

// Many writes have the same time.
let latest = { second: Number.NaN, text: "" };

/** Prints a moment as objects carry it: RFC 3339 in UTC with whole seconds. */
export function toTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  if (second !== latest.second) latest = { second, text: `${new Date(epochMs).toISOString().slice(0, 19)}Z` };
  return latest.text;
}

/** Prints a moment as `MicroTime`: RFC 3339 in UTC with microseconds. */
export function toMicroTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace("Z", "000Z");
}

/** Resolves once a signal is aborted. */
export async function whenAborted(signal: AbortSignal): Promise<undefined> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return undefined;
}
