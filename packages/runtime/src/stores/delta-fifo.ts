import { untilAborted } from "@kubescaffold/platform/clock";

import { Latch } from "../cache/latch.ts";
import { FifoClosedError } from "./errors.ts";

/**
 * A change of an object. A deletion with `isStateUnknown` was missed: the object is its last known state, if there is one.
 *
 * client-go: tools/cache.Delta
 */
export type Delta<T> =
  | { readonly type: "Added" | "Updated" | "Replaced" | "Sync"; readonly object: T }
  | { readonly type: "Deleted"; readonly object: T; readonly isStateUnknown: false }
  | { readonly type: "Deleted"; readonly object: T | undefined; readonly isStateUnknown: true };

/**
 * The changes of one object from the oldest to the newest; never empty.
 *
 * client-go: tools/cache.Deltas
 */
export type Deltas<T> = readonly [Delta<T>, ...Delta<T>[]];

/**
 * The objects that the consumer of a queue knows, such as an `IndexedStore`.
 *
 * client-go: tools/cache.KeyListerGetter
 */
export interface KnownObjects<T> {
  /** Returns the keys of all objects. */
  listKeys(): readonly string[];
  /** Returns the object with a key; undefined without one. */
  getByKey(key: string): T | undefined;
}

/**
 * Options of {@link createDeltaFifo}.
 *
 * client-go: tools/cache.DeltaFIFOOptions
 */
export interface DeltaFifoOptions<T> {
  /** What the consumer knows, so that deletions that were missed are found. Default: only what is in the queue. */
  readonly knownObjects?: KnownObjects<T>;
  /** Reports the objects of `replace` as `Sync` in place of `Replaced`. Default: false. */
  readonly replacedAsSync?: boolean;
  /** Transforms each object when it is added, also when it is replaced or deleted. Default: no transformation. */
  readonly transform?: (object: T) => T;
}

/**
 * A queue of objects with their changes since they were last taken: a consumer that is slower than the changes receives all of them at once.
 *
 * Guarantees: keys are taken in the order of their first change; a second deletion in a row is dropped, except that it replaces one whose
 * final state is unknown.
 *
 * client-go: tools/cache.DeltaFIFO
 */
export interface DeltaFifo<T> {
  /** The number of keys in the queue. */
  readonly size: number;
  /** Adds a delta of type `Added`. */
  add(object: T): void;
  /** Adds a delta of type `Updated`. */
  update(object: T): void;
  /** Adds a delta of type `Deleted`, unless the object is neither queued nor known. */
  delete(object: T): void;
  /** Like {@link delete}, for a deletion that was missed: the final state of the object is unknown. */
  deleteByKey(key: string, lastKnown?: T): void;
  /**
   * Adds a delta of type `Replaced` for each object, and one of type `Deleted` for every other queued or known object.
   *
   * Guarantees: the queue stays as it was if a transformation throws.
   */
  replace(objects: readonly T[]): void;
  /** Adds a delta of type `Sync` for each known object that is not in the queue. */
  resync(): void;
  /**
   * Waits for a key, removes it from the queue, and calls the function with its changes. Returns them.
   *
   * The function is synchronous, so that the queue and the known objects change at the same time.
   *
   * Fails: with the error of the function, whose changes are not queued again; {@link FifoClosedError} if the queue is closed and empty; or with
   * the signal's reason.
   */
  pop(process: PopFunction<T>, options?: { readonly signal?: AbortSignal }): Promise<QueuedChanges<T>>;
  /** Reports whether the objects of the first `replace` have been taken; true also if another change came first. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} is true. Fails: with the signal's reason. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Makes {@link pop} fail when the queue is empty. */
  close(): void;
}

/** The changes of one key since it was last taken. */
export interface QueuedChanges<T> {
  /** The key of the object. */
  readonly key: string;
  /** The changes. */
  readonly deltas: Deltas<T>;
  /** Whether the queue had not synced before. */
  readonly isInInitialList: boolean;
}

/**
 * Processes the changes of one key.
 *
 * client-go: tools/cache.PopProcessFunc
 */
export type PopFunction<T> = (changes: QueuedChanges<T>) => void;

/**
 * Creates a queue of changes, for consumers other than the handlers of informers.
 *
 * client-go: tools/cache.NewDeltaFIFOWithOptions
 *
 * @example
 * const known = createIndexedStore<Node>((node) => node.metadata.name ?? "");
 * const changes = createDeltaFifo<Node>((node) => node.metadata.name ?? "", { knownObjects: known });
 * changes.replace(nodes.items);
 * await changes.pop(({ key, deltas }) => {
 *   for (const { type } of deltas) console.log(type, key);
 * });
 */
export function createDeltaFifo<T>(keyOf: (object: T) => string, options: DeltaFifoOptions<T> = {}): DeltaFifo<T> {
  return new KeyedDeltas(keyOf, options);
}

class KeyedDeltas<T> implements DeltaFifo<T> {
  readonly #keyOf: (object: T) => string;
  readonly #options: DeltaFifoOptions<T>;
  // In the order in which the keys were added.
  readonly #queue = new Map<string, Deltas<T>>();
  readonly #synced = new Latch();
  #waiting: (() => void)[] = [];
  // The objects of the first replacement that have not been taken; undefined before the first change.
  #initialKeys: number | undefined;
  #isClosed = false;

  constructor(keyOf: (object: T) => string, options: DeltaFifoOptions<T>) {
    this.#keyOf = keyOf;
    this.#options = options;
  }

  get size(): number {
    return this.#queue.size;
  }

  add(object: T): void {
    this.#populate(0);
    this.#push(this.#keyOf(object), { type: "Added", object: this.#transformed(object) });
  }

  update(object: T): void {
    this.#populate(0);
    this.#push(this.#keyOf(object), { type: "Updated", object: this.#transformed(object) });
  }

  delete(object: T): void {
    const key = this.#keyOf(object);
    this.#populate(0);
    if (this.#isPresent(key)) {
      this.#push(key, { type: "Deleted", object: this.#transformed(object), isStateUnknown: false });
    }
  }

  deleteByKey(key: string, lastKnown?: T): void {
    this.#populate(0);
    if (this.#isPresent(key)) {
      this.#push(key, { type: "Deleted", object: lastKnown, isStateUnknown: true });
    }
  }

  replace(objects: readonly T[]): void {
    const type = this.#options.replacedAsSync === true ? "Sync" : "Replaced";
    const replacement = objects.map((object) => [this.#keyOf(object), this.#transformed(object)] as const);
    const keys = new Set(replacement.map(([key]) => key));
    for (const [key, object] of replacement) {
      this.#push(key, { type, object });
    }
    const deletions = [...this.#queuedBesides(keys), ...this.#knownBesides(keys)];
    for (const [key, object] of deletions) {
      this.#push(key, { type: "Deleted", object, isStateUnknown: true });
    }
    this.#populate(keys.size + deletions.length);
  }

  resync(): void {
    const { knownObjects } = this.#options;
    for (const key of knownObjects?.listKeys() ?? []) {
      const object = knownObjects?.getByKey(key);
      if (object !== undefined && !this.#queue.has(this.#keyOf(object))) {
        this.#push(this.#keyOf(object), { type: "Sync", object });
      }
    }
  }

  async pop(process: PopFunction<T>, { signal }: { readonly signal?: AbortSignal } = {}): Promise<QueuedChanges<T>> {
    signal?.throwIfAborted();
    let first = this.#first();
    while (first === undefined) {
      if (this.#isClosed) {
        throw new FifoClosedError();
      }
      await untilAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
      first = this.#first();
    }
    const [key, deltas] = first;
    const changes: QueuedChanges<T> = { key, deltas, isInInitialList: !this.#synced.isOpen };
    this.#queue.delete(key);
    this.#countTaken();
    process(changes);
    return changes;
  }

  hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    await this.#synced.wait(signal);
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  #first(): [string, Deltas<T>] | undefined {
    return this.#queue.entries().next().value;
  }

  #transformed(object: T): T {
    return this.#options.transform === undefined ? object : this.#options.transform(object);
  }

  #isPresent(key: string): boolean {
    return this.#queue.has(key) || this.#options.knownObjects?.getByKey(key) !== undefined;
  }

  #queuedBesides(keys: ReadonlySet<string>): readonly (readonly [string, T | undefined])[] {
    return [...this.#queue].flatMap(([key, deltas]) =>
      keys.has(key) ? [] : [[key, (deltas.at(-1) ?? deltas[0]).object] as const],
    );
  }

  #knownBesides(keys: ReadonlySet<string>): readonly (readonly [string, T | undefined])[] {
    const { knownObjects } = this.#options;
    return (knownObjects?.listKeys() ?? []).flatMap((key) =>
      keys.has(key) || this.#queue.has(key) ? [] : [[key, knownObjects?.getByKey(key)] as const],
    );
  }

  #push(key: string, delta: Delta<T>): void {
    this.#queue.set(key, withDelta(this.#queue.get(key), delta));
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) {
      resolve();
    }
  }

  #populate(initialKeys: number): void {
    if (this.#initialKeys === undefined) {
      this.#initialKeys = initialKeys;
      this.#openIfSynced();
    }
  }

  #countTaken(): void {
    if (this.#initialKeys !== undefined && this.#initialKeys > 0) {
      this.#initialKeys -= 1;
      this.#openIfSynced();
    }
  }

  #openIfSynced(): void {
    if (this.#initialKeys === 0) {
      this.#synced.open();
    }
  }
}

// Of two deletions in a row, the one whose final state is known is kept.
function withDelta<T>(deltas: Deltas<T> | undefined, delta: Delta<T>): Deltas<T> {
  if (deltas === undefined) {
    return [delta];
  }
  const last = deltas.at(-1);
  if (last?.type !== "Deleted" || delta.type !== "Deleted") {
    return [...deltas, delta];
  }
  return [...deltas.slice(0, -1), last.isStateUnknown ? delta : last] as unknown as Deltas<T>;
}
