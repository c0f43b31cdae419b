import { storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";

import type { NodeWithPods, PodOnNode } from "./cluster-nodes.ts";
import type { FilterResult } from "./filter-result.ts";
import { unavailableNodes } from "./fit-message.ts";

const NO_VICTIMS = "No preemption victims found for incoming pod";
const NOT_HELPFUL = "Preemption is not helpful for scheduling";

/** What the preemption for a pod depends on. */
export interface PreemptionInputs {
  readonly nodes: readonly NodeWithPods[];
  /** Why the pod does not fit, by the name of the node; nodes that are absent were not checked. */
  readonly results: ReadonlyMap<string, NonNullable<FilterResult>>;
  /** Creates the check of a node in view of all nodes. */
  readonly filter: (nodes: readonly NodeWithPods[]) => (node: NodeWithPods) => FilterResult;
  readonly budgets: readonly PodDisruptionBudget[];
}

/** The node that gets room for a pod, or why none does. */
export type Preemption =
  | { readonly kind: "victims"; readonly node: string; readonly victims: readonly Pod[] }
  | { readonly kind: "none"; readonly message: string; readonly keepsNomination?: boolean };

/** Finds the pods of lower priority whose removal makes room for a pod, as few and unimportant ones as possible. */
export function preempt(planned: PodOnNode, inputs: PreemptionInputs): Preemption {
  const ineligible = ineligibility(planned.pod, inputs);
  if (ineligible !== undefined) return { kind: "none", message: ineligible, keepsNomination: true };
  const { nodes, results } = inputs;
  const reasons: string[] = [];
  const candidates: Candidate[] = [];
  for (const node of nodes) {
    const result = results.get(node.name);
    if (result === undefined || result.isFinal) {
      reasons.push(NOT_HELPFUL);
      continue;
    }
    const found = victimsOn(planned, node, inputs);
    if ("reasons" in found) reasons.push(...found.reasons);
    else candidates.push(found);
  }
  const best = leastHarmful(candidates);
  return best === undefined
    ? { kind: "none", message: unavailableNodes(nodes.length, reasons) }
    : { kind: "victims", node: best.node, victims: best.victims };
}

/** Returns why removing pods does not help one that no node can run. */
export function unhelpfulPreemption(nodes: number): string {
  return unavailableNodes(
    nodes,
    Array.from({ length: nodes }, () => NOT_HELPFUL),
  );
}

interface Candidate {
  readonly node: string;
  /** The most important one first. */
  readonly victims: readonly Pod[];
  /** How many of them a disruption budget protects. */
  readonly violations: number;
}

function ineligibility({ spec, status }: Pod, { nodes, results }: PreemptionInputs): string | undefined {
  if (spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = nodes.find(({ name }) => name === status?.nominatedNodeName);
  if (nominated === undefined || results.get(nominated.name)?.isFinal === true) return undefined;
  const priority = spec?.priority ?? 0;
  for (const { pod } of nominated.pods) {
    if ((pod.spec?.priority ?? 0) < priority && isGoingByPreemption(pod)) {
      return "not eligible due to a terminating pod on the nominated node.";
    }
  }
  return undefined;
}

function isGoingByPreemption({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  const condition = status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  return condition?.status === "True" && condition.reason === "PreemptionByScheduler";
}

function victimsOn(
  planned: PodOnNode,
  node: NodeWithPods,
  { nodes, filter, budgets }: PreemptionInputs,
): Candidate | { readonly reasons: readonly string[] } {
  const priority = planned.pod.spec?.priority ?? 0;
  const all = [...node.pods];
  const potential = all.filter(({ pod }) => (pod.spec?.priority ?? 0) < priority);
  if (potential.length === 0) return { reasons: [NO_VICTIMS] };
  const check = (kept: readonly PodOnNode[]): FilterResult => {
    const changed = node.withPods(kept);
    return filter(nodes.map((each) => (each === node ? changed : each)))(changed);
  };
  let kept: readonly PodOnNode[] = all.filter((each) => !potential.includes(each));
  const result = check(kept);
  if (result !== undefined) return { reasons: result.reasons };
  const ordered = potential.toSorted((left, right) => byImportance(left.pod, right.pod));
  const violating = protectedBy(budgets, ordered);
  const victims: PodOnNode[] = [];
  let violations = 0;
  for (const each of [
    ...ordered.filter((one) => violating.has(one)),
    ...ordered.filter((one) => !violating.has(one)),
  ]) {
    if (check([...kept, each]) === undefined) kept = [...kept, each];
    else {
      victims.push(each);
      if (violating.has(each)) violations += 1;
    }
  }
  return { node: node.name, victims: victims.map(({ pod }) => pod).toSorted(byImportance), violations };
}

function byImportance(left: Pod, right: Pod): number {
  const difference = (right.spec?.priority ?? 0) - (left.spec?.priority ?? 0);
  return difference !== 0 ? difference : startOf(left).localeCompare(startOf(right));
}

function startOf({ metadata, status }: Pod): string {
  return status?.startTime ?? metadata.creationTimestamp ?? "";
}

function protectedBy(budgets: readonly PodDisruptionBudget[], pods: readonly PodOnNode[]): ReadonlySet<PodOnNode> {
  const allowed = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const violating = new Set<PodOnNode>();
  for (const each of pods) {
    const { metadata } = each.pod;
    for (const [index, { metadata: { namespace } = {}, spec, status }] of budgets.entries()) {
      if (namespace !== metadata.namespace) continue;
      const isMatch = storedSelectorMatcher(spec?.selector);
      if (!isMatch(metadata.labels) || status?.disruptedPods?.[metadata.name ?? ""] !== undefined) continue;
      allowed[index] = (allowed[index] ?? 0) - 1;
      if ((allowed[index] ?? 0) < 0) violating.add(each);
    }
  }
  return violating;
}

// The criteria of kube-scheduler, in its order.
const HARM: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]?.spec?.priority ?? 0,
  ({ victims }) => victims.reduce((total, { spec }) => total + (spec?.priority ?? 0) + 2 ** 31, 0),
  ({ victims }) => victims.length,
  ({ victims }) => -Date.parse(earliestStart(victims)),
];

function earliestStart(victims: readonly Pod[]): string {
  const highest = victims[0]?.spec?.priority ?? 0;
  const starts = victims.filter(({ spec }) => (spec?.priority ?? 0) === highest).map((pod) => startOf(pod));
  return starts.toSorted()[0] ?? "";
}

function leastHarmful(candidates: readonly Candidate[]): Candidate | undefined {
  let left = candidates;
  for (const harm of HARM) {
    const least = Math.min(...left.map((candidate) => harm(candidate)));
    left = left.filter((candidate) => harm(candidate) === least);
  }
  return left[0] ?? candidates[0];
}
