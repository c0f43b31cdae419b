import type { KubernetesObject, Status } from "@kubescaffold/k8s/meta/v1";

/** What a watch reports: a change of an object, a bookmark that only carries a resourceVersion, or why it ends. */
export type WatchEvent<T extends KubernetesObject = KubernetesObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  /** The object has kind and metadata with `resourceVersion`, and the annotation `k8s.io/initial-events-end` after initial events. */
  | { readonly type: "BOOKMARK"; readonly object: KubernetesObject }
  | { readonly type: "ERROR"; readonly object: Status };
