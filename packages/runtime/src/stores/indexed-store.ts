import { MissingStoreIndexError } from "./errors.ts";

/** Index functions of a store by name; each returns the values that an item is found by. */
export type StoreIndexers<T> = Readonly<Record<string, (item: T) => readonly string[]>>;

/** Options of {@link createIndexedStore}. */
export interface IndexedStoreOptions<T> {
  /** The indexes. Default: none. */
  readonly indexers?: StoreIndexers<T>;
  /** Receives all items after each change. Default: none. */
  readonly onChange?: (items: readonly T[]) => void;
}

/**
 * A store in memory with indexes, for items other than the objects of an informer.
 *
 * client-go: tools/cache.ThreadSafeStore
 */
export interface IndexedStore<T> {
  /** The number of items. */
  readonly size: number;
  /** Stores an item in place of the one with the same key. */
  add(item: T): void;
  /** Stores an item in place of the one with the same key, like `add`. */
  update(item: T): void;
  /** Removes the item with the key of the given one. */
  delete(item: T): void;
  /** Removes the item with a key. */
  deleteByKey(key: string): void;
  /** Replaces all items. */
  replace(items: readonly T[]): void;
  /** Returns the item with a key; undefined without one. */
  getByKey(key: string): T | undefined;
  /** Returns all items. */
  list(): readonly T[];
  /** Returns all keys. */
  listKeys(): readonly string[];
  /** Returns the items with a value in an index, at a cost in proportion to the result. Fails: {@link MissingStoreIndexError}. */
  byIndex(name: string, value: string): readonly T[];
  /** Returns the keys of the items with a value in an index. Fails: {@link MissingStoreIndexError}. */
  indexKeys(name: string, value: string): readonly string[];
  /** Returns the values in an index. Fails: {@link MissingStoreIndexError}. */
  indexValues(name: string): readonly string[];
  /** Adds indexes, including existing items; an index of the same name is replaced. */
  addIndexers(indexers: StoreIndexers<T>): void;
}

/**
 * Creates a store with indexes.
 *
 * Guarantees: readers never see a part of a change; an item that was changed after it was stored is found by its former values until it is stored again. An
 * index function that throws leaves the store as it was.
 *
 * client-go: tools/cache.NewThreadSafeStore
 *
 * @example
 * const store = createIndexedStore<Backup>((backup) => backup.id, { indexers: { owner: ({ owner }) => [owner] } });
 * store.byIndex("owner", "ann");
 */
export function createIndexedStore<T>(
  keyOf: (item: T) => string,
  { indexers = {}, onChange }: IndexedStoreOptions<T> = {},
): IndexedStore<T> {
  const entries = new Map<string, Entry<T>>();
  const indexes = new Map(Object.entries(indexers).map(([name, valuesOf]) => [name, createIndex(valuesOf)] as const));
  const changed = (): void => onChange?.([...entries.values()].map(({ item }) => item));
  const set = (item: T): void => {
    const key = keyOf(item);
    const entry = entryOf(item, indexes);
    unlink(key, entries.get(key), indexes);
    entries.set(key, entry);
    link(key, entry, indexes);
  };
  const add = (item: T): void => {
    set(item);
    changed();
  };
  const deleteByKey = (key: string): void => {
    const entry = entries.get(key);
    if (entry !== undefined) {
      unlink(key, entry, indexes);
      entries.delete(key);
      changed();
    }
  };
  const keysOf = (name: string, value: string): readonly string[] => [
    ...(indexOf(indexes, name).keys.get(value) ?? []),
  ];
  return {
    get size() {
      return entries.size;
    },
    add,
    update: add,
    delete: (item) => deleteByKey(keyOf(item)),
    deleteByKey,
    replace: (items) => {
      const replacement = items.map((item) => [keyOf(item), entryOf(item, indexes)] as const);
      entries.clear();
      for (const index of indexes.values()) index.keys.clear();
      for (const [key, entry] of replacement) {
        unlink(key, entries.get(key), indexes);
        entries.set(key, entry);
        link(key, entry, indexes);
      }
      changed();
    },
    getByKey: (key) => entries.get(key)?.item,
    list: () => [...entries.values()].map(({ item }) => item),
    listKeys: () => [...entries.keys()],
    byIndex: (name, value) => keysOf(name, value).map((key) => (entries.get(key) as Entry<T>).item),
    indexKeys: keysOf,
    indexValues: (name) => [...indexOf(indexes, name).keys.keys()],
    addIndexers: (added) => {
      for (const [name, valuesOf] of Object.entries(added)) {
        const values = new Map([...entries].map(([key, { item }]) => [key, valuesOf(item)] as const));
        const index = createIndex(valuesOf);
        indexes.set(name, index);
        for (const [key, entry] of entries) {
          entry.values.set(name, values.get(key) ?? []);
          linkTo(index, key, values.get(key) ?? []);
        }
      }
    },
  };
}

interface Entry<T> {
  readonly item: T;
  /** The values by index at the time of storing: the item may change later. */
  readonly values: Map<string, readonly string[]>;
}

interface Index<T> {
  readonly valuesOf: (item: T) => readonly string[];
  readonly keys: Map<string, Set<string>>;
}

type Indexes<T> = ReadonlyMap<string, Index<T>>;

function createIndex<T>(valuesOf: Index<T>["valuesOf"]): Index<T> {
  return { valuesOf, keys: new Map() };
}

function indexOf<T>(indexes: Indexes<T>, name: string): Index<T> {
  const index = indexes.get(name);
  if (index === undefined) {
    throw new MissingStoreIndexError(name, [...indexes.keys()]);
  }
  return index;
}

function entryOf<T>(item: T, indexes: Indexes<T>): Entry<T> {
  return { item, values: new Map([...indexes].map(([name, { valuesOf }]) => [name, [...valuesOf(item)]])) };
}

function link<T>(key: string, { values }: Entry<T>, indexes: Indexes<T>): void {
  for (const [name, index] of indexes) {
    linkTo(index, key, values.get(name) ?? []);
  }
}

function linkTo<T>({ keys }: Index<T>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const found = keys.get(value) ?? new Set();
    keys.set(value, found.add(key));
  }
}

function unlink<T>(key: string, entry: Entry<T> | undefined, indexes: Indexes<T>): void {
  for (const [name, { keys }] of indexes) {
    for (const value of entry?.values.get(name) ?? []) {
      const found = keys.get(value);
      found?.delete(key);
      if (found?.size === 0) keys.delete(value);
    }
  }
}
