/**
 * Metadata as server-side apply takes it: what an owner may state of it, and nothing that the server writes.
 */
import type { ApplyFields } from "../../../apply-fields.ts";
import type { Condition, ObjectMeta } from "../../meta/v1.ts";

/** The metadata that an owner may state; `uid` and `resourceVersion` make the server refuse when the object is another. */
export interface ObjectMetaApply extends ApplyFields<
  Pick<
    ObjectMeta,
    "name" | "namespace" | "uid" | "resourceVersion" | "labels" | "annotations" | "ownerReferences" | "finalizers"
  >
> {}

/** The metadata of an object in a namespace: a name and a namespace, and what an owner states besides. */
export interface NamespacedMetaApply extends ObjectMetaApply {
  readonly name: string;
  readonly namespace: string;
}

/** The metadata of an object of the cluster: a name, no namespace, and what an owner states besides. */
export interface ClusterMetaApply extends ObjectMetaApply {
  readonly name: string;
  readonly namespace?: never;
}

/** The fields of a condition that a field owner applies. */
export interface ConditionApply extends ApplyFields<Condition> {}
