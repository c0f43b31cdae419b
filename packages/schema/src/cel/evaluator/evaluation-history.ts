import type { CelValue } from "../values/cel-value.ts";
import type { EvaluationObserver } from "./evaluation-observer.ts";

/** How long an evaluation may run before others go on. */
export const LONGEST_TURN_MS = 10;

const ELEMENTS_PER_LOOK = 100;

/** Thrown from an evaluation that takes too long for one turn: the next turn continues it from its {@link EvaluationHistory}. */
export class EvaluationStopped extends Error {}

/** A loop of an evaluation, and how far it came. */
export interface LoopProgress {
  /** The loops around it, or before it. */
  readonly outer: Level;
  /** The loops that its current step has begun. */
  readonly inner: Level;
  /** Absent until its range is known. */
  elements?: Iterator<readonly [CelValue, CelValue]>;
  /** The current one; absent after the last. */
  element?: readonly [CelValue, CelValue] | undefined;
  /** Absent until it has finished. */
  result?: CelValue;
}

type Level = Map<object, LoopProgress>;

/**
 * The history of an evaluation that takes several turns.
 *
 * Each turn evaluates the expression from its start, and finds the loops where the last turn left them: those that finished have their
 * results, and the others continue with their element. Variables keep their values, and what was observed is not observed again.
 */
export class EvaluationHistory<F extends { observer: EvaluationObserver | undefined }> {
  readonly #nowMs: () => number;
  readonly #elementsPerLook: number;
  readonly #loops: Level = new Map();
  readonly #frames = new Map<object, { readonly frame: F; readonly observer: EvaluationObserver | undefined }>();
  #level: Level = this.#loops;
  #stoppedIn: LoopProgress | undefined;
  #stoppedAtMs = 0;
  #pausedMs = 0;
  #turnEndsAtMs: number;
  #elements = 0;

  /** Clocks can be slow, so that not every element looks at them. */
  constructor(nowMs: () => number, elementsPerLook: number = ELEMENTS_PER_LOOK) {
    this.#nowMs = nowMs;
    this.#elementsPerLook = elementsPerLook;
    this.#turnEndsAtMs = nowMs() + LONGEST_TURN_MS;
  }

  /** Returns the time without that between the turns. */
  activeMs(): number {
    return this.#nowMs() - this.#pausedMs;
  }

  /** Begins the next turn. */
  resume(): void {
    this.#pausedMs += this.#nowMs() - this.#stoppedAtMs;
    this.#level = this.#loops;
    for (const { frame } of this.#frames.values()) frame.observer = undefined;
  }

  /** Returns the frame of a program, which all turns share. */
  frameOf(program: object, create: () => F): F {
    const known = this.#frames.get(program);
    if (known !== undefined) return known.frame;
    const frame = create();
    this.#frames.set(program, { frame, observer: frame.observer });
    return frame;
  }

  /** Begins a loop, or continues it. */
  enter(loop: object): LoopProgress {
    const progress = this.#level.get(loop) ?? { outer: this.#level, inner: new Map() };
    this.#level.set(loop, progress);
    this.#level = progress.inner;
    return progress;
  }

  leave(progress: LoopProgress): void {
    this.#level = progress.outer;
  }

  /** Makes the next element look at the clock, after one that did much work. */
  lookSoon(): void {
    this.#elements = -1;
  }

  /** Looks at the clock before some elements; ends the turn with {@link EvaluationStopped} if it took long, but not where it has begun. */
  look(progress: LoopProgress): void {
    if (this.#stoppedIn === undefined) {
      this.#elements += 1;
      if (this.#elements % this.#elementsPerLook !== 0) return;
      const now = this.#nowMs();
      if (now <= this.#turnEndsAtMs) return;
      this.#stoppedIn = progress;
      this.#stoppedAtMs = now;
      throw new EvaluationStopped();
    }
    if (this.#stoppedIn !== progress) return;
    this.#stoppedIn = undefined;
    this.#turnEndsAtMs = this.#nowMs() + LONGEST_TURN_MS;
    for (const { frame, observer } of this.#frames.values()) frame.observer = observer;
  }
}
