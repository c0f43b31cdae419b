import type { ContainerPort, Pod } from "@kubescaffold/k8s/core/v1";

import { matchesNodeAffinity } from "../controllers/node-affinity.ts";
import { isTolerated, KEEPS_AWAY, repellingTaint } from "../controllers/taints.ts";
import { lastingContainers } from "../kubelet/containers/restart-policy.ts";
import type { NodeWithPods, PodOnNode } from "./cluster-nodes.ts";
import type { FilterResult } from "./filter-result.ts";
import { type NamespaceLabels, podAffinityFilter } from "./pod-affinity.ts";
import { spreadFilter } from "./topology-spread.ts";
import { type NodeVolumes, type VolumeLookups, volumesOnNodes } from "./volume-filter.ts";

/** The taint of a node that `kubectl cordon` marks. */
const CORDON_TAINT = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" } as const;

type Filter = (node: NodeWithPods) => FilterResult;

/** Creates the check whether a pod can run on a node, in view of all nodes: the first filter that fails decides, in the order of kube-scheduler. */
export function nodeFilter(
  planned: PodOnNode,
  { labelsOf, ...lookups }: VolumeLookups & { readonly labelsOf: NamespaceLabels },
): (nodes: readonly NodeWithPods[]) => Filter {
  const { pod } = planned;
  const volumesOn = volumesOnNodes(pod, lookups);
  const ports = hostPorts(pod);
  const ofNodeAlone: readonly Filter[] = [
    ({ node }) => cordonResult(pod, node.spec?.unschedulable === true),
    ({ name }) => nameResult(pod, name),
    ({ node }) =>
      repellingTaint(node.spec?.taints, pod.spec?.tolerations, KEEPS_AWAY) === undefined
        ? undefined
        : { reasons: ["node(s) had untolerated taint(s)"], isFinal: true },
    ({ node }) =>
      matchesNodeAffinity(pod, node)
        ? undefined
        : { reasons: ["node(s) didn't match Pod's node affinity/selector"], isFinal: true },
    (node) => portsResult(ports, node),
    (node) => resourcesResult(planned, node),
    ({ node }) => volumesResult(volumesOn(node)),
  ];
  return (nodes) => {
    const spread = spreadFilter(pod, nodes);
    const affinity = podAffinityFilter(pod, nodes, labelsOf);
    const filters: readonly Filter[] = [...ofNodeAlone, ({ node }) => spread?.(node), ({ node }) => affinity?.(node)];
    return (node) => {
      for (const filter of filters) {
        const result = filter(node);
        if (result !== undefined) return result;
      }
      return undefined;
    };
  };
}

function volumesResult(volumes: NodeVolumes): FilterResult {
  return "reasons" in volumes ? { reasons: volumes.reasons, isFinal: true } : undefined;
}

function cordonResult({ spec }: Pod, isCordoned: boolean): FilterResult {
  return !isCordoned || isTolerated(CORDON_TAINT, spec?.tolerations)
    ? undefined
    : { reasons: ["node(s) were unschedulable"], isFinal: true };
}

function nameResult({ spec }: Pod, name: string): FilterResult {
  const wanted = spec?.nodeName ?? "";
  return wanted === "" || wanted === name
    ? undefined
    : { reasons: ["node(s) didn't match the requested node name"], isFinal: true };
}

/** Returns that another pod of a node has one of these host ports. */
export function portsResult(wanted: readonly ContainerPort[], { pods }: Pick<NodeWithPods, "pods">): FilterResult {
  if (wanted.length === 0) return undefined;
  for (const { pod } of pods) {
    if (hostPorts(pod).some((used) => wanted.some((port) => conflicts(port, used)))) {
      return { reasons: ["node(s) didn't have free ports for the requested pod ports"], isFinal: false };
    }
  }
  return undefined;
}

/** Returns the ports of the node that a pod needs. */
export function hostPorts(pod: Pod): readonly ContainerPort[] {
  return lastingContainers(pod).flatMap(({ ports = [] }) => ports.filter(({ hostPort = 0 }) => hostPort > 0));
}

function conflicts(left: ContainerPort, right: ContainerPort): boolean {
  const [a, b] = [left.hostIP ?? "", right.hostIP ?? ""].map((ip) => (ip === "" ? "0.0.0.0" : ip));
  return (
    left.hostPort === right.hostPort &&
    (left.protocol ?? "TCP") === (right.protocol ?? "TCP") &&
    (a === b || a === "0.0.0.0" || b === "0.0.0.0")
  );
}

// In the order of kube-scheduler, in which other resources come last.
const FIRST_RESOURCES = ["cpu", "memory", "ephemeral-storage"] as const;

function resourcesResult({ requests }: PodOnNode, node: NodeWithPods): FilterResult {
  const reasons: string[] = [];
  let isFinal = false;
  if (node.podCount + 1 > (node.allocatable.get("pods") ?? 0)) reasons.push("Too many pods");
  const others = [...requests.keys()].filter((name) => !(FIRST_RESOURCES as readonly string[]).includes(name));
  for (const name of [...FIRST_RESOURCES, ...others]) {
    const wanted = requests.get(name) ?? 0;
    const allocatable = node.allocatable.get(name) ?? 0;
    if (wanted === 0 || wanted <= allocatable - node.requested(name)) continue;
    reasons.push(`Insufficient ${name}`);
    isFinal ||= wanted > allocatable;
  }
  return reasons.length === 0 ? undefined : { reasons, isFinal };
}
