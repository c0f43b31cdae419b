import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, toTime } from "@kubescaffold/k8s";
import type { Node, ConditionStatus, Pod, Taint } from "@kubescaffold/k8s/core/v1";

import { readinessOf } from "../../kubelet/node-defaults.ts";
import { eventWriter, type EventWriter } from "../workload/event-writer.ts";
import { NODES, PODS, readStored } from "../workload/workload-objects.ts";

const MERGE = "application/merge-patch+json";
const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

// The taint of each condition, by its status.
const CONDITION_TAINTS: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: "node.kubernetes.io/memory-pressure" },
  DiskPressure: { True: "node.kubernetes.io/disk-pressure" },
  NetworkUnavailable: { True: "node.kubernetes.io/network-unavailable" },
  PIDPressure: { True: "node.kubernetes.io/pid-pressure" },
};

const OWN_KEYS: ReadonlySet<string> = new Set([
  UNSCHEDULABLE,
  ...Object.values(CONDITION_TAINTS).flatMap((taints) => Object.values(taints).map(String)),
]);

/** Taints nodes by their conditions like kube-controller-manager, and reports the pods of unreachable nodes as not ready. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: LifecycleWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
    known: new Map(),
  };
  return storeController({
    name: self.name,
    context,
    watches: [NODES],
    keysOf: ({ object }) => [object.metadata.name ?? ""],
    initialKeys: () => {
      work.known.clear();
      for (const node of context.objects.list(NODES) as unknown as readonly Node[]) {
        work.known.set(node.metadata.name ?? "", { node, readiness: readinessOf(node) });
      }
      return context.objects.list(NODES).map(({ metadata }) => metadata.name ?? "");
    },
    work: async (name) => await syncNode(work, name),
  });
}

interface LifecycleWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
  /** The nodes that were seen, and their readiness then. */
  readonly known: Map<string, { readonly node: Node; readonly readiness: ConditionStatus | undefined }>;
}

async function syncNode({ context, client, events, known }: LifecycleWork, name: string): Promise<void> {
  const node = readStored<Node>(context, NODES, { namespace: "", name });
  const former = known.get(name);
  if (node === undefined) {
    known.delete(name);
    if (former !== undefined)
      await events.write(named(former.node), eventOf(name, "RemovingNode", `Removing Node ${name} from Controller`));
    return;
  }
  const readiness = readinessOf(node);
  await updateTaints(context, client, node);
  if (former === undefined)
    await events.write(named(node), eventOf(name, "RegisteredNode", `Registered Node ${name} in Controller`));
  if (former?.readiness === "True" && readiness === "Unknown") {
    const message = `Node ${name} status is now: NodeNotReady`;
    await events.write(named(node), { type: "Normal", reason: "NodeNotReady", message });
    await markPodsNotReady(context, { client, events }, name);
  }
  known.set(name, { node, readiness });
}

function named({ apiVersion, kind, metadata: { name = "", uid = "" } }: Node): Node {
  return { apiVersion, kind, metadata: { name, uid } };
}

function eventOf(name: string, reason: string, text: string) {
  return { type: "Normal", reason, message: `Node ${name} event: ${text}` } as const;
}

async function updateTaints({ clock }: ServerContext, client: InternalClient, node: Node): Promise<void> {
  const present = node.spec?.taints ?? [];
  const wanted = wantedTaints(node);
  const isWanted = (taint: Taint): boolean => wanted.some((each) => isSame(each, taint));
  const kept = present.filter((taint) => !isOwn(taint) || isWanted(taint));
  const added = wanted.filter((taint) => !present.some((each) => isSame(each, taint)));
  if (kept.length === present.length && added.length === 0) return;
  const timeAdded = toTime(clock.now());
  const taints = [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))];
  const { name = "", resourceVersion } = node.metadata;
  const body = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
  await client.patch({ ...NODES, namespace: "", name }, { contentType: MERGE, body });
}

// A node without reports keeps the taint that it was created with.
function wantedTaints(node: Node): readonly Taint[] {
  const readiness = readinessOf(node);
  const ofConditions = (node.status?.conditions ?? []).flatMap(({ type, status }) => {
    const key = CONDITION_TAINTS[type]?.[status];
    return key === undefined ? [] : [{ key, effect: "NoSchedule" } as const];
  });
  const evicting = readiness === "False" ? NOT_READY : readiness === "Unknown" ? UNREACHABLE : undefined;
  return [
    ...ofConditions,
    ...(readiness === undefined ? [{ key: NOT_READY, effect: "NoSchedule" } as const] : []),
    ...(node.spec?.unschedulable === true ? [{ key: UNSCHEDULABLE, effect: "NoSchedule" } as const] : []),
    ...(evicting === undefined ? [] : [{ key: evicting, effect: "NoExecute" } as const]),
  ];
}

function isOwn({ key, effect }: Taint): boolean {
  if (effect === "NoExecute") return key === NOT_READY || key === UNREACHABLE;
  return effect === "NoSchedule" && OWN_KEYS.has(key);
}

function isSame(left: Taint, right: Taint): boolean {
  return left.key === right.key && left.effect === right.effect;
}

async function markPodsNotReady(
  { objects, clock }: ServerContext,
  { client, events }: Pick<LifecycleWork, "client" | "events">,
  node: string,
): Promise<void> {
  const pods = objects.list(PODS) as unknown as readonly Pod[];
  const lastTransitionTime = toTime(clock.now());
  for (const pod of pods.filter(({ spec }) => spec?.nodeName === node)) {
    const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
    if (ready?.status !== "True") continue;
    const { namespace = "", name = "" } = pod.metadata;
    const conditions = (pod.status?.conditions ?? []).map((each) =>
      each === ready ? { ...each, status: "False", lastTransitionTime } : each,
    );
    const changed = { ...pod, status: { ...pod.status, conditions } };
    try {
      await client.update({ ...PODS, namespace, name, subresource: "status" }, changed as never);
    } catch (error) {
      if (isNotFound(error)) continue;
      throw error;
    }
    await events.write(pod, { type: "Warning", reason: "NodeNotReady", message: "Node is not ready" });
  }
}
