import type { Pod } from "@kubescaffold/k8s/core/v1";
import { addToList } from "@kubescaffold/platform";

import type { ServerContext } from "../../pipeline/server-context.ts";
import { reasonText, violationsOf } from "./evaluate-pod.ts";
import type { PodSecurityConfiguration } from "./pod-security-configuration.ts";
import { type LevelVersion, levelText } from "./pod-security-levels.ts";

const PODS = { group: "", resource: "pods" } as const;
const MOST_PODS = 3000;

/** Returns a warning for each kind of violation of a new level by the Pods of a namespace. */
export function warningsForPods(
  { objects }: ServerContext,
  namespace: string,
  { level, configuration }: { readonly level: LevelVersion; readonly configuration: PodSecurityConfiguration },
): readonly string[] {
  const pods = oneOfEachController(objects.list(PODS, namespace));
  const namesByReason = new Map<string, string[]>();
  for (const { metadata, spec } of pods.slice(0, MOST_PODS)) {
    if (configuration.runtimeClasses.has(spec?.runtimeClassName ?? "")) continue;
    const violations = spec === undefined ? [] : violationsOf(level, { metadata, spec });
    if (violations.length === 0) continue;
    addToList(namesByReason, reasonText(violations), metadata.name ?? "");
  }
  return [
    ...(pods.length > MOST_PODS
      ? [`new PodSecurity enforce level only checked against the first ${MOST_PODS} of ${pods.length} existing pods`]
      : []),
    ...(namesByReason.size > 0
      ? [`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(level)}"`]
      : []),
    ...[...namesByReason].map(([reason, names]) => `${podsText(names)}: ${reason}`).toSorted(),
  ];
}

// Pods of a controller that has one already come last.
function oneOfEachController(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const first: Pod[] = [];
  const others: Pod[] = [];
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    (owner !== undefined && seen.has(owner) ? others : first).push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...others];
}

function podsText(names: readonly string[]): string {
  const [first = "", ...others] = names.toSorted();
  if (others.length === 0) return first;
  return `${first} (and ${String(others.length)} other ${others.length === 1 ? "pod" : "pods"})`;
}
