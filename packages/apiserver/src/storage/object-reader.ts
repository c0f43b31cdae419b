import type { GroupResource } from "@kubescaffold/k8s";

import type { ApiObject } from "./api-object.ts";

/** One change of the store. */
export interface StoreEvent {
  /** How the object changed. */
  readonly kind: "added" | "modified" | "deleted";
  /** Where the object is stored. */
  readonly groupResource: GroupResource;
  /** The revision of the store after the change. */
  readonly revision: number;
  /** `namespace/name`, or the name alone for cluster-scoped objects. */
  readonly key: string;
  /** The object after the change; for a delete its last state with the resourceVersion of the delete. */
  readonly object: ApiObject;
  /** The object before the change; absent when it was added. */
  readonly previous: ApiObject | undefined;
}

/** Reads stored objects without copying: they are frozen and in the storage version. */
export interface ObjectReader {
  /** Returns a stored object; undefined if there is none. */
  get(groupResource: GroupResource, key: { readonly namespace: string; readonly name: string }): ApiObject | undefined;
  /** Lists objects in order of their keys; without a namespace those of all. */
  list(groupResource: GroupResource, namespace?: string): readonly ApiObject[];
  /**
   * Calls back synchronously after each write to a resource (to any, without one), and returns what ends that.
   *
   * Guarantees: in order of revisions; the listener must not write in the callback.
   */
  observe(groupResource: GroupResource | undefined, listener: (event: StoreEvent) => void): () => void;
}
