import { isRecord, newConflict, newNotFound } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { toTime } from "../clock/clock.ts";
import type { VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";

const PODS = { group: "", version: "v1", resource: "pods" } as const;

/** Answers `pods/binding`: puts a pod onto the node that the binding names. */
export function podBinding(context: ServerContext): VirtualResource {
  return {
    ...PODS,
    subresource: "binding",
    kind: { group: "", version: "v1", kind: "Binding" },
    create: ({ namespace, name, object, isDryRun }) => {
      const pod = context.objects.get(PODS, { namespace, name });
      if (pod === undefined) throw newNotFound(PODS, name);
      const node = isRecord(object["target"]) ? String(object["target"]["name"]) : "";
      const bound = pod as unknown as Pod;
      if ((bound.spec?.nodeName ?? "") !== "") throw newConflict(BINDINGS, name, alreadyAssigned(name, bound));
      if (!isDryRun) storeBinding(context, { namespace, name, node });
      return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code: 201 };
    },
  };
}

const BINDINGS = { group: "", resource: "pods/binding" } as const;

function alreadyAssigned(name: string, pod: Pod): string {
  return `pod ${name} is already assigned to node ${JSON.stringify(pod.spec?.nodeName)}`;
}

// The API itself carries a binding out: no user may set the node of a pod by an update.
function storeBinding(
  context: ServerContext,
  { namespace, name, node }: { readonly namespace: string; readonly name: string; readonly node: string },
): void {
  const lastTransitionTime = toTime(context.clock.now());
  const labels = topologyOf(context, node);
  context.changeStored(PODS, { namespace, name }, (object) => {
    const pod = object as unknown as Pod;
    if (Object.keys(labels).length > 0) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
    pod.spec = { containers: [], ...pod.spec, nodeName: node };
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
    const { nominatedNodeName: _nominated, ...status } = pod.status ?? {};
    pod.status = {
      ...status,
      conditions: [...others, { type: "PodScheduled", status: "True", lastTransitionTime }],
    };
  });
}

const TOPOLOGY_LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"] as const;

// Pods have the zone and region of their node as labels, since 1.35.
function topologyOf({ objects }: ServerContext, node: string): Readonly<Record<string, string>> {
  const labels = objects.get({ group: "", resource: "nodes" }, { namespace: "", name: node })?.metadata.labels ?? {};
  return Object.fromEntries(
    TOPOLOGY_LABELS.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
  );
}
