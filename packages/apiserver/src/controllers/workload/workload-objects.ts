import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";

import type { ServerContext } from "../../pipeline/server-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";

/** Where the objects of workloads are stored and served. */
export const DEPLOYMENTS = { group: "apps", version: "v1", resource: "deployments" } as const;
/** Where the objects of workloads are stored and served. */
export const REPLICA_SETS = { group: "apps", version: "v1", resource: "replicasets" } as const;
/** Where the objects of workloads are stored and served. */
export const PODS = { group: "", version: "v1", resource: "pods" } as const;
/** Where the objects of workloads are stored and served. */
export const EVENTS = { group: "", version: "v1", resource: "events" } as const;

/** Reads one object of a resource as its type. */
export function readStored<T>(
  context: ServerContext,
  resource: { readonly group: string; readonly resource: string },
  key: { readonly namespace: string; readonly name: string },
): T | undefined {
  return context.objects.get(resource, key) as unknown as T | undefined;
}

/** Lists the objects of a namespace that a controller owns. */
export function ownedBy<T extends ReplicaSet | Pod>(
  context: ServerContext,
  resource: { readonly group: string; readonly resource: string },
  owner: Deployment | ReplicaSet,
): readonly T[] {
  return context.objects
    .list(resource, owner.metadata.namespace)
    .filter((object) => controllerOf(object)?.uid === owner.metadata.uid) as unknown as readonly T[];
}

/** Returns the owner that controls an object. */
export function controllerOf(object: Pick<ApiObject, "metadata">): OwnerReference | undefined {
  return (object.metadata.ownerReferences ?? []).find((reference) => reference.controller === true);
}

/** Returns the reference by which an owner controls what it makes. */
export function controllerReference(owner: Deployment | ReplicaSet): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? "",
    uid: owner.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Reports whether a pod counts towards the replicas of its set: neither finished nor being deleted. */
export function isActive(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return pod.metadata.deletionTimestamp === undefined && phase !== "Succeeded" && phase !== "Failed";
}

/** Reports whether a pod has the condition Ready. */
export function isReady(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}
