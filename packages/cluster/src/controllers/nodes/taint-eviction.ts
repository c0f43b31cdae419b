import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  keyOf,
  numberOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey, toTime } from "@kubescaffold/k8s";
import type { Node, Pod, Taint, Toleration } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { tolerates } from "../taints.ts";
import { eventWriter, type EventWriter } from "../workload/event-writer.ts";
import { NODES, PODS, readStored } from "../workload/workload-objects.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** Deletes pods from nodes with a taint `NoExecute`, when their tolerations end. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: EvictionWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
    planned: new Map(),
  };
  return storeController({
    name: self.name,
    context,
    watches: [NODES, PODS],
    keysOf: (event) => keysOf(work, event),
    initialKeys: () => {
      work.planned.clear();
      const tainted = (context.objects.list(NODES) as unknown as readonly Node[]).filter(
        (node) => evicting(node).length > 0,
      );
      return tainted.flatMap(({ metadata }) => podsOn(context, metadata.name ?? ""));
    },
    work: async (key, worker) => await review(work, key, worker),
  });
}

interface EvictionWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
  /** When pods are deleted, by their key. */
  readonly planned: Map<string, { readonly uid: string; readonly dueAt: number }>;
}

function keysOf(work: EvictionWork, { kind, groupResource, object, previous, key }: StoreEvent): readonly string[] {
  const { context, planned } = work;
  if (groupResource.resource === "nodes") {
    const [now, then] = [evicting(object), evicting(previous)];
    return kind === "deleted" || deepEqual(now, then) ? [] : podsOn(context, object.metadata.name ?? "");
  }
  if (kind === "deleted") {
    planned.delete(key);
    return [];
  }
  const pod: Pod = object;
  const former: Pod | undefined = previous;
  const name = pod.spec?.nodeName ?? "";
  const isSame = name === former?.spec?.nodeName && deepEqual(pod.spec?.tolerations, former?.spec?.tolerations);
  if (name === "" || isSame) return [];
  return evicting(readStored<Node>(context, NODES, { namespace: "", name })).length === 0 ? [] : [key];
}

function evicting(node: Node | undefined): readonly Taint[] {
  return (node?.spec?.taints ?? []).filter(({ effect }) => effect === "NoExecute");
}

function podsOn({ objects }: ServerContext, node: string): readonly string[] {
  const pods = objects.list(PODS) as unknown as readonly Pod[];
  return pods.filter(({ spec }) => spec?.nodeName === node).map((pod) => keyOf(objectKey(pod)));
}

async function review(work: EvictionWork, key: string, worker: KeyedWorker): Promise<void> {
  const { context, planned, events } = work;
  const pod = readStored<Pod>(context, PODS, splitKey(key));
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
  const { uid = "" } = pod.metadata;
  const node = readStored<Node>(context, NODES, { namespace: "", name: pod.spec?.nodeName ?? "" });
  const toleratedMs = toleratedFor(evicting(node), pod.spec?.tolerations ?? []);
  const former = planned.get(key)?.uid === uid ? planned.get(key) : undefined;
  if (toleratedMs === Number.POSITIVE_INFINITY) {
    planned.delete(key);
    if (former !== undefined) await events.write(named(pod), eventOf(key, "Cancelling deletion of Pod"));
    return;
  }
  const now = context.clock.now();
  const dueAt = toleratedMs === 0 ? now : (former?.dueAt ?? now + toleratedMs);
  if (dueAt > now) {
    planned.set(key, { uid, dueAt });
    worker.addAfter(key, dueAt - now);
    return;
  }
  planned.delete(key);
  await events.write(named(pod), eventOf(key, "Marking for deletion Pod"));
  await evict(work, pod);
}

// The events of this controller refer to pods by their names alone.
function named({ apiVersion, kind, metadata: { namespace = "", name = "" } }: Pod): Pod {
  return { apiVersion, kind, metadata: { namespace, name } };
}

function eventOf(key: string, text: string) {
  return { type: "Normal", reason: "TaintManagerEviction", message: `${text} ${key}` } as const;
}

// The shortest time of the tolerations that match; each taint needs one.
function toleratedFor(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const matching = tolerations.find((toleration) => tolerates(toleration, taint));
    if (matching === undefined) return 0;
    const { tolerationSeconds } = matching;
    if (tolerationSeconds !== undefined)
      shortestMs = Math.min(shortestMs, Math.max(0, numberOf(tolerationSeconds)) * 1000);
  }
  return shortestMs;
}

async function evict({ context, client }: EvictionWork, pod: Pod): Promise<void> {
  const { namespace = "", name = "", uid, generation = 1 } = pod.metadata;
  const target = { ...PODS, namespace, name };
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "DeletionByTaintManager",
    message: "Taint manager: deleting due to NoExecute taint",
    observedGeneration: generation,
    lastTransitionTime: toTime(context.clock.now()),
  };
  try {
    const body = { metadata: { uid }, status: { conditions: [condition] } };
    await client.patch({ ...target, subresource: "status" }, { contentType: STRATEGIC, body });
    await client.delete(target);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
