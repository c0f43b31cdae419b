import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Logger } from "../log/logger.ts";

/** Says that an object came to be, or was there when watching began. */
export interface CreateEvent<T = KubernetesObject> {
  readonly object: T;
  /** Whether the object was there when watching began. */
  readonly isInInitialList: boolean;
}

/** Says that an object changed, or with equal resourceVersions that it is told again. */
export interface UpdateEvent<T = KubernetesObject> {
  readonly objectOld: T;
  readonly objectNew: T;
}

/** Says that an object is gone. */
export interface DeleteEvent<T = KubernetesObject> {
  readonly object: T;
  /** Whether the deletion itself was missed; the object is then the last that was seen, which may be outdated. */
  readonly deleteStateUnknown: boolean;
}

/** Says that something happened to an object that no watch reports. */
export interface GenericEvent<T = KubernetesObject> {
  readonly object: T;
}

/** What event handlers may use while they are called. */
export interface EventContext {
  /** Aborts when the source stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}
