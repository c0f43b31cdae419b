import type { IntOrString } from "@kubescaffold/k8s";
import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";

/** A replica set and how many replicas it shall have. */
export interface ScaleStep {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/**
 * Returns the next scalings of a rollout, none when nothing can be done now.
 *
 * Guarantees: never more than replicas plus surge in all, never fewer available than replicas less unavailable, by upstream's arithmetic.
 */
export function nextScaling(
  deployment: Deployment,
  newSet: ReplicaSet,
  oldSets: readonly ReplicaSet[],
): readonly ScaleStep[] {
  if (deployment.spec?.strategy?.type === "Recreate") return recreateSteps(deployment, newSet, oldSets);
  const up = scaleUp(deployment, newSet, oldSets);
  return up.length > 0 ? up : scaleDown(deployment, newSet, oldSets);
}

/** Returns how many replicas a new set starts with. */
export function initialReplicas(deployment: Deployment, oldSets: readonly ReplicaSet[]): number {
  const total = sum(oldSets.map((set) => specReplicas(set)));
  const desired = desiredReplicas(deployment);
  if (deployment.spec?.strategy?.type === "Recreate") return total > 0 ? 0 : desired;
  return Math.max(0, Math.min(desired, desired + limits(deployment).surge - total));
}

/** Returns how many replicas a deployment wants. */
export function desiredReplicas(deployment: Deployment): number {
  return deployment.spec?.replicas ?? 1;
}

/** Returns how many replicas a set wants. */
export function specReplicas(set: ReplicaSet): number {
  return set.spec?.replicas ?? 1;
}

/** Returns the most replicas that all sets of a deployment may have together. */
export function maximalReplicas(deployment: Deployment): number {
  const desired = desiredReplicas(deployment);
  return desired === 0 ? 0 : desired + limits(deployment).surge;
}

/** Returns the surge and the unavailability that a deployment's strategy allows, in pods. */
export function limits(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  if (deployment.spec?.strategy?.type === "Recreate") return { surge: 0, unavailable: 0 };
  const desired = desiredReplicas(deployment);
  const rollingUpdate = deployment.spec?.strategy?.rollingUpdate;
  const surge = scaled(rollingUpdate?.maxSurge ?? "25%", desired, Math.ceil);
  const unavailable = scaled(rollingUpdate?.maxUnavailable ?? "25%", desired, Math.floor);
  // Both at zero would allow no step at all.
  return { surge, unavailable: Math.min(desired, surge === 0 && unavailable === 0 ? 1 : unavailable) };
}

function scaleUp(deployment: Deployment, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): readonly ScaleStep[] {
  const desired = desiredReplicas(deployment);
  const current = specReplicas(newSet);
  if (current > desired) return [{ replicaSet: newSet, replicas: desired }];
  const total = current + sum(oldSets.map((set) => specReplicas(set)));
  const step = Math.min(desired + limits(deployment).surge - total, desired - current);
  return step > 0 ? [{ replicaSet: newSet, replicas: current + step }] : [];
}

// Unavailable replicas are removed first, regardless of their set.
function scaleDown(deployment: Deployment, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): readonly ScaleStep[] {
  const minimum = desiredReplicas(deployment) - limits(deployment).unavailable;
  const total = specReplicas(newSet) + sum(oldSets.map((set) => specReplicas(set)));
  const budget = total - minimum - (specReplicas(newSet) - available(newSet));
  const unhealthy = takeDown(oldSets, budget, (set) => specReplicas(set) - available(set));
  const healthyBudget = Math.min(
    budget - sum([...unhealthy.values()]),
    available(newSet) + sum(oldSets.map((set) => available(set))) - minimum,
  );
  const healthy = takeDown(oldSets, healthyBudget, (set) => available(set));
  return oldSets
    .map((replicaSet) => ({ replicaSet, step: (unhealthy.get(replicaSet) ?? 0) + (healthy.get(replicaSet) ?? 0) }))
    .filter(({ step }) => step > 0)
    .map(({ replicaSet, step }) => ({ replicaSet, replicas: specReplicas(replicaSet) - step }));
}

function takeDown(
  sets: readonly ReplicaSet[],
  budget: number,
  candidatesOf: (set: ReplicaSet) => number,
): ReadonlyMap<ReplicaSet, number> {
  const steps = new Map<ReplicaSet, number>();
  let left = budget;
  for (const set of sets) {
    const step = Math.min(left, candidatesOf(set));
    if (step <= 0) continue;
    left -= step;
    steps.set(set, step);
  }
  return steps;
}

// A status that is behind the specification does not count more than there are.
function available(set: ReplicaSet): number {
  return Math.min(set.status?.availableReplicas ?? 0, specReplicas(set));
}

function recreateSteps(
  deployment: Deployment,
  newSet: ReplicaSet,
  oldSets: readonly ReplicaSet[],
): readonly ScaleStep[] {
  const running = oldSets.filter((set) => specReplicas(set) > 0);
  if (running.length > 0) return running.map((replicaSet) => ({ replicaSet, replicas: 0 }));
  if (oldSets.some((set) => (set.status?.replicas ?? 0) + (set.status?.terminatingReplicas ?? 0) > 0)) return [];
  const desired = desiredReplicas(deployment);
  return specReplicas(newSet) === desired ? [] : [{ replicaSet: newSet, replicas: desired }];
}

function scaled(value: IntOrString, total: number, round: (value: number) => number): number {
  if (typeof value === "number") return value;
  return value.endsWith("%") ? round((Number.parseInt(value, 10) * total) / 100) : Number.parseInt(value, 10);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
