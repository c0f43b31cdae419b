import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { Condition } from "@kubescaffold/k8s/meta/v1";

/** What a condition says, without when it began to say so. */
export type ConditionState = Pick<Condition, "type" | "status" | "reason" | "message">;

/** The reasons of conditions; those of Available are the Deployment's own once it has one. */
export const REASONS = {
  reconciling: "Reconciling",
  rolloutComplete: "RolloutComplete",
  rolloutStalled: "RolloutStalled",
  asExpected: "AsExpected",
  reconcileFailed: "ReconcileFailed",
} as const;

/** Returns what the state of a Deployment means for the object that it belongs to. */
export function deploymentStates(deployment: Deployment): ConditionState[] {
  const stalled = stalledBecause(deployment);
  return [availableState(deployment), progressingState(deployment, stalled), degradedState(stalled)];
}

/** Returns what it means that the objects could not be brought into the wished state. */
export function failedStates(error: unknown): ConditionState[] {
  const message = error instanceof Error ? error.message : String(error);
  return [{ type: "Degraded", status: "True", reason: REASONS.reconcileFailed, message }];
}

/** Returns the conditions with these states; one that stays True, False or Unknown keeps the time when it became so. */
export function withStates(
  former: readonly Condition[] | undefined,
  states: readonly ConditionState[],
  { observedGeneration = 0, now }: { readonly observedGeneration: number | undefined; readonly now: Date },
): Condition[] {
  const kept = (former ?? []).filter(({ type }) => !states.some((state) => state.type === type));
  const next = states.map((state): Condition => {
    const before = former?.find(({ type }) => type === state.type);
    const isSame = before?.status === state.status;
    const lastTransitionTime = isSame ? before.lastTransitionTime : `${now.toISOString().slice(0, 19)}Z`;
    return { ...state, observedGeneration, lastTransitionTime };
  });
  return [...next, ...kept];
}

function availableState({ status, spec }: Deployment): ConditionState {
  const found = status?.conditions?.find(({ type }) => type === "Available");
  const message = `${String(status?.availableReplicas ?? 0)} of ${String(spec?.replicas ?? 1)} Pods can serve`;
  if (found === undefined) return { type: "Available", status: "Unknown", reason: REASONS.reconciling, message };
  const isAvailable = found.status === "True";
  const reason = found.reason ?? REASONS.reconciling;
  return { type: "Available", status: isAvailable ? "True" : "False", reason, message };
}

function progressingState({ metadata, spec, status }: Deployment, stalled: string | undefined): ConditionState {
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
    ? { type: "Degraded", status: "False", reason: REASONS.asExpected, message: "nothing stands in the way" }
    : { type: "Degraded", status: "True", reason: REASONS.rolloutStalled, message: stalled };
}

// Pods that cannot be made, for want of quota for instance, and Pods that do not become available in time.
function stalledBecause({ status }: Deployment): string | undefined {
  const conditions = status?.conditions ?? [];
  const failure = conditions.find((each) => each.type === "ReplicaFailure" && each.status === "True");
  const deadline = conditions.find((each) => each.type === "Progressing" && each.status === "False");
  const found = failure ?? deadline;
  return found === undefined ? undefined : (found.message ?? found.reason ?? "the Deployment does not progress");
}
