import { storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import type { Node, Pod, TopologySpreadConstraint } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import { matchesNodeAffinity } from "../controllers/node-affinity.ts";
import { KEEPS_AWAY, repellingTaint } from "../controllers/taints.ts";
import type { NodeWithPods, PodOnNode } from "./cluster-nodes.ts";
import type { FilterResult } from "./filter-result.ts";
import { withLabelKeys } from "./pod-affinity.ts";

const HOST_NAME = "kubernetes.io/hostname";
const MISMATCH = "node(s) didn't match pod topology spread constraints";

/** A constraint whose selector is complete. */
interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number;
  readonly selector: LabelSelector | undefined;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

/** Creates the filter for the constraints that must hold; undefined without any. */
export function spreadFilter(pod: Pod, nodes: readonly NodeWithPods[]): ((node: Node) => FilterResult) | undefined {
  const constraints = constraintsOf(pod, "DoNotSchedule");
  if (constraints.length === 0) return undefined;
  const counts = constraints.map((constraint) => {
    const count = new Map<string, number>();
    for (const { node, pods } of nodes) {
      if (!hasTopologies(node, constraints) || !isCounted(constraint, pod, node)) continue;
      const value = node.metadata.labels?.[constraint.topologyKey] ?? "";
      count.set(value, (count.get(value) ?? 0) + matching(pods, constraint, pod));
    }
    return count;
  });
  return (node) => {
    for (const [index, constraint] of constraints.entries()) {
      const value = node.metadata.labels?.[constraint.topologyKey];
      if (value === undefined) return { reasons: [`${MISMATCH} (missing required label)`], isFinal: true };
      const count = counts[index] ?? new Map<string, number>();
      const least = count.size < constraint.minDomains ? 0 : Math.min(...count.values());
      const own = storedSelectorMatcher(constraint.selector)(pod.metadata.labels) ? 1 : 0;
      if ((count.get(value) ?? 0) + own - least > constraint.maxSkew) return { reasons: [MISMATCH], isFinal: false };
    }
    return undefined;
  };
}

/** Inputs of {@link spreadScore}. */
export interface SpreadCandidates {
  readonly nodes: readonly NodeWithPods[];
  readonly feasible: readonly NodeWithPods[];
  /** Chooses the pods of the same controller and services, for pods without constraints. */
  readonly defaultSelector: () => LabelSelector | undefined;
}

/** Returns the normalized score of each feasible node for the constraints that should hold; undefined without any. */
export function spreadScore(
  pod: Pod,
  { nodes, feasible, defaultSelector }: SpreadCandidates,
): ReadonlyMap<string, number> | undefined {
  const isDefault = (pod.spec?.topologySpreadConstraints ?? []).length === 0;
  const constraints = isDefault ? defaultConstraints(defaultSelector()) : constraintsOf(pod, "ScheduleAnyway");
  if (constraints.length === 0) return undefined;
  const isScored = (node: Node): boolean => isDefault || hasTopologies(node, constraints);
  const scored = feasible.filter(({ node }) => isScored(node));
  const domains = constraints.map((constraint) => domainCounts(pod, constraint, { nodes, scored, isScored }));
  const raw = new Map(scored.map((each) => [each.name, rawScore(pod, each, constraints, domains)]));
  const [least, most] = [Math.min(...raw.values()), Math.max(0, ...raw.values())];
  return new Map(
    feasible.map(({ name }) => {
      const score = raw.get(name);
      if (score === undefined) return [name, 0];
      return [name, most === 0 ? 100 : Math.trunc((100 * (most + least - score)) / most)];
    }),
  );
}

interface Domain {
  readonly counts: ReadonlyMap<string, number>;
  readonly weight: number;
}

function domainCounts(
  pod: Pod,
  constraint: SpreadConstraint,
  observed: {
    readonly nodes: readonly NodeWithPods[];
    readonly scored: readonly NodeWithPods[];
    readonly isScored: (node: Node) => boolean;
  },
): Domain {
  const { nodes, scored, isScored } = observed;
  if (constraint.topologyKey === HOST_NAME) return { counts: new Map(), weight: Math.log(scored.length + 2) };
  const valueOf = ({ metadata }: Node): string => metadata.labels?.[constraint.topologyKey] ?? "";
  const counts = new Map(scored.map(({ node }) => [valueOf(node), 0]));
  for (const { node, pods } of nodes) {
    const count = counts.get(valueOf(node));
    if (count === undefined || !isScored(node) || !isCounted(constraint, pod, node)) continue;
    counts.set(valueOf(node), count + matching(pods, constraint, pod));
  }
  return { counts, weight: Math.log(counts.size + 2) };
}

function rawScore(
  pod: Pod,
  { node, pods }: NodeWithPods,
  constraints: readonly SpreadConstraint[],
  domains: readonly Domain[],
): number {
  let score = 0;
  for (const [index, constraint] of constraints.entries()) {
    const value = node.metadata.labels?.[constraint.topologyKey];
    if (value === undefined) continue;
    const { counts, weight } = domains[index] ?? { counts: new Map<string, number>(), weight: 0 };
    const count = constraint.topologyKey === HOST_NAME ? matching(pods, constraint, pod) : (counts.get(value) ?? 0);
    score += count * weight + constraint.maxSkew - 1;
  }
  return Math.round(score);
}

function constraintsOf(pod: Pod, action: TopologySpreadConstraint["whenUnsatisfiable"]): readonly SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    .map((constraint) => ({
      maxSkew: constraint.maxSkew,
      topologyKey: constraint.topologyKey,
      minDomains: constraint.minDomains ?? 1,
      selector: withLabelKeys(constraint, pod),
      honorsAffinity: constraint.nodeAffinityPolicy !== "Ignore",
      honorsTaints: constraint.nodeTaintsPolicy === "Honor",
    }));
}

// As the real scheduler spreads pods that ask for nothing.
function defaultConstraints(selector: LabelSelector | undefined): readonly SpreadConstraint[] {
  if (selector === undefined) return [];
  const shared = { selector, minDomains: 1, honorsAffinity: true, honorsTaints: false };
  return [
    { ...shared, topologyKey: HOST_NAME, maxSkew: 3 },
    { ...shared, topologyKey: "topology.kubernetes.io/zone", maxSkew: 5 },
  ];
}

function hasTopologies({ metadata }: Node, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => metadata.labels?.[topologyKey] !== undefined);
}

// Reports whether the pods of a node count for a constraint.
function isCounted({ honorsAffinity, honorsTaints }: SpreadConstraint, pod: Pod, node: Node): boolean {
  if (honorsAffinity && !matchesNodeAffinity(pod, node)) return false;
  return !honorsTaints || repellingTaint(node.spec?.taints, pod.spec?.tolerations, KEEPS_AWAY) === undefined;
}

// An empty selector counts nothing, as upstream's does.
function matching(pods: Iterable<PodOnNode>, { selector }: SpreadConstraint, { metadata }: Pod): number {
  if (isEmpty(selector)) return 0;
  const isMatch = storedSelectorMatcher(selector);
  let count = 0;
  for (const { pod } of pods) {
    if (pod.metadata.deletionTimestamp !== undefined || pod.metadata.namespace !== metadata.namespace) continue;
    if (isMatch(pod.metadata.labels)) count += 1;
  }
  return count;
}

function isEmpty(selector: LabelSelector | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
