import { parseApiVersion } from "@kubescaffold/k8s";
import type { KubernetesObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";

import { AlreadyOwnedError, InvalidOwnerError, NotOwnedError } from "./errors.ts";

/** How an owner reference is made. */
export interface OwnerReferenceOptions {
  /** Whether deleting the owner in the foreground waits for the object; on for controllers, absent otherwise. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Returns the object with the owner as its controller: it is deleted with the owner, and its changes reconcile the owner.
 *
 * Guarantees: nothing is changed in place; a reference to the same owner, of whatever version, is replaced.
 * Fails: {@link AlreadyOwnedError} when another object controls it; {@link InvalidOwnerError} across namespaces.
 *
 * @example
 * const owned = controllerutil.setControllerReference(guestbook, deployment);
 */
export function setControllerReference<T extends KubernetesObject>(
  owner: KubernetesObject,
  object: T,
  options: OwnerReferenceOptions = {},
): T {
  requireValidOwner(owner, object);
  const reference = {
    ...referenceTo(owner),
    controller: true,
    blockOwnerDeletion: options.blockOwnerDeletion ?? true,
  };
  const existing = referencesOf(object).find(({ controller }) => controller === true);
  if (existing !== undefined && !isSameOwner(existing, reference)) {
    throw new AlreadyOwnedError(object, existing);
  }
  return withReference(object, reference);
}

/**
 * Returns the object with a further owner, which is not its controller.
 *
 * Fails: {@link InvalidOwnerError} across namespaces.
 */
export function setOwnerReference<T extends KubernetesObject>(
  owner: KubernetesObject,
  object: T,
  { blockOwnerDeletion }: OwnerReferenceOptions = {},
): T {
  requireValidOwner(owner, object);
  const reference = referenceTo(owner);
  return withReference(object, blockOwnerDeletion === undefined ? reference : { ...reference, blockOwnerDeletion });
}

/** Returns the object without an owner. Fails: {@link NotOwnedError} when it is none. */
export function removeOwnerReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  if (!hasOwnerReference(owner, object)) {
    throw new NotOwnedError({ owner, object }, "an owner");
  }
  return withoutReference(owner, object);
}

/** Returns the object without its controller. Fails: {@link NotOwnedError} when the owner is not its controller. */
export function removeControllerReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  const reference = referencesOf(object).find((each) => isSameOwner(each, referenceTo(owner)));
  if (reference?.controller !== true) {
    throw new NotOwnedError({ owner, object }, "the controller");
  }
  return withoutReference(owner, object);
}

/** Says whether an object has a controller, whichever it is. */
export function hasControllerReference(object: KubernetesObject): boolean {
  return referencesOf(object).some(({ controller }) => controller === true);
}

/** Says whether the owner is among an object's owners; group, kind and name count, the version does not. */
export function hasOwnerReference(owner: KubernetesObject, object: KubernetesObject): boolean {
  return referencesOf(object).some((reference) => isSameOwner(reference, referenceTo(owner)));
}

function requireValidOwner(owner: KubernetesObject, object: KubernetesObject): void {
  const [ownerNamespace, namespace] = [owner, object].map((each) => each.metadata.namespace ?? "");
  if (ownerNamespace === "" || ownerNamespace === namespace) {
    return;
  }
  const reason =
    namespace === ""
      ? "an object of the cluster cannot be owned by an object of a namespace"
      : "objects of different namespaces cannot own one another";
  throw new InvalidOwnerError({ owner, object }, reason);
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
}

function referencesOf({ metadata }: KubernetesObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

function isSameOwner(left: OwnerReference, right: OwnerReference): boolean {
  const isSameGroup = parseApiVersion(left.apiVersion).group === parseApiVersion(right.apiVersion).group;
  return isSameGroup && left.kind === right.kind && left.name === right.name;
}

function withReference<T extends KubernetesObject>(object: T, reference: OwnerReference): T {
  const references = referencesOf(object);
  const isKnown = references.some((each) => isSameOwner(each, reference));
  const ownerReferences = isKnown
    ? references.map((each) => (isSameOwner(each, reference) ? reference : each))
    : [...references, reference];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function withoutReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  const ownerReferences = referencesOf(object).filter((each) => !isSameOwner(each, referenceTo(owner)));
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}
