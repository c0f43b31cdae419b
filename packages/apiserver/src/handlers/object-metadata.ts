import { badRequest } from "../request/failures.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Removes from a new object what only the server sets. */
export function wipeSystemMetadata({ metadata }: ApiObject): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.managedFields;
}

/**
 * Puts the namespace of the request into an object; cluster-scoped objects lose theirs.
 *
 * Fails: with 400 when the object states another.
 */
export function matchNamespace(object: ApiObject, type: ResourceType, namespace: string): void {
  const { metadata } = object;
  if (!type.isNamespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace !== undefined && metadata.namespace !== "" && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  metadata.namespace = namespace;
}

/**
 * Checks the name in a body against that of the URL.
 *
 * Fails: with 400 when the body has none or another.
 */
export function matchName({ metadata }: ApiObject, name: string): void {
  if (metadata.name === undefined || metadata.name === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
}

/** Returns the key of an object of a request. */
export function requestKey(
  type: ResourceType,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  return type.isNamespaced ? `${namespace}/${name}` : name;
}
