import { seededRandom } from "@kubescaffold/platform";

import { type FaultKind, type FaultProbabilities } from "./faults.ts";

/** A fault that a schedule selected, and random numbers for its details. */
export interface Selected<Kind extends FaultKind = FaultKind> {
  /** The fault. */
  readonly kind: Kind;
  /** Returns the next number from 0 up to 1. */
  readonly random: () => number;
}

/**
 * Selects the faults of requests and events by a seed.
 *
 * Guarantees: the selection for an occasion depends on the seed and the occasion only, neither on time nor on the order of other requests.
 */
export class Schedule {
  readonly #seed: number;
  readonly #probabilities: FaultProbabilities;

  constructor(seed: number, probabilities: FaultProbabilities) {
    this.#seed = seed;
    this.#probabilities = probabilities;
  }

  /** Returns the random numbers of an occasion, such as the third GET of a path. */
  randomOf(occasion: string): () => number {
    return seededRandom(this.#seed, occasion);
  }

  /** Selects at most one of the faults that apply to an occasion. */
  select<Kind extends FaultKind>(
    occasion: string,
    kinds: readonly Kind[],
    applies: (kind: Kind) => boolean,
  ): Selected<Kind> | undefined {
    const random = this.randomOf(occasion);
    let rest = random();
    for (const kind of kinds) {
      const probability = this.#probabilities[kind] ?? 0;
      if (rest < probability) return applies(kind) ? { kind, random } : undefined;
      rest -= probability;
    }
    return undefined;
  }
}
