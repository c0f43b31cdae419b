import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { isActive, isReady } from "./workload-objects.ts";

/** What a replica set's status is computed from. */
export interface ReplicaSetObservation {
  /** All pods of the set, those that are going included. */
  readonly pods: readonly Pod[];
  /** The time of a condition that is new. */
  readonly now: string;
  /** Why pods could not be made or deleted, when that failed. */
  readonly failure?: { readonly reason: string; readonly message: string };
}

/** Computes the status that the real controller would write; the condition of a failure keeps its time. */
export function replicaSetStatus(set: ReplicaSet, observation: ReplicaSetObservation): ReplicaSetStatus {
  const active = observation.pods.filter((pod) => isActive(pod));
  const labeled = active.filter((pod) => hasTemplateLabels(set, pod)).length;
  const ready = active.filter((pod) => isReady(pod)).length;
  const conditions = failureConditions(set, observation);
  return {
    replicas: active.length,
    ...(labeled > 0 ? { fullyLabeledReplicas: labeled } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    terminatingReplicas: observation.pods.filter((pod) => isTerminating(pod)).length,
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function hasTemplateLabels(set: ReplicaSet, pod: Pod): boolean {
  const labels = pod.metadata.labels ?? {};
  return Object.entries(set.spec?.template?.metadata?.labels ?? {}).every(([key, value]) => labels[key] === value);
}

function isTerminating({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

function failureConditions(set: ReplicaSet, { failure, now }: ReplicaSetObservation): ReplicaSetCondition[] {
  const others = (set.status?.conditions ?? []).filter(({ type }) => type !== "ReplicaFailure");
  if (failure === undefined) return others;
  const former = set.status?.conditions?.find(
    ({ type, reason }) => type === "ReplicaFailure" && reason === failure.reason,
  );
  return [...others, former ?? { type: "ReplicaFailure", status: "True", lastTransitionTime: now, ...failure }];
}
