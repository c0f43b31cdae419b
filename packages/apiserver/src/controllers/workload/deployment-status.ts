import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@kubescaffold/k8s/apps/v1";

import { toTime } from "../../clock/clock.ts";
import { desiredReplicas, limits } from "./rollout.ts";

/** What a deployment's status is computed from. */
export interface DeploymentObservation {
  readonly newSet: ReplicaSet | undefined;
  readonly sets: readonly ReplicaSet[];
  readonly nowMs: number;
}

/** Computes the status that the real controller would write; what has not changed keeps its times. */
export function deploymentStatus(deployment: Deployment, observation: DeploymentObservation): DeploymentStatus {
  const replicas = total(observation.sets, "replicas");
  const available = total(observation.sets, "availableReplicas");
  const ready = total(observation.sets, "readyReplicas");
  const updated = observation.newSet?.status?.replicas ?? 0;
  const unavailable = Math.max(
    0,
    observation.sets.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0) - available,
  );
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...positive("replicas", replicas),
    ...positive("updatedReplicas", updated),
    ...positive("readyReplicas", ready),
    ...positive("availableReplicas", available),
    ...positive("unavailableReplicas", unavailable),
    conditions: conditions(deployment, observation, { replicas, available, updated }),
  };
}

type Counts = { readonly replicas: number; readonly available: number; readonly updated: number };

function conditions(deployment: Deployment, observation: DeploymentObservation, counts: Counts): DeploymentCondition[] {
  const former = new Map((deployment.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  const now = toTime(observation.nowMs);
  return [availability(deployment, counts), progress(deployment, observation.newSet, counts)]
    .map((condition) => withTimes(condition, former.get(condition.type), now))
    .toSorted((left, right) => left.lastUpdateTime?.localeCompare(right.lastUpdateTime ?? "") ?? 0);
}

type Observed = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;

function availability(deployment: Deployment, { available }: Counts): Observed {
  return available >= desiredReplicas(deployment) - limits(deployment).unavailable
    ? observed("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    : observed("Available", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.");
}

function progress(deployment: Deployment, newSet: ReplicaSet | undefined, counts: Counts): Observed {
  const desired = desiredReplicas(deployment);
  const name = newSet?.metadata.name ?? "";
  const isComplete = counts.updated === desired && counts.replicas === desired && counts.available === desired;
  if (isComplete)
    return observed(
      "Progressing",
      "True",
      "NewReplicaSetAvailable",
      `ReplicaSet "${name}" has successfully progressed.`,
    );
  return observed("Progressing", "True", "ReplicaSetUpdated", `ReplicaSet "${name}" is progressing.`);
}

function observed(type: string, status: "True" | "False", reason: string, message: string): Observed {
  return { type, status, reason, message };
}

function withTimes(condition: Observed, former: DeploymentCondition | undefined, now: string): DeploymentCondition {
  const isSame =
    former?.status === condition.status && former.reason === condition.reason && former.message === condition.message;
  if (isSame) return former;
  return {
    type: condition.type,
    status: condition.status,
    lastUpdateTime: now,
    lastTransitionTime: former?.status === condition.status ? (former.lastTransitionTime ?? now) : now,
    ...(condition.reason === undefined ? {} : { reason: condition.reason }),
    ...(condition.message === undefined ? {} : { message: condition.message }),
  };
}

function total(sets: readonly ReplicaSet[], field: "replicas" | "availableReplicas" | "readyReplicas"): number {
  return sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);
}

// Upstream's counters are absent at zero.
function positive<K extends string>(field: K, value: number): Partial<Record<K, number>> {
  return value > 0 ? ({ [field]: value } as Record<K, number>) : {};
}
