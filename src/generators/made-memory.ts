/**
 * Keeps parts of what runs made, each under a key of all that it was made from, so that the same need not be made again.
 *
 * Guarantees: what a run made is known to the next ones only when nothing was found wrong in it; what such a run did not use is forgotten.
 */
export class MadeMemory {
  #known: ReadonlyMap<string, unknown>;
  #used: Map<string, unknown> = new Map();
  #hasServed = false;

  constructor(known: ReadonlyMap<string, unknown> = new Map()) {
    this.#known = known;
  }

  /** What the next run will know; it is plain data. */
  get known(): ReadonlyMap<string, unknown> {
    return this.#known;
  }

  /** Says whether this run took anything from a former one. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** Returns what is known under a key, which says what of its kind it is, or makes it. */
  recall<T>(key: string, make: () => T): T {
    const isKnown = this.#known.has(key);
    const value = isKnown ? (this.#known.get(key) as T) : make();
    this.#hasServed ||= isKnown;
    this.#used.set(key, value);
    return value;
  }

  /** Ends a run. */
  finish({ isClean }: { readonly isClean: boolean }): void {
    const isSame = this.#used.size === this.#known.size && [...this.#used.keys()].every((key) => this.#known.has(key));
    if (isClean && !isSame) this.#known = this.#used;
    this.#used = new Map();
    this.#hasServed = false;
  }
}
