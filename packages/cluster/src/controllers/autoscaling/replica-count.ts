import type { Pod } from "@kubescaffold/k8s/core/v1";

import type { PodValues } from "./cluster-metrics.ts";
import { countReady, groupPods, type PodGroups, requestsOfPods } from "./pod-groups.ts";

/** By how much a ratio of usage may differ from 1 without an effect. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** Inputs that all ways of counting have. */
export interface CountInput {
  /** The Pods that the target selects. */
  readonly pods: readonly Pod[];
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How many replicas a metric asks for, or why that is unknown. Usage is in thousandths. */
export type ReplicaCount =
  | { readonly kind: "counted"; readonly replicas: number; readonly usage: number; readonly utilization?: number }
  | { readonly kind: "unknown"; readonly message: string };

const MOST_REPLICAS = 2 ** 31 - 1;
const NO_PODS = { kind: "unknown", message: "no pods returned by selector while calculating replica count" } as const;
const NO_METRICS = {
  kind: "unknown",
  message: "did not receive metrics for targeted pods (pods might be unready)",
} as const;

/** Counts replicas so that Pods use a percentage of what they request. */
export function countByUtilization(
  input: CountInput,
  values: PodValues,
  target: { readonly utilization: number; readonly resource: string; readonly container: string | undefined },
): ReplicaCount {
  const counted = countedValues(input, values, target.resource);
  if (!("groups" in counted)) return counted;
  const found = requestsOfPods(input.pods, target.resource, target.container);
  if (found.kind === "unknown") return found;
  const { requests } = found;
  const measure = (each: PodValues) => utilizationOf(each, requests, target.utilization);
  const measured = measure(counted.values);
  if (measured === undefined) return { kind: "unknown", message: "no metrics returned matched known pods" };
  const fallback = Math.max(100, target.utilization);
  const replicas = replicasFor(input, counted, measured.ratio, {
    missingValue: (name) => Math.trunc(((requests.get(name) ?? 0) * fallback) / 100),
    ratioOf: (each) => measure(each)?.ratio ?? measured.ratio,
  });
  return { kind: "counted", replicas, usage: measured.average, utilization: measured.utilization };
}

/** Counts replicas so that Pods have a value on average. */
export function countByAverage(
  input: CountInput,
  values: PodValues,
  target: { readonly value: number; readonly resource: string },
): ReplicaCount {
  const counted = countedValues(input, values, target.resource);
  if (!("groups" in counted)) return counted;
  const usage = averageOf(counted.values);
  const replicas = replicasFor(input, counted, usage / target.value, {
    missingValue: () => target.value,
    ratioOf: (each) => averageOf(each) / target.value,
  });
  return { kind: "counted", replicas, usage };
}

/** Counts replicas in proportion to the ready Pods, so that a value that all of them share reaches a target. */
export function countByValue(input: CountInput, usage: number, target: number): ReplicaCount {
  const ratio = usage / target;
  if (input.currentReplicas === 0) return { kind: "counted", replicas: Math.ceil(ratio), usage };
  if (isWithin(input.tolerances, ratio)) return { kind: "counted", replicas: input.currentReplicas, usage };
  if (input.pods.length === 0)
    return { kind: "unknown", message: `unable to calculate ready pods: ${NO_PODS.message}` };
  return { kind: "counted", replicas: Math.min(MOST_REPLICAS, Math.ceil(ratio * countReady(input.pods))), usage };
}

/** Counts replicas so that each has its share of a value. */
export function countByShare(
  { tolerances }: CountInput,
  usage: number,
  { share, statusReplicas }: { readonly share: number; readonly statusReplicas: number },
): ReplicaCount {
  const isEnough = isWithin(tolerances, usage / (share * statusReplicas));
  const replicas = isEnough ? statusReplicas : Math.min(MOST_REPLICAS, Math.ceil(usage / share));
  return { kind: "counted", replicas, usage: statusReplicas === 0 ? 0 : Math.ceil(usage / statusReplicas) };
}

function isWithin({ up, down }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

interface CountedValues {
  readonly groups: PodGroups;
  readonly values: PodValues;
}

function countedValues(
  { pods, now }: CountInput,
  values: PodValues,
  resource: string,
): CountedValues | Extract<ReplicaCount, { readonly kind: "unknown" }> {
  if (pods.length === 0) return NO_PODS;
  const groups = groupPods(pods, values, { resource, now });
  const left = new Map(values);
  for (const name of [...groups.ignored, ...groups.unready]) left.delete(name);
  return left.size === 0 ? NO_METRICS : { groups, values: left };
}

/** How a ratio changes when Pods without a value are counted. */
interface Assumptions {
  readonly missingValue: (name: string) => number;
  readonly ratioOf: (values: PodValues) => number;
}

// Pods without a value weaken a change: they count as fully used for fewer replicas, and as unused for more.
function replicasFor(
  { currentReplicas, tolerances }: CountInput,
  { groups, values }: CountedValues,
  ratio: number,
  { missingValue, ratioOf }: Assumptions,
): number {
  const { readyCount, unready, missing } = groups;
  const countsUnready = unready.length > 0 && ratio > 1;
  if (!countsUnready && missing.length === 0)
    return isWithin(tolerances, ratio) ? currentReplicas : Math.ceil(ratio * readyCount);
  const assumed = new Map(values);
  if (ratio !== 1) for (const name of missing) assumed.set(name, ratio < 1 ? missingValue(name) : 0);
  if (countsUnready) for (const name of unready) assumed.set(name, 0);
  const assumedRatio = ratioOf(assumed);
  const turns = (ratio < 1 && assumedRatio > 1) || (ratio > 1 && assumedRatio < 1);
  if (turns || isWithin(tolerances, assumedRatio)) return currentReplicas;
  const replicas = Math.ceil(assumedRatio * assumed.size);
  const contradicts =
    (assumedRatio < 1 && replicas > currentReplicas) || (assumedRatio > 1 && replicas < currentReplicas);
  return contradicts ? currentReplicas : replicas;
}

function utilizationOf(values: PodValues, requests: PodValues, target: number) {
  const known = [...values].filter(([name]) => requests.has(name));
  const requested = sum(known.map(([name]) => requests.get(name) ?? 0));
  if (requested === 0) return undefined;
  const used = sum(known.map(([, value]) => value));
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / target, utilization, average: Math.trunc(used / known.length) };
}

function averageOf(values: PodValues): number {
  return Math.trunc(sum([...values.values()]) / values.size);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
