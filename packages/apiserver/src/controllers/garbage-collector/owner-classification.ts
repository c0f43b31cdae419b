import { parseApiVersion } from "@kubescaffold/k8s";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";

import type { ServerContext } from "../../server/server-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";

/** The finalizer of an owner that waits for its dependents to go first. */
export const FOREGROUND_FINALIZER = "foregroundDeletion";

/** The finalizer of an owner whose dependents shall stay. */
export const ORPHAN_FINALIZER = "orphan";

/** The owners that an object names, by what became of them. */
export interface ClassifiedOwners {
  /** They exist and are not waiting for their dependents: the object stays. */
  readonly solid: readonly OwnerReference[];
  /** They do not exist, or an object of another uid has their name. */
  readonly dangling: readonly OwnerReference[];
  /** They are being deleted and wait for their dependents. */
  readonly waiting: readonly OwnerReference[];
  /** Their kind is not served, so nothing can be said. */
  readonly unknown: readonly OwnerReference[];
}

/** Looks the owners of an object up. */
export function classifyOwners(context: ServerContext, object: ApiObject): ClassifiedOwners {
  const owners: Record<keyof ClassifiedOwners, OwnerReference[]> = {
    solid: [],
    dangling: [],
    waiting: [],
    unknown: [],
  };
  for (const reference of object.metadata.ownerReferences ?? [])
    owners[classify(context, object, reference)].push(reference);
  return owners;
}

/** Says whether an object is being deleted and waits for its dependents. */
export function waitsForDependents(object: ApiObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).includes(FOREGROUND_FINALIZER)
  );
}

function classify(context: ServerContext, object: ApiObject, reference: OwnerReference): keyof ClassifiedOwners {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const resource =
    context.resources.findByKind({ group, version, kind: reference.kind }) ??
    context.resources.preferred({ group, kind: reference.kind });
  if (resource === undefined) return "unknown";
  const namespace = object.metadata.namespace ?? "";
  // A namespaced owner of a cluster-scoped object cannot be found, so the object is never collected.
  if (resource.isNamespaced && namespace === "") return "unknown";
  const key = { namespace: resource.isNamespaced ? namespace : "", name: reference.name };
  const owner = context.objects.get(resource.storedAs, key);
  if (owner === undefined || owner.metadata.uid !== reference.uid) return "dangling";
  return waitsForDependents(owner) ? "waiting" : "solid";
}
