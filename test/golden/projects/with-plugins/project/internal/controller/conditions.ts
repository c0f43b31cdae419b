/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { type DeepReadonly, findCondition, setCondition } from "@kubescaffold/k8s";
import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { Condition } from "@kubescaffold/k8s/meta/v1";

/** ConditionState is a condition without its transition time. */
export type ConditionState = Pick<Condition, "type" | "status" | "reason" | "message">;

/** REASONS are the reasons of conditions; Available has the reason of the Deployment's condition if there is one. */
export const REASONS = {
  reconciling: "Reconciling",
  rolloutComplete: "RolloutComplete",
  rolloutStalled: "RolloutStalled",
  asExpected: "AsExpected",
  reconcileFailed: "ReconcileFailed",
} as const;

/** Returns the conditions of the owner of a Deployment. */
export function deploymentStates(deployment: DeepReadonly<Deployment>): ConditionState[] {
  const stalled = stalledBecause(deployment);
  return [availableState(deployment), progressingState(deployment, stalled), degradedState(stalled)];
}

/** Returns the conditions after a failed reconciliation. */
export function failedStates(error: unknown): ConditionState[] {
  const message = error instanceof Error ? error.message : String(error);
  return [{ type: "Degraded", status: "True", reason: REASONS.reconcileFailed, message }];
}

/** Returns the conditions with these states. The transition time of a condition changes only with its status. */
export function withStates(
  former: readonly Condition[] | undefined,
  states: readonly ConditionState[],
  { observedGeneration, now }: { readonly observedGeneration: number | undefined; readonly now: Date },
): Condition[] {
  let conditions = [...(former ?? [])];
  for (const state of states) ({ conditions } = setCondition(conditions, { ...state, observedGeneration }, now));
  return conditions;
}

function availableState({ status, spec }: DeepReadonly<Deployment>): ConditionState {
  const found = findCondition(status?.conditions, "Available");
  const message = `${String(status?.availableReplicas ?? 0)} of ${String(spec?.replicas ?? 1)} Pods are available`;
  if (found === undefined) return { type: "Available", status: "Unknown", reason: REASONS.reconciling, message };
  const isAvailable = found.status === "True";
  const reason = found.reason ?? REASONS.reconciling;
  return { type: "Available", status: isAvailable ? "True" : "False", reason, message };
}

function progressingState(
  { metadata, spec, status }: DeepReadonly<Deployment>,
  stalled: string | undefined,
): ConditionState {
  const wanted = spec?.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  const isSeen = observedGeneration >= (metadata.generation ?? 0);
  const isComplete = isSeen && updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
  const message = `${String(updatedReplicas)} of ${String(wanted)} Pods are up to date`;
  if (isComplete) return { type: "Progressing", status: "False", reason: REASONS.rolloutComplete, message };
  if (stalled !== undefined) return { type: "Progressing", status: "False", reason: REASONS.rolloutStalled, message };
  return { type: "Progressing", status: "True", reason: REASONS.reconciling, message };
}

function degradedState(stalled: string | undefined): ConditionState {
  return stalled === undefined
    ? { type: "Degraded", status: "False", reason: REASONS.asExpected, message: "the rollout has not failed" }
    : { type: "Degraded", status: "True", reason: REASONS.rolloutStalled, message: stalled };
}

// Reports Pods that cannot be created, for example because of a quota, or that do not become available in time.
function stalledBecause({ status }: DeepReadonly<Deployment>): string | undefined {
  const failure = findCondition(status?.conditions, "ReplicaFailure");
  const progress = findCondition(status?.conditions, "Progressing");
  const found = failure?.status === "True" ? failure : progress?.status === "False" ? progress : undefined;
  return found && (found.message ?? found.reason ?? "the Deployment is not progressing");
}
