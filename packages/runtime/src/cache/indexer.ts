import { type NamespacedName, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Logger } from "../log/logger.ts";
import { CacheIndexConflictError } from "./errors.ts";

/**
 * Returns the values that an index finds an object by.
 *
 * client-go: tools/cache.IndexFunc
 */
export type IndexFunction<T extends KubernetesObject = KubernetesObject> = (object: T) => readonly string[];

/**
 * Index functions by name.
 *
 * client-go: tools/cache.Indexers
 */
export type Indexers<T extends KubernetesObject = KubernetesObject> = Readonly<Record<string, IndexFunction<T>>>;

/**
 * Reads the objects of an informer; they are shared and must not be changed.
 *
 * client-go: tools/cache.GenericLister
 */
export interface Lister<T extends KubernetesObject = KubernetesObject> {
  /** Returns an object; undefined if it does not exist. */
  get(key: NamespacedName): T | undefined;
  /** Returns all objects. */
  list(): readonly T[];
  /** Returns the objects with a value in an index; undefined if the index does not exist. */
  byIndex(name: string, value: string): readonly T[] | undefined;
  /** The resourceVersion of the last list or of the latest event. */
  readonly resourceVersion: string;
}

interface Index<T extends KubernetesObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly keysByValue: Map<string, Set<string>>;
}

/** Stores objects by `namespace/name`, and finds them by index values. */
export class Indexer<T extends KubernetesObject> implements Lister<T> {
  readonly #log: Logger;
  readonly #indexes = new Map<string, Index<T>>();
  #objects = new Map<string, T>();
  resourceVersion: string = "";

  constructor(log: Logger) {
    this.#log = log;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: NamespacedName): T | undefined {
    return this.#objects.get(storeKey(key));
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(name: string, value: string): readonly T[] | undefined {
    const index = this.#indexes.get(name);
    if (index === undefined) {
      return undefined;
    }
    return [...(index.keysByValue.get(value) ?? [])].flatMap((key) => this.#objects.get(key) ?? []);
  }

  /** Stores an object and returns the previous object of its name. */
  set(object: T): T | undefined {
    const key = storeKey(object.metadata);
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      this.#removeFrom(index, key, old);
      this.#addTo(index, key, object);
    }
    return old;
  }

  /** Removes the object of that name and returns it. */
  delete(object: KubernetesObject): T | undefined {
    const key = storeKey(object.metadata);
    const old = this.#objects.get(key);
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) {
      this.#removeFrom(index, key, old);
    }
    return old;
  }

  /** Replaces all objects and returns the previous ones by name. */
  replace(objects: readonly T[]): ReadonlyMap<string, T> {
    const old = this.#objects;
    this.#objects = new Map(objects.map((object) => [storeKey(object.metadata), object]));
    for (const index of this.#indexes.values()) {
      index.keysByValue.clear();
      this.#fill(index);
    }
    return old;
  }

  /** Adds indexes, including existing objects. Fails: {@link CacheIndexConflictError} when a name is in use. */
  addIndexers(indexers: Indexers<T>): void {
    for (const name of Object.keys(indexers)) {
      if (this.#indexes.has(name)) {
        throw new CacheIndexConflictError(name, "exists already");
      }
    }
    for (const [name, valuesOf] of Object.entries(indexers)) {
      const index: Index<T> = { valuesOf, keysByValue: new Map() };
      this.#indexes.set(name, index);
      this.#fill(index);
    }
  }

  #fill(index: Index<T>): void {
    for (const [key, object] of this.#objects) {
      this.#addTo(index, key, object);
    }
  }

  #addTo(index: Index<T>, key: string, object: T): void {
    for (const value of this.#valuesOf(index, object)) {
      const keys = index.keysByValue.get(value);
      if (keys === undefined) {
        index.keysByValue.set(value, new Set([key]));
      } else {
        keys.add(key);
      }
    }
  }

  #removeFrom(index: Index<T>, key: string, object: T | undefined): void {
    if (object === undefined) {
      return;
    }
    for (const value of this.#valuesOf(index, object)) {
      const keys = index.keysByValue.get(value);
      keys?.delete(key);
      if (keys?.size === 0) {
        index.keysByValue.delete(value);
      }
    }
  }

  // A failing index function must not stop the cache.
  #valuesOf(index: Index<T>, object: T): readonly string[] {
    try {
      return index.valuesOf(object);
    } catch (error) {
      this.#log.error(error, "an index function failed, the object is not indexed", { ...objectKey(object) });
      return [];
    }
  }
}

/** Returns the key of an object in a store, from its metadata or its request: `namespace/name`, or `name` without a namespace. */
export function storeKey({ namespace = "", name = "" }: Partial<NamespacedName>): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
