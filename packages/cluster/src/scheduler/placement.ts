import type { Release } from "@kubescaffold/apiserver/cluster-api";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";

import { permittedNodes } from "../controllers/node-affinity.ts";
import type { NodeWithPods, PodOnNode } from "./cluster-nodes.ts";
import type { FilterResult } from "./filter-result.ts";
import { unavailableFor, unavailableNodes } from "./fit-message.ts";
import { nodeFilter } from "./node-filters.ts";
import { bestNode } from "./node-scores.ts";
import type { NamespaceLabels } from "./pod-affinity.ts";
import { preempt, unhelpfulPreemption } from "./preemption.ts";
import { missingDeviceClass, type ResourceClaimLookups } from "./resource-claims.ts";
import { claimBlocker, type VolumeLookups, type VolumePlan, volumesOnNodes } from "./volume-filter.ts";

/** Reads what the placement of a pod depends on besides the nodes. */
export interface PlacementLookups extends VolumeLookups, ResourceClaimLookups {
  readonly labelsOf: NamespaceLabels;
  readonly budgets: () => readonly PodDisruptionBudget[];
  readonly defaultSelector: () => LabelSelector | undefined;
  readonly release: Pick<Release, "since">;
}

/** Where a pod runs, or why it does not. */
export type Placement =
  | { readonly kind: "node"; readonly node: string; readonly volumes: VolumePlan }
  | {
      readonly kind: "none";
      readonly message: string;
      /** The node that gets room for the pod; empty for none, undefined if that does not change. */
      readonly nominated: string | undefined;
      readonly victims: readonly Pod[];
      /** Whether the removal of other pods may help. */
      readonly isHelpedByRemoval: boolean;
    };

const FEW_NODES = 100;
const ABSENT = "node(s) didn't satisfy plugin(s) [NodeAffinity]";
// What kube-scheduler's plugin of resource claims, which are not simulated, adds to pods without any.
const NO_STATE = "not found";
const NO_CLAIMS = "no new claims to deallocate, ";

/** Finds the node for a pod; `start` is the index of the node that is checked first. */
export function placePod(
  planned: PodOnNode,
  nodes: readonly NodeWithPods[],
  lookups: PlacementLookups,
  start: number,
): Placement {
  if (nodes.length === 0) return unplaced("no nodes available to schedule pods");
  const { pod } = planned;
  const permitted = permittedNodes(pod);
  const blocker = permitted?.size === 0 ? "pod affinity terms conflict" : claimBlocker(pod, lookups);
  if (blocker !== undefined) return unplaced(`${unavailableFor(nodes.length, blocker)} ${NO_STATE}`);
  const deviceBlocker = missingDeviceClass(pod, lookups);
  if (deviceBlocker !== undefined)
    return unplaced(
      `${unavailableFor(nodes.length, deviceBlocker)} ${preemptionNote(lookups, unhelpfulPreemption(nodes.length))}`,
    );
  const filter = nodeFilter(planned, lookups);
  const checked = permitted === undefined ? rotated(nodes, start) : nodes.filter(({ name }) => permitted.has(name));
  const { feasible, results } = check(checked, filter(nodes));
  const best = bestNode(planned, { nodes, feasible, ...lookups });
  const volumes = best === undefined ? undefined : volumesOnNodes(pod, lookups)(best.node);
  if (best !== undefined && volumes !== undefined && "bindings" in volumes)
    return { kind: "node", node: best.name, volumes };
  const reasons = [
    ...[...results.values()].flatMap((result) => result.reasons),
    ...nodes.slice(results.size).map(() => ABSENT),
  ];
  const message = unavailableNodes(nodes.length, reasons);
  const preemption = preempt(planned, { nodes, results, filter, budgets: lookups.budgets() });
  if (preemption.kind === "victims") {
    return {
      kind: "none",
      message,
      nominated: preemption.node,
      victims: preemption.victims.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
      isHelpedByRemoval: true,
    };
  }
  return {
    kind: "none",
    message: `${message} ${preemptionNote(lookups, preemption.message)}`,
    nominated: preemption.keepsNomination === true ? undefined : "",
    victims: [],
    isHelpedByRemoval: [...results.values()].some(({ isFinal }) => !isFinal),
  };
}

// The plugin of resource claims is silent since 1.37.
function preemptionNote({ release }: PlacementLookups, message: string): string {
  return `${release.since("1.37") ? "" : NO_CLAIMS}preemption: ${message}`;
}

function unplaced(message: string): Placement {
  return { kind: "none", message, nominated: "", victims: [], isHelpedByRemoval: false };
}

function rotated(nodes: readonly NodeWithPods[], start: number): readonly NodeWithPods[] {
  const index = nodes.length <= FEW_NODES ? 0 : start % nodes.length;
  return index === 0 ? nodes : [...nodes.slice(index), ...nodes.slice(0, index)];
}

// Of many nodes, only some are compared.
function check(
  nodes: readonly NodeWithPods[],
  filter: (node: NodeWithPods) => FilterResult,
): { readonly feasible: readonly NodeWithPods[]; readonly results: ReadonlyMap<string, NonNullable<FilterResult>> } {
  const feasible: NodeWithPods[] = [];
  const results = new Map<string, NonNullable<FilterResult>>();
  const wanted = comparedNodes(nodes.length);
  for (const node of nodes) {
    const result = filter(node);
    if (result !== undefined) results.set(node.name, result);
    else if (feasible.push(node) >= wanted) break;
  }
  return { feasible, results };
}

function comparedNodes(total: number): number {
  if (total < FEW_NODES) return total;
  const percentage = Math.max(5, 50 - Math.trunc(total / 125));
  return Math.max(FEW_NODES, Math.trunc((total * percentage) / 100));
}
