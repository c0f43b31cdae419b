import { toTime } from "@kubescaffold/k8s";
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@kubescaffold/k8s/apps/v1";

import { desiredReplicas, limits } from "./rollout.ts";

// The value of an absent deadline.
const NO_DEADLINE = 2 ** 31 - 1;

/** Inputs of a deployment's status. */
export interface DeploymentObservation {
  readonly newSet: ReplicaSet | undefined;
  readonly sets: readonly ReplicaSet[];
  readonly nowMs: number;
  /** Whether a rollout is in progress, and its deadline counts; false while the deployment is paused or only scaled. */
  readonly isRollout: boolean;
}

/** Computes the status that the real controller would write; what has not changed keeps its times. */
export function deploymentStatus(deployment: Deployment, observation: DeploymentObservation): DeploymentStatus {
  const counts = countReplicas(observation);
  const { collisionCount } = deployment.status ?? {};
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...positive("replicas", counts.replicas),
    ...positive("updatedReplicas", counts.updated),
    ...positive("readyReplicas", counts.ready),
    ...positive("availableReplicas", counts.available),
    ...positive("unavailableReplicas", counts.unavailable),
    terminatingReplicas: total(observation.sets, "terminatingReplicas"),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: [...conditions(deployment, observation, counts)],
  };
}

/** Returns after how long a rollout that stands still misses its deadline, or nothing when none is running. */
export function untilDeadlineMs(deployment: Deployment, status: DeploymentStatus, nowMs: number): number | undefined {
  const progressing = (status.conditions ?? []).find(({ type }) => type === "Progressing");
  if (!hasDeadline(deployment) || progressing === undefined || progressing.status !== "True") return undefined;
  if (progressing.reason === "NewReplicaSetAvailable") return undefined;
  // Times have whole seconds, so it has passed only one second later.
  return deadlineMs(deployment, progressing) - nowMs + 1_000;
}

interface Counts {
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly unavailable: number;
}

function countReplicas({ sets, newSet }: DeploymentObservation): Counts {
  const available = total(sets, "availableReplicas");
  const wanted = sets.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
  return {
    replicas: total(sets, "replicas"),
    updated: newSet?.status?.replicas ?? 0,
    ready: total(sets, "readyReplicas"),
    available,
    unavailable: Math.max(0, wanted - available),
  };
}

function conditions(
  deployment: Deployment,
  observation: DeploymentObservation,
  counts: Counts,
): readonly DeploymentCondition[] {
  const now = toTime(observation.nowMs);
  const former = deployment.status?.conditions ?? [];
  const noted = withCondition(former, pauseNote(deployment, former), now);
  const judged = withCondition(noted, availability(deployment, counts), now);
  if (!observation.isRollout) return judged;
  const progressing = withProgress(deployment, observation, { counts, conditions: judged });
  return withFailure(progressing, observation, now);
}

type Observed = Pick<DeploymentCondition, "type" | "status" | "reason" | "message">;

// A condition whose status and reason stay is left alone, its message included.
function withCondition(
  all: readonly DeploymentCondition[],
  condition: Observed | undefined,
  now: string,
): readonly DeploymentCondition[] {
  if (condition === undefined) return all;
  const former = all.find(({ type }) => type === condition.type);
  if (former?.status === condition.status && former.reason === condition.reason) return all;
  const lastTransitionTime = former?.status === condition.status ? (former.lastTransitionTime ?? now) : now;
  return [
    ...all.filter(({ type }) => type !== condition.type),
    { ...condition, lastUpdateTime: now, lastTransitionTime },
  ];
}

function pauseNote(deployment: Deployment, former: readonly DeploymentCondition[]): Observed | undefined {
  const reason = former.find(({ type }) => type === "Progressing")?.reason;
  if (!hasDeadline(deployment) || reason === "ProgressDeadlineExceeded") return undefined;
  const isPaused = deployment.spec?.paused === true;
  if (isPaused === (reason === "DeploymentPaused")) return undefined;
  return isPaused
    ? observed("Progressing", "Unknown", { reason: "DeploymentPaused", message: "Deployment is paused" })
    : observed("Progressing", "Unknown", { reason: "DeploymentResumed", message: "Deployment is resumed" });
}

function availability(deployment: Deployment, { available }: Counts): Observed {
  const isAvailable = available >= desiredReplicas(deployment) - limits(deployment).unavailable;
  return isAvailable
    ? observed("Available", "True", {
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      })
    : observed("Available", "False", {
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      });
}

function withProgress(
  deployment: Deployment,
  { newSet, nowMs }: DeploymentObservation,
  { counts, conditions: all }: { readonly counts: Counts; readonly conditions: readonly DeploymentCondition[] },
): readonly DeploymentCondition[] {
  const others = all.filter(({ type }) => type !== "Progressing");
  if (!hasDeadline(deployment)) return others;
  const current = all.find(({ type }) => type === "Progressing");
  if (current?.reason === "NewReplicaSetAvailable" && counts.replicas === counts.updated) return all;
  const now = toTime(nowMs);
  const about = `ReplicaSet ${JSON.stringify(newSet?.metadata.name ?? "")}`;
  if (isComplete(deployment, counts)) {
    const done = { reason: "NewReplicaSetAvailable", message: `${about} has successfully progressed.` };
    return withCondition(all, observed("Progressing", "True", done), now);
  }
  if (current === undefined || isProgressing(deployment, counts)) {
    const message = `${about} is progressing.`;
    const since = current?.status === "True" ? (current.lastTransitionTime ?? now) : now;
    const condition = observed("Progressing", "True", { reason: "ReplicaSetUpdated", message });
    return [...others, { ...condition, lastUpdateTime: now, lastTransitionTime: since }];
  }
  if (deadlineMs(deployment, current) >= nowMs) return all;
  const late = { reason: "ProgressDeadlineExceeded", message: `${about} has timed out progressing.` };
  return withCondition(all, observed("Progressing", "False", late), now);
}

function isComplete(deployment: Deployment, { updated, replicas, available }: Counts): boolean {
  const desired = desiredReplicas(deployment);
  return updated === desired && replicas === desired && available === desired;
}

function isProgressing({ status = {} }: Deployment, counts: Counts): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  return (
    counts.updated > updatedReplicas ||
    counts.replicas - counts.updated < replicas - updatedReplicas ||
    counts.ready > readyReplicas ||
    counts.available > availableReplicas
  );
}

function hasDeadline(deployment: Deployment): boolean {
  return (deployment.spec?.progressDeadlineSeconds ?? NO_DEADLINE) !== NO_DEADLINE;
}

function deadlineMs(deployment: Deployment, progressing: DeploymentCondition): number {
  const seconds = deployment.spec?.progressDeadlineSeconds ?? NO_DEADLINE;
  return Date.parse(progressing.lastUpdateTime ?? "") + seconds * 1000;
}

// Sets that cannot make their pods say so, and the deployment repeats it.
function withFailure(
  all: readonly DeploymentCondition[],
  { newSet, sets }: DeploymentObservation,
  now: string,
): readonly DeploymentCondition[] {
  const failures = [newSet, ...sets].flatMap((set) =>
    (set?.status?.conditions ?? []).filter(({ type, status }) => type === "ReplicaFailure" && status === "True"),
  );
  const failure = failures[0];
  if (failure === undefined) return all.filter(({ type }) => type !== "ReplicaFailure");
  const { reason = "", message = "" } = failure;
  return withCondition(all, observed("ReplicaFailure", "True", { reason, message }), now);
}

function observed(
  type: string,
  status: "True" | "False" | "Unknown",
  why: { readonly reason: string; readonly message: string },
): Observed {
  return { type, status, ...why };
}

type Counter = "replicas" | "availableReplicas" | "readyReplicas" | "terminatingReplicas";

function total(sets: readonly ReplicaSet[], field: Counter): number {
  return sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);
}

// Upstream's counters are absent at zero.
function positive<K extends string>(field: K, value: number): Partial<Record<K, number>> {
  return value > 0 ? ({ [field]: value } as Record<K, number>) : {};
}
