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
    return randomNumbers(hash(`${String(this.#seed)} ${occasion}`));
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

// FNV-1a, whose low bits are mixed further by the generator.
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

// A counter whose steps are mixed as in SplitMix32.
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
