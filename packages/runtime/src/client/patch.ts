import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** The media types by which a server knows how to read a patch. */
export type PatchType =
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json"
  | "application/apply-patch+yaml";

/** A change to part of an object, made into bytes when the call is made. */
export interface Patch {
  readonly type: PatchType;
  /** Returns the body of the request, for the object given to `client.patch`. */
  readonly data: (object: KubernetesObject) => unknown;
}
