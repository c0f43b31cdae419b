import type { DeepReadonly } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Stored } from "../client/partial-object.ts";
import type { Logger } from "../log/logger.ts";

/**
 * Reports an object that was created, or existed when the watch started.
 *
 * controller-runtime: pkg/event.CreateEvent
 */
export interface CreateEvent<T extends KubernetesObject = KubernetesObject> {
  /** The object. */
  readonly object: DeepReadonly<Stored<T>>;
  /** Whether the object existed when the watch started. */
  readonly isInInitialList: boolean;
}

/**
 * Reports a changed object, or with equal resourceVersions a resync.
 *
 * controller-runtime: pkg/event.UpdateEvent
 */
export interface UpdateEvent<T extends KubernetesObject = KubernetesObject> {
  /** The object before the change. */
  readonly objectOld: DeepReadonly<Stored<T>>;
  /** The object after the change. */
  readonly objectNew: DeepReadonly<Stored<T>>;
}

/**
 * Reports a deleted object.
 *
 * controller-runtime: pkg/event.DeleteEvent
 */
export interface DeleteEvent<T extends KubernetesObject = KubernetesObject> {
  /** The last known state of the object. */
  readonly object: DeepReadonly<Stored<T>>;
  /** Whether the deletion itself was missed, so that the object may be outdated. */
  readonly deleteStateUnknown: boolean;
}

/**
 * Reports an event that no watch reports.
 *
 * controller-runtime: pkg/event.GenericEvent
 */
export interface GenericEvent<T extends KubernetesObject = KubernetesObject> {
  /** The object as it was sent, which the server may not have stored. */
  readonly object: DeepReadonly<T>;
}

/** The context of an event handler. */
export interface EventContext {
  /** Aborts when the source stops. */
  readonly signal: AbortSignal;
  /** The logger of the controller. */
  readonly log: Logger;
}
