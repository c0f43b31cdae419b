import { deserialize, serialize } from "node:v8";

/** Stores bytes by key across processes. */
export interface ByteStore {
  /** Returns an entry, or undefined if there is none. */
  readonly read: (key: string) => Uint8Array | undefined;
  /** Stores an entry. */
  readonly write: (key: string, bytes: Uint8Array) => void;
}

/**
 * Memoizes parts of a run by key, from one run to the next.
 *
 * Guarantees: the next run sees only the parts of runs without findings; a run without findings drops the parts that it did not use.
 */
export class Memo {
  #known: ReadonlyMap<string, unknown>;
  #used: Map<string, unknown> = new Map();
  #hits = 0;

  constructor(known: ReadonlyMap<string, unknown> = new Map()) {
    this.#known = known;
  }

  /** The parts that the next run will see; plain data. */
  get known(): ReadonlyMap<string, unknown> {
    return this.#known;
  }

  /** How many parts of this run came from the cache. */
  get hits(): number {
    return this.#hits;
  }

  /** Returns the value cached for a key, or computes it. */
  memoize<T>(key: string, compute: () => T): T {
    const isKnown = this.#known.has(key);
    const value = isKnown ? (this.#known.get(key) as T) : compute();
    if (isKnown) this.#hits += 1;
    this.#used.set(key, value);
    return value;
  }

  /** Ends a run. */
  finish({ isClean }: { readonly isClean: boolean }): void {
    const isSame = this.#used.size === this.#known.size && [...this.#used.keys()].every((key) => this.#known.has(key));
    if (isClean && !isSame) this.#known = this.#used;
    this.#used = new Map();
    this.#hits = 0;
  }
}

// Beyond this it is faster to compute all parts again.
const MOST_ENTRIES = 100_000;

/** A memo that is stored across processes. */
export interface StoredMemo {
  readonly memo: Memo;
  /** Stores the memo when it changed. */
  readonly save: () => void;
}

/** Reads the memo stored under a key; it is empty without a store. */
export function readMemo(store: ByteStore | undefined, key: string): StoredMemo {
  if (store === undefined) return { memo: new Memo(), save: () => undefined };
  const stored = readMap(store, key);
  const memo = new Memo(stored);
  return {
    memo,
    save: () => {
      if (memo.known !== stored && memo.known.size <= MOST_ENTRIES) writeMap(store, key, memo.known);
    },
  };
}

/** Reads a map of plain data; an entry that is damaged or written by another program counts as an empty map. */
export function readMap<T>(store: ByteStore, key: string): Map<string, T> {
  const bytes = store.read(key);
  if (bytes === undefined) return new Map();
  try {
    const value: unknown = deserialize(bytes);
    return value instanceof Map ? (value as Map<string, T>) : new Map();
  } catch {
    return new Map();
  }
}

/** Writes a map of plain data. */
export function writeMap(store: ByteStore, key: string, map: ReadonlyMap<string, unknown>): void {
  store.write(key, serialize(map));
}
