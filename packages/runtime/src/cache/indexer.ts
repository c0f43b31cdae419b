import { type DeepReadonly, type NamespacedName, objectKey, readableError } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { frozenFields } from "../client/editable.ts";
import type { Stored } from "../client/partial-object.ts";
import type { Logger } from "../log/logger.ts";
import { CacheIndexConflictError } from "./errors.ts";

/**
 * Returns the values that an index finds an object by.
 *
 * client-go: tools/cache.IndexFunc
 */
export type IndexFunction<T extends KubernetesObject = KubernetesObject> = (
  object: DeepReadonly<Stored<T>>,
) => readonly string[];

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
  get(key: NamespacedName): DeepReadonly<Stored<T>> | undefined;
  /** Returns the objects of a namespace, or of all namespaces without one, at a cost in proportion to the result. */
  list(namespace?: string): readonly DeepReadonly<Stored<T>>[];
  /** Returns the objects with a value in an index, in a namespace or in all; undefined if the index does not exist. */
  byIndex(name: string, value: string, namespace?: string): readonly DeepReadonly<Stored<T>>[] | undefined;
  /** The resourceVersion of the last list or of the latest event. */
  readonly resourceVersion: string;
}

interface Index<T extends KubernetesObject> {
  readonly valuesOf: IndexFunction<T>;
  objectsByValue: Map<string, ObjectMap<DeepReadonly<Stored<T>>>>;
}

/** Stores objects by namespace and name, and finds them by namespace and index values. */
export class Indexer<T extends KubernetesObject> implements Lister<T> {
  readonly #log: Logger;
  readonly #indexes = new Map<string, Index<T>>();
  #objects = new ObjectMap<DeepReadonly<Stored<T>>>();
  resourceVersion: string = "";

  constructor(log: Logger) {
    this.#log = log;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: NamespacedName): DeepReadonly<Stored<T>> | undefined {
    return this.#objects.get(key);
  }

  list(namespace?: string): readonly DeepReadonly<Stored<T>>[] {
    return this.#objects.list(namespace);
  }

  byIndex(name: string, value: string, namespace?: string): readonly DeepReadonly<Stored<T>>[] | undefined {
    const index = this.#indexes.get(name);
    return index === undefined ? undefined : (index.objectsByValue.get(value)?.list(namespace) ?? []);
  }

  /** Stores an object and returns the previous object of its name. */
  set(object: DeepReadonly<Stored<T>>): DeepReadonly<Stored<T>> | undefined {
    const old = this.#objects.set(object);
    for (const index of this.#indexes.values()) {
      this.#removeFrom(index, old);
      this.#addTo(index, object);
    }
    return old;
  }

  /** Removes the object of that name and returns it. */
  delete(object: ReadonlyObject): DeepReadonly<Stored<T>> | undefined {
    const old = this.#objects.delete(object.metadata);
    for (const index of this.#indexes.values()) {
      this.#removeFrom(index, old);
    }
    return old;
  }

  /** Returns an empty store with the same indexes; {@link adopt} takes over its objects. */
  stage(): Indexer<T> {
    const staged = new Indexer<T>(this.#log);
    for (const [name, { valuesOf }] of this.#indexes) {
      staged.addIndexers({ [name]: valuesOf });
    }
    return staged;
  }

  /** Replaces all objects with those of a staged store at once, and returns the previous ones. */
  adopt(staged: Indexer<T>): ObjectMap<DeepReadonly<Stored<T>>> {
    const old = this.#objects;
    this.#objects = staged.#objects;
    for (const [name, index] of this.#indexes) {
      const ready = staged.#indexes.get(name)?.objectsByValue;
      index.objectsByValue = ready ?? new Map();
      if (ready === undefined) {
        this.#fill(index);
      }
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
      const index: Index<T> = { valuesOf, objectsByValue: new Map() };
      this.#indexes.set(name, index);
      this.#fill(index);
    }
  }

  #fill(index: Index<T>): void {
    for (const object of this.#objects.values()) {
      this.#addTo(index, object);
    }
  }

  #addTo(index: Index<T>, object: DeepReadonly<Stored<T>>): void {
    for (const value of this.#valuesOf(index, object)) {
      let objects = index.objectsByValue.get(value);
      if (objects === undefined) {
        objects = new ObjectMap();
        index.objectsByValue.set(value, objects);
      }
      objects.set(object);
    }
  }

  #removeFrom(index: Index<T>, object: DeepReadonly<Stored<T>> | undefined): void {
    if (object === undefined) {
      return;
    }
    for (const value of this.#valuesOf(index, object)) {
      const objects = index.objectsByValue.get(value);
      objects?.delete(object.metadata);
      if (objects?.size === 0) {
        index.objectsByValue.delete(value);
      }
    }
  }

  // A failing index function must not stop the cache.
  #valuesOf(index: Index<T>, object: DeepReadonly<Stored<T>>): readonly string[] {
    try {
      return requireTexts(index.valuesOf(object));
    } catch (thrown) {
      const error = readableError(thrown);
      this.#log.error(error, "an index function failed, the object is not indexed", {
        ...objectKey(object),
        ...frozenFields(error),
      });
      return [];
    }
  }
}

// A text would be indexed by its characters. Undefined values are in no index.
function requireTexts(values: unknown): readonly string[] {
  if (!Array.isArray(values)) throw new TypeError(`it returned ${typeof values}, not a list of strings`);
  const wrong = values.find((value) => value !== undefined && typeof value !== "string") as unknown;
  if (wrong !== undefined) throw new TypeError(`it returned a list with ${typeof wrong}, not with strings`);
  return values as readonly string[];
}

type ObjectName = Partial<NamespacedName>;

/** Stores objects by namespace and name; the objects of one namespace are found without looking at others. */
export class ObjectMap<T extends ReadonlyObject> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ namespace = "", name = "" }: ObjectName): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Stores an object and returns the previous object of its name. */
  set(object: T): T | undefined {
    const { namespace = "", name = "" } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    const old = objects.get(name);
    objects.set(name, object);
    this.#size += old === undefined ? 1 : 0;
    return old;
  }

  /** Removes the object of a name and returns it. */
  delete({ namespace = "", name = "" }: ObjectName): T | undefined {
    const objects = this.#namespaces.get(namespace);
    const old = objects?.get(name);
    if (objects === undefined || old === undefined) {
      return undefined;
    }
    objects.delete(name);
    this.#size -= 1;
    if (objects.size === 0) {
      this.#namespaces.delete(namespace);
    }
    return old;
  }

  /** Iterates over the objects of a namespace, or over all objects. */
  *values(namespace?: string): Generator<T, void, undefined> {
    if (namespace !== undefined) {
      yield* this.#namespaces.get(namespace)?.values() ?? [];
      return;
    }
    for (const objects of this.#namespaces.values()) {
      yield* objects.values();
    }
  }

  /** Returns the objects of a namespace, or all objects. */
  list(namespace?: string): T[] {
    if (namespace !== undefined) {
      return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    }
    const all: T[] = [];
    for (const objects of this.#namespaces.values()) {
      for (const object of objects.values()) {
        all.push(object);
      }
    }
    return all;
  }
}
