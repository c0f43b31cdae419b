import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { KindRef, Reader } from "../client/client.ts";
import type { IndexFunction } from "./indexer.ts";
import type { Informer } from "./informer.ts";

/** How an informer is asked for. */
export interface GetInformerOptions {
  /** Waits until the informer is filled, if the cache runs; on unless false. */
  readonly blockUntilSynced?: boolean;
  /** Holds the metadata alone. */
  readonly metadataOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** Adds indexes by which cached lists select. */
export interface FieldIndexer {
  /**
   * Lets cached lists of a kind select by a field, whose values the function returns.
   *
   * Fails: `CacheIndexConflictError` when the field has an index already.
   */
  indexField<T extends KubernetesObject>(kind: KindRef<T>, field: string, valuesOf: IndexFunction<T>): Promise<void>;
}

/**
 * Holds objects that it keeps up to date by watching, and reads them without asking the server.
 *
 * Guarantees: objects are shared and deep-frozen, so changing one throws; a read comes after the server's state by an unbounded, mostly short time.
 * A kind is listed and watched from its first read, or from when an informer or index is asked for.
 */
export interface Cache extends Reader, FieldIndexer {
  /**
   * Returns the informer of a kind, which is started with the cache, or at once if that runs.
   *
   * Fails: `NoMatchError` when the server does not know the kind.
   */
  getInformer<T extends KubernetesObject>(kind: KindRef<T>, options?: GetInformerOptions): Promise<Informer<T>>;
  /** Stops watching a kind and forgets its objects; handlers and indexes go with it. */
  removeInformer(kind: GroupVersionKind, options?: { readonly metadataOnly?: boolean }): Promise<void>;
  /** Watches until the signal aborts. Fails: `CacheStartedTwiceError`. */
  start(signal: AbortSignal): Promise<void>;
  /** Waits until the cache runs and all its informers are filled; false when the signal aborts first. */
  waitForCacheSync(signal: AbortSignal): Promise<boolean>;
}
