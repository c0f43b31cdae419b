import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey, toTime } from "@kubescaffold/k8s";
import type { Node, Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import { readinessOf } from "../../kubelet/node-defaults.ts";
import { hasEnded, NODES, PODS, readStored } from "../workload/workload-objects.ts";

const STRATEGIC = "application/strategic-merge-patch+json";
const OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
const QUARANTINE_MS = 40_000;

/**
 * Deletes pods whose node is gone: at once when their node is deleted, after a while when it never existed. Also deletes terminating pods
 * without a node, and those of nodes that are out of service.
 */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  // The nodes that were deleted while the controller runs.
  const deleted = new Set<string>();
  return storeController({
    name: self.name,
    context,
    watches: [NODES, PODS],
    keysOf: (event) => {
      const name = event.object.metadata.name ?? "";
      if (event.groupResource.resource === "nodes") {
        if (event.kind === "deleted") deleted.add(name);
        else deleted.delete(name);
      }
      return keysOf(context, event);
    },
    initialKeys: () => {
      deleted.clear();
      const nodes = new Set(context.objects.list(NODES).map(({ metadata }) => metadata.name));
      return podsOn(context, (name) => name !== "" && !nodes.has(name));
    },
    work: async (key, worker) => await collect(context, { client, deleted, worker }, key),
  });
}

function keysOf(context: ServerContext, { groupResource, kind, object }: StoreEvent): readonly string[] {
  if (groupResource.resource === "nodes") {
    const node = object as unknown as Node;
    const isRelevant = kind === "deleted" || isOutOfService(node);
    return isRelevant ? podsOn(context, (name) => name === node.metadata.name) : [];
  }
  if (kind === "deleted") return [];
  const name = (object as unknown as Pod).spec?.nodeName ?? "";
  if (name === "") return object.metadata.deletionTimestamp === undefined ? [] : [keyOf(objectKey(object))];
  const node = readStored<Node>(context, NODES, { namespace: "", name });
  return node === undefined || isOutOfService(node) ? [keyOf(objectKey(object))] : [];
}

function podsOn({ objects }: ServerContext, isWanted: (node: string) => boolean): readonly string[] {
  const pods = objects.list(PODS) as unknown as readonly Pod[];
  return pods.filter(({ spec }) => isWanted(spec?.nodeName ?? "")).map((pod) => keyOf(objectKey(pod)));
}

function isOutOfService(node: Node): boolean {
  return readinessOf(node) !== "True" && (node.spec?.taints ?? []).some(({ key }) => key === OUT_OF_SERVICE);
}

async function collect(
  context: ServerContext,
  {
    client,
    deleted,
    worker,
  }: { readonly client: InternalClient; readonly deleted: ReadonlySet<string>; readonly worker: KeyedWorker },
  key: string,
): Promise<void> {
  const pod = readStored<Pod>(context, PODS, splitKey(key));
  if (pod === undefined) return;
  const nodeName = pod.spec?.nodeName ?? "";
  if (nodeName === "") {
    if (pod.metadata.deletionTimestamp !== undefined) await remove(client, pod, failedStatus(pod));
    return;
  }
  const node = readStored<Node>(context, NODES, { namespace: "", name: nodeName });
  if (node !== undefined) {
    const isStuck = pod.metadata.deletionTimestamp !== undefined && isOutOfService(node);
    if (isStuck) await remove(client, pod, failedStatus(pod));
    return;
  }
  const remainingMs = deleted.has(nodeName) ? 0 : quarantineMs(context, pod);
  if (remainingMs > 0) {
    worker.addAfter(key, remainingMs);
    return;
  }
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByPodGC",
    message: "PodGC: node no longer exists",
    observedGeneration: pod.metadata.generation ?? 1,
    lastTransitionTime: toTime(context.clock.now()),
  } as const;
  await remove(client, pod, { ...failedStatus(pod), conditions: [condition] });
}

function quarantineMs({ clock }: ServerContext, { metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? "") + QUARANTINE_MS - clock.now();
}

function failedStatus({ metadata }: Pod): PodStatus {
  return { phase: "Failed", observedGeneration: metadata.generation ?? 1 };
}

async function remove(client: InternalClient, pod: Pod, status: PodStatus): Promise<void> {
  const { namespace = "", name = "", uid } = pod.metadata;
  const target = { ...PODS, namespace, name };
  try {
    if (!hasEnded(pod)) {
      const body = { metadata: { uid }, status };
      await client.patch({ ...target, subresource: "status" }, { contentType: STRATEGIC, body });
    }
    if (pod.metadata.deletionGracePeriodSeconds === 0) return;
    await client.delete(target, { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
