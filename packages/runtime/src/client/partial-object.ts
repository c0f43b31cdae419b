import { apiVersionOf, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject, NamespacedObject, ReadonlyObject, Time } from "@kubescaffold/k8s/meta/v1";

import { PartialObjectError } from "./errors.ts";

// Registered, so that objects keep their mark between two copies of this package; spreading an object copies it, and JSON ignores it.
const PARTIAL: unique symbol = Symbol.for("kubescaffold.partialObjectMetadata");

/**
 * The metadata of an object, read with `metadataOnly`; `create` and `update` do not accept it, because they would erase all other fields.
 *
 * apimachinery: pkg/apis/meta/v1.PartialObjectMetadata
 */
export type PartialObjectMetadata<T extends KubernetesObject = KubernetesObject> = Pick<
  T,
  "apiVersion" | "kind" | "metadata" | Extract<keyof T, keyof NamespacedObject>
> & {
  /** The mark of objects without their other fields. */
  readonly [PARTIAL]: true;
};

/** An object that is not a {@link PartialObjectMetadata}. */
export interface WholeObject extends ReadonlyObject {
  /** Absent from whole objects. */
  readonly [PARTIAL]?: never;
}

/** The metadata that each stored object has; objects whose kind extends `NamespacedObject` also have a namespace. */
export interface StoredMetadata {
  /** The name of the object. */
  readonly name: string;
  /** Distinguishes the object from former and later ones of its name. */
  readonly uid: string;
  /** The version of the object, for comparisons and preconditions. */
  readonly resourceVersion: string;
  /** The time at which the object was created. */
  readonly creationTimestamp: Time;
}

/** The namespace of stored objects whose kind extends `NamespacedObject`. */
export interface StoredNamespace {
  /** The namespace of the object. */
  readonly namespace: string;
}

/**
 * An object that a server has stored. Objects to write need none of its additional fields.
 *
 * Some responses lack them at run time: that of a dry-run create has no resourceVersion, and those of kinds that are not stored, such as TokenReview, have neither a name nor a uid.
 */
export type Stored<T extends ReadonlyObject> = T & {
  /** The metadata, with the fields that a server adds. */
  readonly metadata: StoredMetadata & (keyof NamespacedObject extends keyof T ? StoredNamespace : unknown);
};

/** The type of an object that a call with these options receives; reads return it as `Stored`, and from a cache with `DeepReadonly`. */
export type ReadObject<T extends KubernetesObject, O> = O extends { readonly metadataOnly: true }
  ? PartialObjectMetadata<T>
  : T;

/** Returns the metadata of an object that the server sent, with the kind of the object and the mark. */
export function partialObject(object: Stored<KubernetesObject>, gvk: GroupVersionKind): Stored<PartialObjectMetadata>;
export function partialObject(object: KubernetesObject, gvk: GroupVersionKind): PartialObjectMetadata;
export function partialObject(object: KubernetesObject, gvk: GroupVersionKind): PartialObjectMetadata {
  const { apiVersion: _apiVersion, kind: _kind, ...content } = object;
  return { apiVersion: apiVersionOf(gvk), kind: gvk.kind, ...content, [PARTIAL]: true };
}

/** Marks a copy of a {@link PartialObjectMetadata}, which has lost its mark, and returns the copy. */
export function copyMark<T>(original: unknown, copy: T): T {
  return isPartial(original) ? { ...copy, [PARTIAL]: true } : copy;
}

function isPartial(object: unknown): boolean {
  return typeof object === "object" && object !== null && PARTIAL in object;
}

/** Checks that a write replaces an object by a whole one. Fails: {@link PartialObjectError}. */
export function requireWhole(object: ReadonlyObject, verb: string): void {
  if (isPartial(object)) {
    throw new PartialObjectError(verb, object);
  }
}
