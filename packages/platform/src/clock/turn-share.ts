import { nextTurn } from "./event-loop.ts";

// A step, such as a write, takes about a millisecond; requests, timers, and sockets wait for these at most.
const STEPS_PER_TURN = 8;
// Looking at so many objects takes as long as a step.
const OBJECTS_PER_STEP = 64;

/**
 * Divides the event loop between those that take its steps, such as controllers, and everything else in the process.
 *
 * Guarantees: all of them together take at most a fixed number of steps before timers, sockets, and requests get their turn; steps are granted in the order
 * in which they were requested.
 */
export class TurnShare {
  readonly #stepsPerTurn: number;
  #left: number;
  #waiting: Promise<void> | undefined;

  constructor(stepsPerTurn: number = STEPS_PER_TURN) {
    this.#stepsPerTurn = stepsPerTurn;
    this.#left = stepsPerTurn;
  }

  /** Resolves when the next step may be taken. */
  async step(): Promise<void> {
    while (this.#left === 0) await (this.#waiting ??= this.#renew());
    this.#left -= 1;
  }

  async #renew(): Promise<void> {
    await nextTurn();
    this.#left = this.#stepsPerTurn;
    this.#waiting = undefined;
  }
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
