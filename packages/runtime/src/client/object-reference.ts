import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { MissingKindError } from "./errors.ts";

/**
 * Returns a reference to an object, such as the `involvedObject` of an event. Fails: {@link MissingKindError}.
 *
 * client-go: tools/reference.GetReference
 */
export function getReference(object: ReadonlyObject): ObjectReference {
  const { apiVersion, kind, metadata } = object;
  if (!apiVersion || !kind) {
    throw new MissingKindError("refer to");
  }
  const { name = "", namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/**
 * Returns a reference to a part of an object, such as `spec.containers{web}`. Fails: {@link MissingKindError}.
 *
 * client-go: tools/reference.GetPartialReference
 */
export function getPartialReference(object: ReadonlyObject, fieldPath: string): ObjectReference {
  return { ...getReference(object), fieldPath };
}
