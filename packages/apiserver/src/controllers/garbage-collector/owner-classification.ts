import { parseApiVersion, type GroupResource } from "@kubescaffold/k8s";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";

import type { ServerContext } from "../../pipeline/server-context.ts";
import { FOREGROUND_FINALIZER } from "../../resources/deletion-finalizer-names.ts";
import type { ApiObject } from "../../storage/api-object.ts";

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

/** Where the owner that a reference names is stored, and the object of that name, if there is one. */
export interface FoundOwner {
  readonly groupResource: GroupResource;
  readonly namespace: string;
  readonly object: ApiObject | undefined;
}

/** Looks up what a reference names; nothing when its kind is not served, or when a cluster-scoped object names a namespaced owner. */
export function findOwner(
  context: ServerContext,
  object: ApiObject,
  reference: OwnerReference,
): FoundOwner | undefined {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const resource =
    context.resources.findByKind({ group, version, kind: reference.kind }) ??
    context.resources.preferred({ group, kind: reference.kind });
  const ownNamespace = object.metadata.namespace ?? "";
  if (resource === undefined || (resource.isNamespaced && ownNamespace === "")) return undefined;
  const namespace = resource.isNamespaced ? ownNamespace : "";
  const owner = context.objects.get(resource.storedAs, { namespace, name: reference.name });
  return { groupResource: resource.storedAs, namespace, object: owner };
}

function classify(context: ServerContext, object: ApiObject, reference: OwnerReference): keyof ClassifiedOwners {
  const found = findOwner(context, object, reference);
  if (found === undefined) return "unknown";
  if (found.object === undefined || found.object.metadata.uid !== reference.uid) return "dangling";
  return waitsForDependents(found.object) ? "waiting" : "solid";
}
