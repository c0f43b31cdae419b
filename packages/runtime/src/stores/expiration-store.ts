import { type Clock, realClock } from "@kubescaffold/platform/clock";

/** Options of {@link createTtlStore}. */
export interface TtlStoreOptions {
  /** The lifetime of items in milliseconds; 0 or less means that they never expire. */
  readonly ttlMs: number;
  /** The clock of the lifetime. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * A store whose items expire; expired items are removed when they are read.
 *
 * client-go: tools/cache.ExpirationCache
 */
export interface ExpirationStore<T> {
  /** Stores an item, and restarts its lifetime. */
  add(item: T): void;
  /** Stores an item, and restarts its lifetime, like `add`. */
  update(item: T): void;
  /** Removes the item with the key of the given one. */
  delete(item: T): void;
  /** Replaces all items. */
  replace(items: readonly T[]): void;
  /** Returns the item with the key of the given one; undefined if it is missing or has expired. */
  get(item: T): T | undefined;
  /** Returns an item; undefined if it is missing or has expired. */
  getByKey(key: string): T | undefined;
  /** Returns all items that have not expired. */
  list(): readonly T[];
  /** Returns all keys, including those of expired items that were not read since. */
  listKeys(): readonly string[];
}

interface Entry<T> {
  readonly item: T;
  readonly storedAt: number;
}

/**
 * Creates a store whose items expire when they are older than a lifetime.
 *
 * client-go: tools/cache.NewTTLStore
 *
 * @example
 * const seen = createTtlStore<Pod>((pod) => pod.metadata.uid ?? "", { ttlMs: 60_000 });
 * seen.add(pod);
 */
export function createTtlStore<T>(
  keyOf: (item: T) => string,
  { ttlMs, clock = realClock }: TtlStoreOptions,
): ExpirationStore<T> {
  let entries = new Map<string, Entry<T>>();
  const add = (item: T): void => {
    entries.set(keyOf(item), { item, storedAt: clock.monotonic() });
  };
  const getByKey = (key: string): T | undefined => {
    const entry = entries.get(key);
    if (entry !== undefined && ttlMs > 0 && clock.monotonic() - entry.storedAt > ttlMs) {
      entries.delete(key);
      return undefined;
    }
    return entry?.item;
  };
  return {
    add,
    update: add,
    delete: (item) => {
      entries.delete(keyOf(item));
    },
    replace: (items) => {
      const storedAt = clock.monotonic();
      entries = new Map(items.map((item) => [keyOf(item), { item, storedAt }]));
    },
    get: (item) => getByKey(keyOf(item)),
    getByKey,
    list: () => [...entries.keys()].flatMap((key) => getByKey(key) ?? []),
    listKeys: () => [...entries.keys()],
  };
}
