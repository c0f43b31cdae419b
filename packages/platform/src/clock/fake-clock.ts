import { type Clock, realClock, type Timer } from "./clock.ts";
import { nextTurn, shortPause } from "./event-loop.ts";

interface PendingCall {
  readonly dueAt: number;
  readonly sequence: number;
  readonly callback: () => void;
}

const TURNS_WITHOUT_PAUSE = 50;
// Work that makes no progress for so many turns of at least a millisecond waits for the clock itself, or for something that never comes.
const TURNS_OF_PATIENCE = 250;

/**
 * FakeClock is a clock that only advances when a test advances it.
 *
 * Guarantees: due callbacks run in order of their time, ties in order of scheduling, each with `now()` at its own time. Time does not pass while a request, a
 * reconcile, or a controller of the embedded cluster on this clock is at work, so that an advance alone makes none of them late; work that waits for the
 * clock itself does not hold it for long.
 *
 * @example
 * const clock = new FakeClock();
 * clock.setTimeout(() => console.log("a minute later"), 60_000);
 * await clock.advance(60_000);
 */
export class FakeClock implements Clock {
  #nowMs: number;
  #sequence = 0;
  readonly #startMs: number;
  readonly #pending = new Set<PendingCall>();
  readonly #work = new Set<Promise<unknown>>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const call = { dueAt: this.#nowMs + Math.max(0, delayMs), sequence: this.#sequence++, callback };
    this.#pending.add(call);
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(call);
      },
      unref: () => timer,
    };
    return timer;
  }

  hold(work: Promise<unknown>): void {
    this.#work.add(work);
    const end = (): void => void this.#work.delete(work);
    work.then(end, end);
  }

  /** The number of pending timers. */
  get pendingTimers(): number {
    return this.#pending.size;
  }

  /** Milliseconds until the next timer is due; undefined without timers. */
  get nextDelayMs(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.dueAt - this.#nowMs;
  }

  /** Advances the time and runs the due callbacks without letting promises resolve in between. */
  step(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (let call = this.#takeDue(endMs); call !== undefined; call = this.#takeDue(endMs)) {
      call.callback();
    }
    this.#nowMs = endMs;
  }

  /**
   * Advances the time and runs the due callbacks; pending promises resolve, and the work in progress ends before the first, between any two, and after the last.
   */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    await this.#rest();
    for (let call = this.#takeDue(endMs); call !== undefined; call = this.#takeDue(endMs)) {
      call.callback();
      await this.#rest();
    }
    this.#nowMs = endMs;
    await this.#rest();
  }

  /**
   * Sets the time forward at once, as after the suspension of a machine: whatever is due runs once, in order, and finds the time at the end of the jump.
   * What repeats every few seconds, such as the renewal of a lease, is late then. Use it for months and years, for which {@link FakeClock.advance} runs millions of callbacks.
   */
  async jump(durationMs: number): Promise<void> {
    await this.#rest();
    this.#nowMs += durationMs;
    const endMs = this.#nowMs;
    for (let call = this.#takeDue(endMs); call !== undefined; call = this.#takeDue(endMs)) {
      call.callback();
      await this.#rest();
    }
  }

  // Lets the work in progress end; what does not is not waited for again.
  async #rest(): Promise<void> {
    await settle();
    for (let turns = 0; this.#work.size > 0; turns += 1) {
      if (turns === TURNS_OF_PATIENCE) this.#work.clear();
      else await (turns < TURNS_WITHOUT_PAUSE ? nextTurn() : shortPause());
      if (this.#work.size === 0) await settle();
    }
  }

  #takeDue(endMs: number): PendingCall | undefined {
    const next = this.#next();
    if (next === undefined || next.dueAt > endMs) {
      return undefined;
    }
    this.#pending.delete(next);
    this.#nowMs = Math.max(this.#nowMs, next.dueAt);
    return next;
  }

  #next(): PendingCall | undefined {
    let next: PendingCall | undefined;
    for (const call of this.#pending) {
      if (
        next === undefined ||
        call.dueAt < next.dueAt ||
        (call.dueAt === next.dueAt && call.sequence < next.sequence)
      ) {
        next = call;
      }
    }
    return next;
  }
}

/** Lets promise callbacks and immediates that can already run complete. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

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
  const state = { isCanceled: false };
  const wait = async (): Promise<void> => {
    for (let turns = 0; turns < TURNS_OF_PATIENCE && !state.isCanceled; turns += 1) await shortPause();
    if (!state.isCanceled) callback();
  };
  const due = clock.setTimeout(() => void wait(), delayMs);
  const timer: Timer = {
    cancel: () => {
      state.isCanceled = true;
      due.cancel();
    },
    unref: () => {
      due.unref();
      return timer;
    },
  };
  return timer;
}
