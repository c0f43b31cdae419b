import { apiVersionOf, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

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
  "apiVersion" | "kind" | "metadata"
> & {
  /** The mark of objects without their other fields. */
  readonly [PARTIAL]: true;
};

/** An object that is not a {@link PartialObjectMetadata}. */
export interface WholeObject extends KubernetesObject {
  /** Absent from whole objects. */
  readonly [PARTIAL]?: never;
}

/** The type of an object that a call with these options returns. */
export type ReadObject<T extends KubernetesObject, O> = O extends { readonly metadataOnly: true }
  ? PartialObjectMetadata<T>
  : T;

/** Returns the metadata of an object that the server sent, with the kind of the object and the mark. */
export function partialObject(object: KubernetesObject, gvk: GroupVersionKind): PartialObjectMetadata {
  const { apiVersion: _apiVersion, kind: _kind, ...content } = object;
  return { apiVersion: apiVersionOf(gvk), kind: gvk.kind, ...content, [PARTIAL]: true };
}

/** Checks that a write replaces an object by a whole one. Fails: {@link PartialObjectError}. */
export function requireWhole(object: KubernetesObject, verb: string): void {
  if (PARTIAL in object) {
    throw new PartialObjectError(verb, object);
  }
}
