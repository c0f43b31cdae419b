import { type NamespacedName, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Logger } from "../log/logger.ts";
import { CacheIndexConflictError } from "./errors.ts";

/** Returns the values under which an index finds an object. */
export type IndexFunction<T extends KubernetesObject = KubernetesObject> = (object: T) => readonly string[];

/** Index functions by name. */
export type Indexers<T extends KubernetesObject = KubernetesObject> = Readonly<Record<string, IndexFunction<T>>>;

/** Reads what an informer holds; the objects are shared, so nobody changes them. */
export interface Lister<T extends KubernetesObject = KubernetesObject> {
  get(key: NamespacedName): T | undefined;
  list(): readonly T[];
  /** Returns the objects that an index has under a value; undefined when there is no such index. */
  byIndex(name: string, value: string): readonly T[] | undefined;
  /** The resourceVersion of the last list, or of what has been seen since. */
  readonly resourceVersion: string;
}

interface Index<T extends KubernetesObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly keysByValue: Map<string, Set<string>>;
}

/** Holds objects by `namespace/name`, and finds them by the values of index functions. */
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

  /** Stores an object in place of that of the same name, which is returned. */
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

  /** Removes the object of that name, which is returned. */
  delete(object: KubernetesObject): T | undefined {
    const key = storeKey(object.metadata);
    const old = this.#objects.get(key);
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) {
      this.#removeFrom(index, key, old);
    }
    return old;
  }

  /** Stores these objects in place of all others, and returns those that were there before, by name. */
  replace(objects: readonly T[]): ReadonlyMap<string, T> {
    const old = this.#objects;
    this.#objects = new Map(objects.map((object) => [storeKey(object.metadata), object]));
    for (const index of this.#indexes.values()) {
      index.keysByValue.clear();
      this.#fill(index);
    }
    return old;
  }

  /** Adds indexes, over what is there already too. Fails: {@link CacheIndexConflictError} when a name is taken. */
  addIndexers(indexers: Indexers<T>): void {
    for (const name of Object.keys(indexers)) {
      if (this.#indexes.has(name)) {
        throw new CacheIndexConflictError(name, "is there already");
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

  // One object that an index function cannot read must not stop the cache of all others.
  #valuesOf(index: Index<T>, object: T): readonly string[] {
    try {
      return index.valuesOf(object);
    } catch (error) {
      this.#log.error(error, "an index function failed, the index does not find the object", { ...objectKey(object) });
      return [];
    }
  }
}

/** Returns the key of an object in a store, from its metadata or its request: `namespace/name`, or `name` without a namespace. */
export function storeKey({ namespace = "", name = "" }: Partial<NamespacedName>): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
