import {
  type DeepReadonly,
  type NamespacedName,
  namespacedNameToString,
  objectKey,
  ScaffoldError,
  checkNumbers,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import type { Indexers, Lister } from "../cache/indexer.ts";
import type { Stored } from "../client/partial-object.ts";

/**
 * Thrown when a mutation cache compares an object whose resourceVersion is not a decimal number.
 *
 * Fix: Use the cache only for objects of servers whose versions are numbers, which those of Kubernetes are.
 */
export class IncomparableResourceVersionError extends ScaffoldError {
  readonly code = "CACHE_RESOURCE_VERSION";

  constructor(resourceVersion: string) {
    super(`cannot compare the resourceVersion ${JSON.stringify(resourceVersion)}: it is not a decimal number`);
  }
}

/** Options of {@link createMutationCache}. */
export interface MutationCacheOptions<T extends KubernetesObject> {
  /** Returns also objects that the backing store does not contain; see {@link MutationCache}. Default: false. */
  readonly includeAdds?: boolean;
  /** The indexes of the backing store, to find added objects by index; only used with `includeAdds`. Default: none. */
  readonly indexers?: Indexers<T>;
  /** The lifetime of mutations in milliseconds. Default: 5 minutes. */
  readonly ttlMs?: number;
  /** The number of mutations after which the least recently used one is dropped. Default: 100. */
  readonly maximalSize?: number;
  /** The clock of the lifetime. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * Reads objects from an informer's store, or from the results of your own writes if they are newer.
 *
 * Mutations are dropped when the store has caught up, after their lifetime, or to make room. With `includeAdds`, an object that was created
 * and deleted before the store saw it is returned until its lifetime ends; `onAddOrUpdate` and `onDelete`, called by
 * event handlers, drop mutations as soon as the store has seen them.
 *
 * client-go: tools/cache.MutationCache
 */
export interface MutationCache<T extends KubernetesObject> {
  /** Returns the newer of the stored and the written object; undefined if neither exists. */
  get(key: NamespacedName): DeepReadonly<Stored<T>> | undefined;
  /** Returns the newer objects with a value in an index of the store; undefined if the index does not exist. */
  byIndex(name: string, value: string): readonly DeepReadonly<Stored<T>>[] | undefined;
  /** Records the result of a write, unless a newer one or the deletion of the object is known. */
  mutation(object: DeepReadonly<Stored<T>>): void;
  /** Records that the store contains an object. */
  onAddOrUpdate(object: DeepReadonly<Stored<T>>): void;
  /** Records that an object was deleted from the store. */
  onDelete(object: DeepReadonly<Stored<T>>): void;
}

type Known<T extends KubernetesObject> =
  | { readonly kind: "written"; readonly object: DeepReadonly<Stored<T>>; readonly expiresAt: number }
  | { readonly kind: "deleted"; readonly object: DeepReadonly<Stored<T>>; readonly expiresAt: number };

/**
 * Creates a mutation cache on the lister of an informer.
 *
 * client-go: tools/cache.NewIntegerResourceVersionMutationCache
 *
 * @example
 * const guestbooks = createMutationCache(informer.lister);
 * guestbooks.mutation(await client.update(guestbook));
 * guestbooks.get({ namespace: "default", name: "sample" });
 */
export function createMutationCache<T extends KubernetesObject>(
  backing: Pick<Lister<T>, "get" | "byIndex">,
  options: MutationCacheOptions<T> = {},
): MutationCache<T> {
  return new RecentMutations(backing, options);
}

const DEFAULT_TTL_MS = 300_000;
const DEFAULT_MAXIMAL_SIZE = 100;

class RecentMutations<T extends KubernetesObject> implements MutationCache<T> {
  readonly #backing: Pick<Lister<T>, "get" | "byIndex">;
  readonly #options: MutationCacheOptions<T>;
  readonly #clock: Clock;
  // From least to most recently used.
  readonly #known = new Map<string, Known<T>>();

  constructor(backing: Pick<Lister<T>, "get" | "byIndex">, options: MutationCacheOptions<T>) {
    checkNumbers("the mutation cache", options, { ttlMs: "number", maximalSize: "count" });
    this.#backing = backing;
    this.#options = options;
    this.#clock = options.clock ?? realClock;
  }

  get(key: NamespacedName): DeepReadonly<Stored<T>> | undefined {
    const stored = this.#backing.get(key);
    if (stored !== undefined) {
      return this.#newer(stored);
    }
    const known = this.#options.includeAdds === true ? this.#touch(namespacedNameToString(key)) : undefined;
    return known?.kind === "written" ? known.object : undefined;
  }

  byIndex(name: string, value: string): readonly DeepReadonly<Stored<T>>[] | undefined {
    const stored = this.#backing.byIndex(name, value);
    if (stored === undefined || this.#options.includeAdds !== true) {
      return stored?.map((object) => this.#newer(object));
    }
    const newer = stored.map((object) => this.#newer(object));
    const keys = new Set(stored.map(keyOf));
    const valuesOf = this.#options.indexers?.[name];
    const added = [...this.#known.keys()].flatMap((key) => {
      const known = keys.has(key) ? undefined : this.#touch(key);
      return known?.kind === "written" && valuesOf?.(known.object).includes(value) === true ? known.object : [];
    });
    return [...newer, ...added];
  }

  mutation(object: DeepReadonly<Stored<T>>): void {
    const known = this.#touch(keyOf(object));
    if (known !== undefined) {
      const order = compareVersions(object, known.object);
      const isDeleted = known.kind === "deleted" && (order === 0 || isSameInstance(object, known.object));
      if (order < 0 || isDeleted) {
        return;
      }
    }
    this.#set("written", object);
  }

  onAddOrUpdate(object: DeepReadonly<Stored<T>>): void {
    const key = keyOf(object);
    const known = this.#touch(key);
    if (known !== undefined && compareVersions(object, known.object) >= 0) {
      this.#known.delete(key);
    }
  }

  onDelete(object: DeepReadonly<Stored<T>>): void {
    const known = this.#touch(keyOf(object));
    // A newer object of another instance may still exist.
    if (known === undefined || compareVersions(object, known.object) >= 0 || isSameInstance(object, known.object)) {
      this.#set("deleted", object);
    }
  }

  #newer(stored: DeepReadonly<Stored<T>>): DeepReadonly<Stored<T>> {
    const key = keyOf(stored);
    const known = this.#touch(key);
    if (known === undefined) {
      return stored;
    }
    if (compareVersions(stored, known.object) >= 0) {
      this.#known.delete(key);
      return stored;
    }
    // The store may still contain an object whose deletion is known.
    return known.kind === "written" ? known.object : stored;
  }

  #touch(key: string): Known<T> | undefined {
    const known = this.#known.get(key);
    if (known === undefined) {
      return undefined;
    }
    this.#known.delete(key);
    if (this.#clock.monotonic() > known.expiresAt) {
      return undefined;
    }
    this.#known.set(key, known);
    return known;
  }

  #set(kind: "written" | "deleted", object: DeepReadonly<Stored<T>>): void {
    const { ttlMs = DEFAULT_TTL_MS, maximalSize = DEFAULT_MAXIMAL_SIZE } = this.#options;
    const key = keyOf(object);
    const [oldest] = this.#known.keys();
    if (!this.#known.delete(key) && this.#known.size >= maximalSize && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    this.#known.set(key, { kind, object, expiresAt: this.#clock.monotonic() + ttlMs });
  }
}

function keyOf(object: ReadonlyObject): string {
  return namespacedNameToString(objectKey(object));
}

function isSameInstance(left: ReadonlyObject, right: ReadonlyObject): boolean {
  return left.metadata.uid === right.metadata.uid;
}

function compareVersions(left: ReadonlyObject, right: ReadonlyObject): number {
  const [leftVersion, rightVersion] = [versionOf(left), versionOf(right)];
  if (leftVersion === rightVersion) {
    return 0;
  }
  return leftVersion < rightVersion ? -1 : 1;
}

// An object without a version is older than any other.
function versionOf({ metadata }: ReadonlyObject): bigint {
  const { resourceVersion = "" } = metadata;
  if (!/^\d*$/u.test(resourceVersion)) {
    throw new IncomparableResourceVersionError(resourceVersion);
  }
  return BigInt(resourceVersion === "" ? 0 : resourceVersion);
}
