import { quantityToBigInt } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { lastingContainers } from "../../kubelet/containers/restart-policy.ts";
import { podRequests } from "../../scheduler/pod-requests.ts";
import { isReady } from "../workload/workload-objects.ts";
import type { PodValues } from "./cluster-metrics.ts";

const CPU_INITIALIZATION_MS = 5 * 60_000;
const INITIAL_READINESS_MS = 30_000;

/** Pods of an autoscaler by how their metrics count. */
export interface PodGroups {
  /** How many Pods have a metric that counts. */
  readonly readyCount: number;
  /** Pods that are starting: their metrics do not count. */
  readonly unready: readonly string[];
  /** Pods without a metric. */
  readonly missing: readonly string[];
  /** Pods that have failed or are being deleted. */
  readonly ignored: readonly string[];
}

/** Groups Pods by how their metrics count. Only for `cpu`, the metrics of Pods that have just started do not. */
export function groupPods(
  pods: readonly Pod[],
  values: PodValues,
  { resource, now }: { readonly resource: string; readonly now: number },
): PodGroups {
  const groups = { ready: [] as string[], unready: [] as string[], missing: [] as string[], ignored: [] as string[] };
  for (const pod of pods) {
    const name = pod.metadata.name ?? "";
    if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === "Failed") groups.ignored.push(name);
    else if ((pod.status?.phase ?? "Pending") === "Pending") groups.unready.push(name);
    else if (!values.has(name)) groups.missing.push(name);
    else if (resource === "cpu" && isStarting(pod, now)) groups.unready.push(name);
    else groups.ready.push(name);
  }
  const { ready, ...others } = groups;
  return { readyCount: ready.length, ...others };
}

function isStarting({ status }: Pod, now: number): boolean {
  const condition = status?.conditions?.find(({ type }) => type === "Ready");
  const startTime = Date.parse(status?.startTime ?? "");
  if (condition === undefined || Number.isNaN(startTime)) return true;
  if (condition.status !== "False") return false;
  if (startTime + CPU_INITIALIZATION_MS > now) return true;
  // It was never ready.
  return startTime + INITIAL_READINESS_MS > Date.parse(condition.lastTransitionTime ?? "");
}

/** Counts the Pods that run and are ready. */
export function countReady(pods: readonly Pod[]): number {
  return pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod)).length;
}

/** Requests of Pods by their names in thousandths, or why they are unknown. */
export type RequestsOfPods =
  | { readonly kind: "known"; readonly requests: PodValues }
  | { readonly kind: "unknown"; readonly message: string };

/** Returns what each Pod, or one of its containers, requests of a resource. */
export function requestsOfPods(pods: readonly Pod[], resource: string, container: string | undefined): RequestsOfPods {
  const requests: PodValues = new Map();
  for (const pod of pods) {
    const request = requestOf(pod, resource, container);
    if (typeof request === "string") return { kind: "unknown", message: request };
    requests.set(pod.metadata.name ?? "", request);
  }
  return { kind: "known", requests };
}

// A text is the reason why the request is unknown.
function requestOf(pod: Pod, resource: string, container: string | undefined): number | string {
  const name = pod.metadata.name ?? "";
  if (container === undefined && pod.spec?.resources?.requests !== undefined) {
    const amount = podRequests(pod).get(resource);
    if (amount === undefined) return `missing pod-level request for ${resource} in Pod ${name}`;
    return resource === "cpu" ? amount : amount * 1000;
  }
  const all = lastingContainers(pod);
  const counted = container === undefined ? all : all.filter((each) => each.name === container);
  if (container !== undefined && counted.length === 0) return `container ${container} not found in Pod ${name}`;
  let sum = 0;
  for (const { name: containerName, resources } of counted) {
    const request = resources?.requests?.[resource];
    if (request === undefined) return `missing request for ${resource} in container ${containerName} of Pod ${name}`;
    sum += Number(quantityToBigInt(request, -3));
  }
  return sum;
}
