import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Indexers } from "./indexer.ts";

/** Is told what happens to the objects of a kind; one call at a time, the next when the promise of the one before has settled. */
export interface ResourceEventHandler<T extends KubernetesObject = KubernetesObject> {
  onAdd(object: T, isInInitialList: boolean): void | Promise<void>;
  /** With equal resourceVersions nothing has changed and the object is merely told again. */
  onUpdate(objectOld: T, objectNew: T): void | Promise<void>;
  /** With `isStateUnknown` the deletion itself was missed, and the object is the last that was seen. */
  onDelete(object: T, isStateUnknown: boolean): void | Promise<void>;
}

/** A handler's place at an informer. */
export interface HandlerRegistration {
  /** Says whether the handler has been told of all objects that were there in the beginning. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} holds. Fails: with the signal's reason when it aborts first. */
  waitForSync(signal: AbortSignal): Promise<void>;
  /** Ends the handler's calls; what has not been told yet is dropped. */
  remove(): void;
}

/** How a handler wants to be told. */
export interface HandlerOptions {
  /** Tells all objects again that often; the informer's own period unless given, 0 never. */
  readonly resyncPeriodMs?: number;
}

/** Watches one kind and tells handlers, each for itself: a slow one delays no other. */
export interface Informer<T extends KubernetesObject = KubernetesObject> {
  /** Adds a handler; one that comes late is told of everything that is there, as of an initial list. */
  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /** Adds indexes, over what is there already too. */
  addIndexers(indexers: Indexers<T>): void;
  /** Says whether the first list is in the store. */
  hasSynced(): boolean;
  /** Resolves when {@link hasSynced} holds. Fails: `CacheSyncError`, with what went wrong last, when the signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  isStopped(): boolean;
}

/** Makes the object that is stored of the one that was received; it must stand its own results. */
export type TransformFunction = (object: KubernetesObject) => KubernetesObject;

/** Returns a transform that drops `metadata.managedFields`, which few programs read and which often are half of an object. */
export function transformStripManagedFields(): TransformFunction {
  return (object) => {
    if (object.metadata.managedFields === undefined) {
      return object;
    }
    const { managedFields: _managedFields, ...metadata } = object.metadata;
    return { ...object, metadata };
  };
}
