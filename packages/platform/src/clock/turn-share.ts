import { nextTurn } from "./event-loop.ts";

// A step, such as a write, takes about a millisecond; requests, timers, and sockets wait for these at most.
const STEPS_PER_TURN = 8;
const LONGEST_TURN_MS = 10;
// Looking at so many objects takes as long as a step.
const OBJECTS_PER_STEP = 64;

/** The limits of a turn. */
export interface TurnLimits {
  /** The steps of a turn. Default: 8. */
  readonly steps?: number;
  /** The real time after which a turn has no further steps, in milliseconds. Default: none. */
  readonly ms?: number;
  /** The steps of the first turn, from which each turn has one more up to `steps`: for steps that take longer before their code is loaded and compiled. Default: `steps`. */
  readonly firstSteps?: number;
}

/**
 * Divides the event loop between those that take its steps, such as controllers or the items of a long list, and everything else in the process.
 *
 * Guarantees: all of them together take at most a fixed number of steps, or steps for a fixed time, before timers, sockets, and requests get their turn; steps
 * are granted in the order in which they were requested.
 */
export class TurnShare {
  readonly #steps: number;
  readonly #ms: number;
  #granted: number;
  #left: number;
  #endsAt: number;
  #waiting: Promise<void> | undefined;

  constructor({ steps = STEPS_PER_TURN, ms = Infinity, firstSteps = steps }: TurnLimits = {}) {
    this.#steps = steps;
    this.#ms = ms;
    this.#granted = firstSteps;
    this.#left = this.#granted;
    this.#endsAt = this.#end();
  }

  /** Returns the share of long work: as many steps as fit into 10 ms. Guarantees: the real time counts, so that tests with another clock do not block either. */
  static ofTime(): TurnShare {
    return new TurnShare({ steps: Infinity, ms: LONGEST_TURN_MS });
  }

  /** Returns undefined if the next step may be taken, or else a promise that resolves when it may. */
  step(): Promise<void> | undefined {
    return this.#take() ? undefined : this.#takeLater();
  }

  async #takeLater(): Promise<void> {
    do await (this.#waiting ??= this.#renew());
    while (!this.#take());
  }

  #take(): boolean {
    if (this.#left === 0 || (this.#endsAt !== Infinity && performance.now() >= this.#endsAt)) return false;
    this.#left -= 1;
    return true;
  }

  async #renew(): Promise<void> {
    await nextTurn();
    this.#granted = Math.min(this.#granted + 1, this.#steps);
    this.#left = this.#granted;
    this.#endsAt = this.#end();
    this.#waiting = undefined;
  }

  #end(): number {
    return this.#ms === Infinity ? Infinity : performance.now() + this.#ms;
  }
}

/** Changes each item of a long list, and returns the results. Guarantees: does not block the event loop, as {@link TurnShare.ofTime}. */
export async function eachInTurns<T, R>(items: readonly T[], change: (item: T) => R): Promise<readonly R[]> {
  const turns = TurnShare.ofTime();
  const changed: R[] = [];
  for (const item of items) {
    changed.push(change(item));
    const pause = turns.step();
    if (pause !== undefined) await pause;
  }
  return changed;
}

/** The part of a {@link TurnShare} that one controller takes: who looks at many objects takes more steps, so that the others come first. */
export class OwnTurns {
  readonly #share: Pick<TurnShare, "step">;
  #objects = 0;

  constructor(share: Pick<TurnShare, "step">) {
    this.#share = share;
  }

  /** Adds objects that the controller looks at to the cost of its next step. */
  charge(objects: number): void {
    this.#objects += objects;
  }

  /** Resolves when the next step may be taken. */
  async step(): Promise<void> {
    await this.#share.step();
    while (this.#objects >= OBJECTS_PER_STEP) {
      this.#objects -= OBJECTS_PER_STEP;
      await this.#share.step();
    }
  }
}
