import { type Clock, realClock, type Timer } from "./clock.ts";
import { shortPause } from "./event-loop.ts";

// What is answered in this process or on this machine is answered within so many turns of at least a millisecond.
const TURNS_OF_PATIENCE = 250;

/**
 * Returns a clock for deadlines of requests: a timer that is due on `clock` still waits for a few hundred turns of the event loop, so that a clock that
 * jumps does not end a request that is being answered. The clock of the machine never jumps for timers, and is returned as it is.
 */
export function patientClock(clock: Clock): Clock {
  if (clock === realClock) return clock;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimeout: (callback, delayMs) => startPatientTimer(clock, callback, delayMs),
    hold: (work) => clock.hold?.(work),
  };
}

function startPatientTimer(clock: Clock, callback: () => void, delayMs: number): Timer {
  let isCanceled = false;
  const wait = async (): Promise<void> => {
    for (let turns = 0; turns < TURNS_OF_PATIENCE && !isCanceled; turns += 1) await shortPause();
    if (!isCanceled) callback();
  };
  const due = clock.setTimeout(() => void wait(), delayMs);
  const timer: Timer = {
    cancel: () => {
      isCanceled = true;
      due.cancel();
    },
    unref: () => {
      due.unref();
      return timer;
    },
  };
  return timer;
}
