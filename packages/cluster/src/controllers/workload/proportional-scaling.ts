import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";

import { desiredReplicas, maximalReplicas, specReplicas, type ScaleStep } from "./rollout.ts";

/** The annotation of a replica set that says how many replicas its deployment wanted when it was scaled last. */
export const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";

/** The annotation of a replica set that says how many replicas all sets could have when it was scaled last. */
export const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

/** Reports whether a deployment wants another number of replicas than when its sets were scaled last. */
export function isScalingEvent(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  const desired = String(desiredReplicas(deployment));
  return active(sets).some((set) => (set.metadata.annotations?.[DESIRED_REPLICAS] ?? desired) !== desired);
}

/**
 * Returns the scalings that spread a deployment's replicas over its sets without rolling anything out.
 *
 * The only active set, or the newest when none is, gets them all; several active ones share by their sizes.
 */
export function scalingSteps(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  oldSets: readonly ReplicaSet[],
): readonly ScaleStep[] {
  const desired = desiredReplicas(deployment);
  const only = activeOrLatest(newSet, oldSets);
  if (only !== undefined) {
    const isScaled = specReplicas(only) === desired && !isScalingEvent(deployment, [only]);
    return isScaled ? [] : [{ replicaSet: only, replicas: desired }];
  }
  if (newSet !== undefined && isSaturated(deployment, newSet)) {
    return active(oldSets).map((replicaSet) => ({ replicaSet, replicas: 0 }));
  }
  if (deployment.spec?.strategy?.type === "Recreate") return [];
  return shares(deployment, active(newSet === undefined ? oldSets : [...oldSets, newSet]));
}

function activeOrLatest(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const candidates = active(newSet === undefined ? oldSets : [...oldSets, newSet]);
  if (candidates.length > 1) return undefined;
  return candidates[0] ?? newSet ?? oldSets.toSorted((left, right) => -byAge(left, right))[0];
}

function active(sets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return sets.filter((set) => specReplicas(set) > 0);
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const desired = desiredReplicas(deployment);
  return (
    specReplicas(set) === desired &&
    set.metadata.annotations?.[DESIRED_REPLICAS] === String(desired) &&
    (set.status?.availableReplicas ?? 0) === desired
  );
}

function shares(deployment: Deployment, sets: readonly ReplicaSet[]): readonly ScaleStep[] {
  const total = sets.reduce((count, set) => count + specReplicas(set), 0);
  const change = maximalReplicas(deployment) - total;
  if (change === 0) return [];
  const newestFirst = change > 0 ? -1 : 1;
  const sorted = sets.toSorted(
    (left, right) => specReplicas(right) - specReplicas(left) || newestFirst * byAge(left, right),
  );
  let changed = 0;
  const steps = sorted.map((replicaSet) => {
    const share = shareOf(deployment, replicaSet, change - changed);
    changed += share;
    return { replicaSet, replicas: specReplicas(replicaSet) + share };
  });
  // The largest takes what rounding has left over.
  return steps.map((step, index) =>
    index === 0 ? { ...step, replicas: Math.max(0, step.replicas + change - changed) } : step,
  );
}

function shareOf(deployment: Deployment, set: ReplicaSet, left: number): number {
  if (left === 0) return 0;
  const share = fractionOf(deployment, set);
  return left > 0 ? Math.min(share, left) : Math.max(share, left);
}

function fractionOf(deployment: Deployment, set: ReplicaSet): number {
  const size = specReplicas(set);
  if (desiredReplicas(deployment) === 0) return -size;
  const before = Number.parseInt(set.metadata.annotations?.[MAX_REPLICAS] ?? "0", 10) || deployment.status?.replicas;
  if (before === undefined || before === 0) return 0;
  return Math.round((size * maximalReplicas(deployment)) / before) - size;
}

function byAge(left: ReplicaSet, right: ReplicaSet): number {
  const [one = "", other = ""] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  return one.localeCompare(other) || (left.metadata.name ?? "").localeCompare(right.metadata.name ?? "");
}
