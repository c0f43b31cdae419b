import type { DeepReadonly } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Stored } from "../client/partial-object.ts";
import type { Indexers } from "./indexer.ts";

/**
 * Receives the changes of the objects of a kind, which are shared and frozen; a call starts after the promise of the previous one resolves.
 *
 * client-go: tools/cache.ResourceEventHandler
 */
export interface ResourceEventHandler<T extends KubernetesObject = KubernetesObject> {
  /** Receives a new object, or an existing one of the initial list. */
  readonly onAdd: (object: DeepReadonly<Stored<T>>, isInInitialList: boolean) => void | Promise<void>;
  /** Receives a changed object; equal resourceVersions mean a resync. */
  readonly onUpdate: (objectOld: DeepReadonly<Stored<T>>, objectNew: DeepReadonly<Stored<T>>) => void | Promise<void>;
  /** Receives a deleted object; with `isStateUnknown` the deletion was missed, and the object is the last known state. */
  readonly onDelete: (object: DeepReadonly<Stored<T>>, isStateUnknown: boolean) => void | Promise<void>;
}

/**
 * The registration of a handler with an informer.
 *
 * client-go: tools/cache.ResourceEventHandlerRegistration
 */
export interface HandlerRegistration {
  /** Reports whether the handler has received all objects of the initial list. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} is true. Fails: with the signal's reason when it aborts first. */
  waitForSync(signal: AbortSignal): Promise<void>;
  /** Removes the handler; pending notifications are dropped. */
  remove(): void;
}

/** Options of {@link Informer.addEventHandler}. */
export interface HandlerOptions {
  /** The resync period in milliseconds; 0 disables resyncs. Default: the informer's period. */
  readonly resyncPeriodMs?: number;
}

/**
 * Watches one kind and notifies handlers independently: a slow handler does not delay others.
 *
 * client-go: tools/cache.SharedIndexInformer
 */
export interface Informer<T extends KubernetesObject = KubernetesObject> {
  /** Adds a handler; a handler added later receives all existing objects as an initial list. */
  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /** Adds indexes, including existing objects. */
  addIndexers(indexers: Indexers<T>): void;
  /** Reports whether the first list is stored. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} is true. Fails: `CacheSyncError` with the last failure when the signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Reports whether the informer has stopped. */
  isStopped(): boolean;
}

/**
 * Transforms a received object into the stored one; it must accept its own results.
 *
 * client-go: tools/cache.TransformFunc
 */
export type TransformFunction = (object: KubernetesObject) => KubernetesObject;

/**
 * Returns a transformation that removes `metadata.managedFields`, which few programs read and which are often half of an object.
 *
 * controller-runtime: pkg/cache.TransformStripManagedFields
 */
export function transformStripManagedFields(): TransformFunction {
  return (object) => {
    if (object.metadata.managedFields === undefined) {
      return object;
    }
    const { managedFields: _managedFields, ...metadata } = object.metadata;
    return { ...object, metadata };
  };
}
