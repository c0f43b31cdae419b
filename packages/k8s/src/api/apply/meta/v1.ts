/**
 * Metadata in apply configurations: the fields that a field manager may set, without those that the server sets.
 */
import type { ApplyFields } from "../../../apply-fields.ts";
import type { Condition, GroupResource, ObjectMeta } from "../../meta/v1.ts";

/** The metadata that a field manager may set; `uid` and `resourceVersion` are preconditions. */
export interface ObjectMetaApply extends ApplyFields<
  Pick<
    ObjectMeta,
    "name" | "namespace" | "uid" | "resourceVersion" | "labels" | "annotations" | "ownerReferences" | "finalizers"
  >
> {}

/** The metadata of an object in a namespace. */
export interface NamespacedMetaApply extends ObjectMetaApply {
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object. */
  readonly namespace: string;
}

/** The metadata of a cluster-scoped object. */
export interface ClusterMetaApply extends ObjectMetaApply {
  /** The name of the object. */
  readonly name: string;
  /** Absent from cluster-scoped objects. */
  readonly namespace?: never;
}

/** The fields of a condition that a field manager applies. */
export interface ConditionApply extends ApplyFields<Condition> {}

/** The fields of a resource of an API group that a field manager applies, since 1.37. */
export interface GroupResourceApply extends ApplyFields<GroupResource> {}
