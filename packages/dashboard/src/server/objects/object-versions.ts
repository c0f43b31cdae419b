import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** A version of an object, and who wrote it. */
export interface ObjectVersion {
  /** The version. */
  readonly resourceVersion: string;
  /** The time of the write, in milliseconds since 1970. */
  readonly at: number;
  /** What the write did; `found` is an object from before the history was recorded. */
  readonly change: "found" | "created" | "changed" | "deleted";
  /** The verb of the request, as RBAC names it; empty for writes without a request. */
  readonly verb: string;
  /** The subresource of the request; empty for the object itself. */
  readonly subresource: string;
  /** The user of the request; empty if it is unknown. */
  readonly user: string;
  /** The field manager of the request. */
  readonly fieldManager: string;
  /** The object with all its fields; the last state for a deleted object. */
  readonly object: KubernetesObject;
}

/** The versions of an object. */
export interface ObjectVersions {
  /** The versions that are kept, oldest first. */
  readonly versions: readonly ObjectVersion[];
  /** Whether older versions were forgotten. */
  readonly isTruncated: boolean;
}
