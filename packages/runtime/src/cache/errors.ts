import { type GroupVersionKind, gvkToString, isInstance, messageOf, ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the cache was read before it was started, or for a new kind after it was stopped.
 *
 * Fix: Read after the manager has started, or use `getApiReader()`.
 *
 * controller-runtime: pkg/cache.ErrCacheNotStarted
 */
export class CacheNotRunningError extends ScaffoldError {
  readonly code = "CACHE_NOT_RUNNING";

  constructor(what: string, state: "is not started" | "has stopped") {
    super(`cannot ${what}: the cache ${state}`, {
      hint: "read after the manager has started, or use getApiReader()",
    });
  }
}

/**
 * Thrown when a cache was started a second time.
 *
 * Fix: Create a new cache.
 */
export class CacheStartedTwiceError extends ScaffoldError {
  readonly code = "CACHE_STARTED_TWICE";

  constructor() {
    super("cannot start the cache: it has already been started", { hint: "create a new cache" });
  }
}

/**
 * Thrown when the cache of a kind did not sync in time, or the server refuses to list the kind; the message contains the last error.
 *
 * Fix: Check that the kind is installed and that the program has permission to list and watch it.
 */
export class CacheSyncError extends ScaffoldError {
  readonly code = "CACHE_NOT_SYNCED";

  constructor(kind: GroupVersionKind, cause?: unknown) {
    const why = isInstance(cause, Error) ? `: ${messageOf(cause)}` : "";
    super(`the cache of ${gvkToString(kind)} has not synced${why}`, {
      hint: "check that the kind is installed and that the program is allowed to list and watch it",
      cause,
    });
  }
}

/**
 * Thrown when a cache with `readerFailOnMissingInformer` has no informer for a kind, or its informer was removed during the read.
 *
 * Fix: Watch the kind, or read it with `getApiReader()`.
 *
 * controller-runtime: pkg/cache.ErrResourceNotCached
 */
export class CacheNoInformerError extends ScaffoldError {
  readonly code = "CACHE_KIND_MISSING";

  constructor(
    kind: GroupVersionKind,
    reason: "is not in the cache" | "was removed from the cache" = "is not in the cache",
  ) {
    super(`${gvkToString(kind)} ${reason}`, {
      hint: "watch the kind, create an informer for it first, or read it with getApiReader()",
    });
  }
}

/**
 * Thrown when objects were read from a namespace that the cache does not contain.
 *
 * Fix: Add the namespace to the options of the cache, or read with `getApiReader()`.
 */
export class CacheNamespaceError extends ScaffoldError {
  readonly code = "CACHE_NAMESPACE_UNKNOWN";

  constructor(kind: GroupVersionKind, namespace: string) {
    super(`cannot read ${gvkToString(kind)} in namespace ${JSON.stringify(namespace)}: the namespace is not cached`, {
      hint: "add the namespace to the cache's options, or read with getApiReader()",
    });
  }
}

/**
 * Thrown when `byObject` sets namespaces for a cluster-scoped kind.
 *
 * Fix: Remove `namespaces` from the entry of the kind.
 */
export class CacheScopeError extends ScaffoldError {
  readonly code = "CACHE_CLUSTER_SCOPED";

  constructor(kind: GroupVersionKind) {
    super(`cannot restrict ${gvkToString(kind)} to namespaces: it is cluster-scoped`, {
      hint: "remove namespaces from the kind's entry in byObject",
    });
  }
}

/**
 * Thrown when a cached list uses a field selector for a field without an index.
 *
 * Fix: Call `getFieldIndexer().indexField(...)` before the manager starts.
 */
export class CacheIndexMissingError extends ScaffoldError {
  readonly code = "CACHE_INDEX_MISSING";

  constructor(kind: GroupVersionKind, field: string) {
    super(`cannot list ${gvkToString(kind)} by ${JSON.stringify(field)}: the cache has no index for it`, {
      hint: `call getFieldIndexer().indexField(${kind.kind}, ${JSON.stringify(field)}, …) before the manager starts`,
    });
  }
}

/**
 * Thrown when a transformation failed for a listed object; the cached objects stay, and the list is retried.
 *
 * Fix: Make the transformation accept all objects of the kind, including its own results.
 */
export class CacheTransformError extends ScaffoldError {
  readonly code = "CACHE_TRANSFORM_FAILED";

  constructor(kind: GroupVersionKind, { name, cause }: { readonly name: string; readonly cause: unknown }) {
    super(`cannot transform ${gvkToString(kind)} ${JSON.stringify(name)}: ${messageOf(cause)}`, {
      hint: "make the transformation accept all objects of the kind",
      cause,
    });
  }
}

/**
 * Thrown when an index with the same name exists, or the informer has stopped.
 *
 * Fix: Add each index once, before the manager stops.
 */
export class CacheIndexConflictError extends ScaffoldError {
  readonly code = "CACHE_INDEX_CONFLICT";

  constructor(name: string, why: "exists already" | "was added after the informer had stopped") {
    super(`cannot add the index ${JSON.stringify(name)}: it ${why}`);
  }
}

/**
 * Thrown when a cached list uses an option that only API servers support: continue tokens or inexact field selectors.
 *
 * Fix: Read with `getApiReader()`.
 */
export class CacheListOptionError extends ScaffoldError {
  readonly code = "CACHE_LIST_OPTION";

  constructor(what: string) {
    super(`cannot list from the cache ${what}`, { hint: "read with getApiReader()" });
  }
}
