import type { ApiObject, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import type { Pod, PodStatus } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";

/** Where the objects of workloads are stored and served. */
export const DEPLOYMENTS = { group: "apps", version: "v1", resource: "deployments" } as const;
/** Where the objects of workloads are stored and served. */
export const REPLICA_SETS = { group: "apps", version: "v1", resource: "replicasets" } as const;
/** Where the objects of workloads are stored and served. */
export const REPLICATION_CONTROLLERS = { group: "", version: "v1", resource: "replicationcontrollers" } as const;
/** Where the objects of workloads are stored and served. */
export const STATEFUL_SETS = { group: "apps", version: "v1", resource: "statefulsets" } as const;
/** Where the objects of workloads are stored and served. */
export const CONTROLLER_REVISIONS = { group: "apps", version: "v1", resource: "controllerrevisions" } as const;
/** Where the objects of workloads are stored and served. */
export const PERSISTENT_VOLUME_CLAIMS = { group: "", version: "v1", resource: "persistentvolumeclaims" } as const;
/** Where the objects of workloads are stored and served. */
export const CRON_JOBS = { group: "batch", version: "v1", resource: "cronjobs" } as const;
/** Where the objects of workloads are stored and served. */
export const JOBS = { group: "batch", version: "v1", resource: "jobs" } as const;
/** Where the objects of workloads are stored and served. */
export const PODS = { group: "", version: "v1", resource: "pods" } as const;
/** Where the objects of workloads are stored and served. */
export const DAEMON_SETS = { group: "apps", version: "v1", resource: "daemonsets" } as const;
/** Where the nodes that run workloads are stored and served. */
export const NODES = { group: "", version: "v1", resource: "nodes" } as const;
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
export function ownedBy<T extends KubernetesObject>(
  context: ServerContext,
  resource: { readonly group: string; readonly resource: string },
  owner: KubernetesObject,
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
export function controllerReference(owner: KubernetesObject): OwnerReference {
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
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod);
}

/** Reports whether all containers of a pod have ended for good. */
export function hasEnded({ status }: Pod): boolean {
  return isFinal(status?.phase);
}

/** Reports whether a phase is the last one of a pod. */
export function isFinal(phase: PodStatus["phase"]): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Reports whether a pod has the condition Ready. */
export function isReady(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}

/** Reports whether a pod is being deleted and has not ended. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);
}

/** Returns for how many milliseconds a pod must still be ready to count as available: 0 when it does, infinite when it is not ready. */
export function untilAvailableMs(
  { status }: Pod,
  { spec }: { readonly spec?: { readonly minReadySeconds?: number } },
  now: number,
): number {
  const ready = (status?.conditions ?? []).find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return Infinity;
  const seconds = spec?.minReadySeconds ?? 0;
  if (seconds === 0) return 0;
  const since = Date.parse(ready.lastTransitionTime ?? "");
  return Number.isNaN(since) ? Infinity : Math.max(0, since + seconds * 1000 - now);
}
