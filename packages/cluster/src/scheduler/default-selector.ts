import type { ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import { matchesLabelSelector } from "@kubescaffold/k8s";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import { controllerOf } from "../controllers/workload/workload-objects.ts";

const SERVICES = { group: "", resource: "services" } as const;

const OWNERS: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  ReplicaSet: { group: "apps", resource: "replicasets" },
  StatefulSet: { group: "apps", resource: "statefulsets" },
  ReplicationController: { group: "", resource: "replicationcontrollers" },
};

/** Returns the selector of the pods that belong together with a pod: those of its services and its controller; undefined without any. */
export function defaultSelector(objects: ObjectReader, pod: Pod): LabelSelector | undefined {
  const { namespace = "" } = pod.metadata;
  const matchLabels: Record<string, string> = {};
  for (const { spec } of objects.list(SERVICES, namespace) as unknown as readonly Service[]) {
    const selector = spec?.selector ?? {};
    const isSelecting =
      Object.keys(selector).length > 0 && matchesLabelSelector({ matchLabels: selector }, pod.metadata.labels);
    if (isSelecting) Object.assign(matchLabels, selector);
  }
  const owner = controllerOf(pod);
  const resource = OWNERS[owner?.kind ?? ""];
  const found = resource === undefined ? undefined : objects.get(resource, { namespace, name: owner?.name ?? "" });
  const selector = (found?.["spec"] as { readonly selector?: LabelSelector } | undefined)?.selector;
  const isPlain = owner?.kind === "ReplicationController";
  const ofOwner = isPlain ? { matchLabels: selector as Record<string, string> | undefined } : selector;
  Object.assign(matchLabels, ofOwner?.matchLabels);
  const matchExpressions = (ofOwner as LabelSelector | undefined)?.matchExpressions ?? [];
  return Object.keys(matchLabels).length + matchExpressions.length === 0
    ? undefined
    : { matchLabels, matchExpressions };
}
