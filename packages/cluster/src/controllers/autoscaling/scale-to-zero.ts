import type { Release } from "@kubescaffold/apiserver/cluster-api";
import type { HorizontalPodAutoscaler } from "@kubescaffold/k8s/autoscaling/v2";

import type { AutoscalerConditions } from "./autoscaler-conditions.ts";

const SCALED_TO_ZERO = "ScaledToZero";

/** Reports whether an autoscaler leaves a target without replicas alone: since 1.36, unless it removed the last one itself. */
export function isOffAtZero(
  release: Pick<Release, "isEnabled" | "since">,
  autoscaler: HorizontalPodAutoscaler,
): boolean {
  if (!release.since("1.36")) return minimumOf(autoscaler) !== 0;
  if (!release.isEnabled("HPAScaleToZero") || !isScaledToZero(autoscaler)) return true;
  return minimumOf(autoscaler) === 0 && !hasMetricsWithoutPods(autoscaler);
}

/** Notes in the conditions whether a change of the replicas was the autoscaler's removal of the last one. */
export function noteScaling(
  release: Pick<Release, "isEnabled" | "since">,
  autoscaler: HorizontalPodAutoscaler,
  { conditions, from, to }: { readonly conditions: AutoscalerConditions; readonly from: number; readonly to: number },
): void {
  // Earlier versions have no such condition, even with the feature.
  if (!release.since("1.36")) return;
  if (!release.isEnabled("HPAScaleToZero")) {
    conditions.remove(SCALED_TO_ZERO);
    return;
  }
  const isOwn = from > 0 && to === 0 && minimumOf(autoscaler) === 0 && hasMetricsWithoutPods(autoscaler);
  conditions.set(SCALED_TO_ZERO, isOwn ? "True" : "False", {
    reason: isOwn ? "ScaledToZero" : "NotScaledToZero",
    message: `the HPA controller ${isOwn ? "scaled" : "did not scale"} the workload to zero`,
  });
}

/** Removes the condition of an autoscaler whose target has no replicas, where a cluster does not have the feature. */
export function forgetScaling(release: Pick<Release, "isEnabled" | "since">, conditions: AutoscalerConditions): void {
  if (release.since("1.36") && !release.isEnabled("HPAScaleToZero")) conditions.remove(SCALED_TO_ZERO);
}

/** Returns the fewest replicas of the target of an autoscaler. */
export function minimumOf({ spec }: HorizontalPodAutoscaler): number {
  return spec?.minReplicas ?? 1;
}

function isScaledToZero({ status }: HorizontalPodAutoscaler): boolean {
  return status?.conditions?.find(({ type }) => type === SCALED_TO_ZERO)?.status === "True";
}

// Metrics of pods say nothing about a target that has none.
function hasMetricsWithoutPods({ spec }: HorizontalPodAutoscaler): boolean {
  return (spec?.metrics ?? []).some(({ type }) => type === "Object" || type === "External");
}
