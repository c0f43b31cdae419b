import type { Pod } from "@kubescaffold/k8s/core/v1";

import { isReady } from "./workload-objects.ts";

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const PHASES = ["Pending", "Unknown", "Running"];

/** What decides between pods that are equally useful. */
interface Preference {
  /** Whether the annotation with the cost of a deletion counts. */
  readonly usesCost?: boolean;
  /** Returns how many related pods run on the node of a pod; the pod with more is deleted first. */
  readonly neighborsOf?: (pod: Pod) => number;
}

/**
 * Orders pods by which should be deleted first: those without a node, those that do not run, those that are not ready, the cheaper ones, those beside
 * others, those that are ready for less time, those with more restarts, and the younger ones.
 */
export function deletionOrder(
  pods: readonly Pod[],
  { usesCost = false, neighborsOf = () => 0 }: Preference = {},
): readonly Pod[] {
  const keys = new Map(
    pods.map((pod) => [
      pod,
      [
        (pod.spec?.nodeName ?? "") === "" ? 0 : 1,
        PHASES.indexOf(pod.status?.phase ?? "Pending"),
        isReady(pod) ? 1 : 0,
        usesCost ? deletionCost(pod) : 0,
        -neighborsOf(pod),
        isReady(pod) ? -readySince(pod) : 0,
        -mostRestarts(pod),
        -timeOf(pod.metadata.creationTimestamp),
      ],
    ]),
  );
  return pods.toSorted((left, right) => compare(keys.get(left) ?? [], keys.get(right) ?? []));
}

function compare(left: readonly number[], right: readonly number[]): number {
  const position = left.findIndex((value, index) => value !== right[index]);
  return position < 0 ? 0 : (left[position] ?? 0) - (right[position] ?? 0);
}

function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.[DELETION_COST] ?? "0";
  const isNumber = /^(?:0|-?[1-9]\d{0,9})$/u.test(text);
  const cost = isNumber ? Number(text) : 0;
  return cost > 2 ** 31 - 1 || cost < -(2 ** 31) ? 0 : cost;
}

function readySince({ status }: Pod): number {
  return timeOf(status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime);
}

function mostRestarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function timeOf(text: string | null | undefined): number {
  return text === undefined || text === null ? Infinity : Date.parse(text);
}
