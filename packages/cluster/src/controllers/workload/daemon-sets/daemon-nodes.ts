import type { DaemonSet } from "@kubescaffold/k8s/apps/v1";
import type { Affinity, Node, Pod, PodTemplateSpec, Toleration } from "@kubescaffold/k8s/core/v1";

import { matchesNodeAffinity } from "../../node-affinity.ts";
import { KEEPS_AWAY, repellingTaint } from "../../taints.ts";

/** The label of pods and revisions that names the revision. */
export const HASH_LABEL = "controller-revision-hash";

const GENERATION_LABEL = "pod-template-generation";
const GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";
const NODE_NAME = "metadata.name";

/** Whether a daemon set wants a pod on a node, and whether a pod that runs there may stay. */
export interface DaemonPlace {
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
}

/** Decides whether a node gets a pod of a daemon set: by name, by node selector and affinity, and by taints. */
export function placeOn(node: Node, set: DaemonSet): DaemonPlace {
  const { spec = { containers: [] } } = set.spec?.template ?? {};
  const wanted = spec.nodeName ?? "";
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: {}, spec };
  if ((wanted !== "" && wanted !== node.metadata.name) || !matchesNodeAffinity(pod, node)) {
    return { shouldRun: false, mayStay: false };
  }
  const tolerations = withDaemonTolerations(spec.tolerations, spec.hostNetwork === true);
  const shouldRun = repellingTaint(node.spec?.taints, tolerations, KEEPS_AWAY) === undefined;
  const mayStay = shouldRun || repellingTaint(node.spec?.taints, tolerations, ["NoExecute"]) === undefined;
  return { shouldRun, mayStay };
}

/** Returns the node that a pod of a daemon set is on, or is meant for. */
export function targetNode({ spec }: Pod): string | undefined {
  if ((spec?.nodeName ?? "") !== "") return spec?.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(({ matchFields = [] }) => matchFields);
  return fields.find(({ key, operator }) => key === NODE_NAME && operator === "In")?.values?.[0];
}

/** Returns the template of the pod for a node: with tolerations, labels of the revision, and an affinity to the node. */
export function templateFor(set: DaemonSet, node: string, hash: string): PodTemplateSpec {
  const template = set.spec?.template ?? {};
  const { spec = { containers: [] } } = template;
  const generation = templateGeneration(set);
  return {
    ...template,
    metadata: {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
        [HASH_LABEL]: hash,
      },
    },
    spec: {
      ...spec,
      affinity: affinityTo(node, spec.affinity),
      tolerations: [...withDaemonTolerations(spec.tolerations, spec.hostNetwork === true)],
    },
  };
}

/** Reports whether a pod was made from the present template. */
export function isUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const generation = templateGeneration(set);
  if (metadata.labels?.[HASH_LABEL] === hash) return true;
  return generation !== undefined && metadata.labels?.[GENERATION_LABEL] === generation;
}

function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const generation = metadata.annotations?.[GENERATION_ANNOTATION];
  return generation !== undefined && /^-?\d+$/u.test(generation) ? generation : undefined;
}

function affinityTo(node: string, affinity: Affinity | undefined): Affinity {
  const nodeSelectorTerms = [{ matchFields: [{ key: NODE_NAME, operator: "In" as const, values: [node] }] }];
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
  return { ...affinity, nodeAffinity };
}

const NODE_TAINTS: readonly (readonly [name: string, effect: "NoExecute" | "NoSchedule"])[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
];

function withDaemonTolerations(
  tolerations: readonly Toleration[] | undefined,
  isOnHostNetwork: boolean,
): readonly Toleration[] {
  const taints = [...NODE_TAINTS, ...(isOnHostNetwork ? [["network-unavailable", "NoSchedule"] as const] : [])];
  let all = tolerations ?? [];
  for (const [name, effect] of taints) {
    const toleration: Toleration = { key: `node.kubernetes.io/${name}`, operator: "Exists", effect };
    const isSame = (each: Toleration): boolean =>
      each.key === toleration.key && each.effect === effect && each.operator === "Exists" && (each.value ?? "") === "";
    all = all.some((each) => isSame(each))
      ? all.map((each) => (isSame(each) ? toleration : each))
      : [...all, toleration];
  }
  return all;
}
