import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import { nodePreference } from "../controllers/node-affinity.ts";
import { repellingTaints } from "../controllers/taints.ts";
import type { NodeWithPods, PodOnNode } from "./cluster-nodes.ts";
import { type NamespaceLabels, podAffinityScore } from "./pod-affinity.ts";
import { spreadScore } from "./topology-spread.ts";

const HIGHEST = 100;
const SCORED_RESOURCES = ["cpu", "memory"] as const;

/** What scores depend on besides the pod. */
export interface ScoreInputs {
  readonly nodes: readonly NodeWithPods[];
  readonly feasible: readonly NodeWithPods[];
  readonly labelsOf: NamespaceLabels;
  readonly defaultSelector: () => LabelSelector | undefined;
}

type Scores = ReadonlyMap<string, number>;

/** Returns the best node for a pod by the scores and weights of kube-scheduler; of equal nodes, the one with the fewest pods, then the oldest. */
export function bestNode(planned: PodOnNode, inputs: ScoreInputs): NodeWithPods | undefined {
  const { feasible } = inputs;
  const [only] = feasible;
  if (feasible.length < 2) return only;
  const totals = totalScores(planned, inputs);
  let best = only;
  for (const node of feasible) {
    const difference = (totals.get(node.name) ?? 0) - (totals.get(best?.name ?? "") ?? 0);
    if (difference > 0 || (difference === 0 && node.podCount < (best?.podCount ?? 0))) best = node;
  }
  return best;
}

function totalScores(planned: PodOnNode, { nodes, feasible, labelsOf, defaultSelector }: ScoreInputs): Scores {
  const { pod } = planned;
  const affinity = podAffinityScore(pod, nodes, labelsOf);
  const weighted: readonly (readonly [weight: number, scores: Scores | undefined])[] = [
    [3, reversed(scoresOf(feasible, (each) => badTaints(pod, each)))],
    [2, normalized(scoresOf(feasible, ({ node }) => nodePreference(pod, node)))],
    [1, scoresOf(feasible, (each) => leastAllocated(planned, each))],
    [2, spreadScore(pod, { nodes, feasible, defaultSelector })],
    [2, affinity === undefined ? undefined : spanned(scoresOf(feasible, ({ node }) => affinity(node)))],
    [1, planned.requests.size === 0 ? undefined : scoresOf(feasible, (each) => balance(planned, each))],
  ];
  const totals = new Map<string, number>();
  for (const [weight, scores] of weighted) {
    for (const [name, score] of scores ?? []) totals.set(name, (totals.get(name) ?? 0) + weight * score);
  }
  return totals;
}

function scoresOf(nodes: readonly NodeWithPods[], score: (node: NodeWithPods) => number): Scores {
  return new Map(nodes.map((node) => [node.name, score(node)]));
}

function badTaints({ spec }: Pod, { node }: NodeWithPods): number {
  return [...repellingTaints(node.spec?.taints, spec?.tolerations, ["PreferNoSchedule"])].length;
}

function leastAllocated({ scored }: PodOnNode, node: NodeWithPods): number {
  const shares = SCORED_RESOURCES.flatMap((name) => {
    const allocatable = node.allocatable.get(name) ?? 0;
    if (allocatable === 0) return [];
    const requested = node.scored(name) + (scored.get(name) ?? 0);
    return [requested > allocatable ? 0 : Math.trunc(((allocatable - requested) * HIGHEST) / allocatable)];
  });
  return shares.length === 0 ? 0 : Math.trunc(shares.reduce((total, share) => total + share, 0) / shares.length);
}

function balance({ requests }: PodOnNode, node: NodeWithPods): number {
  const [first, second] = SCORED_RESOURCES.flatMap((name) => {
    const allocatable = node.allocatable.get(name) ?? 0;
    return allocatable === 0 ? [] : [Math.min(1, (node.requested(name) + (requests.get(name) ?? 0)) / allocatable)];
  });
  const deviation = first === undefined || second === undefined ? 0 : Math.abs(first - second) / 2;
  return Math.trunc((1 - deviation) * HIGHEST);
}

function normalized(scores: Scores): Scores {
  const most = Math.max(0, ...scores.values());
  return new Map([...scores].map(([name, score]) => [name, most === 0 ? 0 : Math.trunc((HIGHEST * score) / most)]));
}

function reversed(scores: Scores): Scores {
  return new Map([...normalized(scores)].map(([name, score]) => [name, HIGHEST - score]));
}

function spanned(scores: Scores): Scores {
  const [least, most] = [Math.min(...scores.values()), Math.max(...scores.values())];
  return new Map(
    [...scores].map(([name, score]) => [
      name,
      most === least ? 0 : Math.trunc((HIGHEST * (score - least)) / (most - least)),
    ]),
  );
}
