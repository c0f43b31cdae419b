import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, StatusError } from "@kubescaffold/k8s";
import type { DaemonSet } from "@kubescaffold/k8s/apps/v1";
import type { Node, Pod } from "@kubescaffold/k8s/core/v1";
import { addToList } from "@kubescaffold/platform";

import type { EventWriter } from "../event-writer.ts";
import { slowStart } from "../slow-start.ts";
import { controllerReference, hasEnded, isReady, PODS, untilAvailableMs } from "../workload-objects.ts";
import { HASH_LABEL, placeOn, targetNode, templateFor } from "./daemon-nodes.ts";

const MOST_AT_ONCE = 250;
const FIRST_BACK_OFF_MS = 1000;
const LONGEST_BACK_OFF_MS = 15 * 60_000;

/** What the daemon set controller works with. */
export interface DaemonWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
  /** When failed pods were deleted last, and how long the next one waits, by set and node. */
  readonly backOff: Map<string, { readonly since: number; readonly delayMs: number }>;
  /** Asks for the set to be looked at again. */
  readonly later: (set: DaemonSet, delayMs: number) => void;
}

/** A daemon set with its nodes, and its pods by node. */
export interface DaemonRound {
  readonly set: DaemonSet;
  readonly hash: string;
  readonly nodes: readonly Node[];
  readonly pods: ReadonlyMap<string, readonly Pod[]>;
  readonly now: number;
}

/** The nodes that get a pod, and the pods that go. */
export interface DaemonChanges {
  readonly nodes: readonly string[];
  readonly pods: readonly Pod[];
}

/** Groups pods by their node; those that have ended and are going do not count. */
export function byNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = targetNode(pod);
    if (node === undefined || (hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    addToList(groups, node, pod);
  }
  return groups;
}

/** Returns what brings each node to where it should be: one pod on each that should have one, or two during a surge. */
export async function plannedChanges(work: DaemonWork, round: DaemonRound): Promise<DaemonChanges> {
  const nodes: string[] = [];
  const doomed: Pod[] = [];
  for (const node of round.nodes) {
    const { name = "" } = node.metadata;
    const { shouldRun, mayStay } = placeOn(node, round.set);
    const pods = round.pods.get(name);
    if (shouldRun && pods === undefined) nodes.push(name);
    else if (mayStay) {
      const running: Pod[] = [];
      for (const pod of (pods ?? []).filter((each) => !isGoing(each))) {
        const verdict = await judge(work, round, { node: name, pod });
        if (verdict === "runs") running.push(pod);
        else if (verdict === "goes") doomed.push(pod);
      }
      if (allowsSurge(round.set) && running.length === 0 && shouldRun) nodes.push(name);
      doomed.push(...excess(round, running));
    } else doomed.push(...(pods ?? []).filter((each) => !isGoing(each)));
  }
  const known = new Set(round.nodes.map(({ metadata }) => metadata.name));
  for (const [name, pods] of round.pods) {
    if (!known.has(name)) doomed.push(...pods.filter(({ spec }) => (spec?.nodeName ?? "") === ""));
  }
  return { nodes, pods: doomed };
}

/** Reports whether a daemon set may have two pods on a node. */
function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const surge = rollingUpdate?.maxSurge ?? 0;
  return type !== "OnDelete" && Number.parseInt(String(surge), 10) > 0;
}

function isGoing({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

// Pods that have ended are deleted; those that fail again and again, ever later.
async function judge(
  { events, backOff, later }: DaemonWork,
  { set, now }: DaemonRound,
  { node, pod }: { readonly node: string; readonly pod: Pod },
): Promise<"runs" | "goes" | "waits"> {
  const { namespace = "", name = "" } = pod.metadata;
  if (pod.status?.phase === "Succeeded") {
    const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`;
    await events.write(set, { type: "Normal", reason: "SucceededDaemonPod", message });
    return "goes";
  }
  if (pod.status?.phase !== "Failed") return "runs";
  const key = `${set.metadata.uid ?? ""}/${String(set.status?.observedGeneration ?? 0)}/${node}`;
  const former = backOff.get(key);
  if (former !== undefined && now - former.since < former.delayMs) {
    later(set, former.delayMs - (now - former.since));
    return "waits";
  }
  const isOver = former === undefined || now - former.since > 2 * LONGEST_BACK_OFF_MS;
  const delayMs = isOver ? FIRST_BACK_OFF_MS : Math.min(2 * former.delayMs, LONGEST_BACK_OFF_MS);
  backOff.set(key, { since: now, delayMs });
  const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
  await events.write(set, { type: "Warning", reason: "FailedDaemonPod", message });
  return "goes";
}

// Without a surge the oldest pod stays; during one, the oldest of the new and of the old revision, until the new one is available.
function excess({ set, hash, now }: DaemonRound, running: readonly Pod[]): readonly Pod[] {
  const pods = oldestFirst(running);
  if (!allowsSurge(set)) return pods.slice(1);
  if (pods.length <= 1) return [];
  const fresh = pods.find(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash);
  const stale = pods.find(({ metadata }) => metadata.labels?.[HASH_LABEL] !== hash);
  const others = pods.filter((pod) => pod !== fresh && pod !== stale);
  if (fresh === undefined || stale === undefined) return others;
  return !isReady(stale) || untilAvailableMs(fresh, set, now) === 0 ? [...others, stale] : others;
}

/** Orders pods: those with a node first, then by age. */
export function oldestFirst(pods: readonly Pod[]): readonly Pod[] {
  const rank = ({ metadata, spec }: Pod): string =>
    [(spec?.nodeName ?? "") === "" ? "1" : "0", metadata.creationTimestamp ?? "", metadata.name ?? ""].join("/");
  return pods.toSorted((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

/** Creates and deletes pods, as many as one round may, whose events lead to the next round; throws the first failure. */
export async function applyChanges(work: DaemonWork, round: DaemonRound, changes: DaemonChanges): Promise<void> {
  const create = async (node: string): Promise<void> => await createPod(work, round, node);
  const { failures: notCreated } = await slowStart(changes.nodes.slice(0, MOST_AT_ONCE), create);
  const failures = [...notCreated];
  for (const pod of changes.pods.slice(0, MOST_AT_ONCE)) {
    try {
      await deletePod(work, round.set, pod);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function createPod({ client, events }: DaemonWork, { set, hash }: DaemonRound, node: string): Promise<void> {
  const { namespace = "", name = "" } = set.metadata;
  const { metadata, spec } = templateFor(set, node, hash);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: metadata?.labels,
      ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata?.finalizers === undefined ? {} : { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReference(set)],
    },
    spec,
  };
  try {
    const created = await client.create({ ...PODS, namespace, name: "" }, pod as never);
    const message = `Created pod: ${created.metadata.name ?? ""}`;
    await events.write(set, { type: "Normal", reason: "SuccessfulCreate", message });
  } catch (error) {
    await reportFailure(events, set, { reason: "FailedCreate", action: "creating", error });
    throw error;
  }
}

async function deletePod({ client, events }: DaemonWork, set: DaemonSet, { metadata }: Pod): Promise<void> {
  const { namespace = "", name = "" } = metadata;
  try {
    await client.delete({ ...PODS, namespace, name });
  } catch (error) {
    if (isNotFound(error)) return;
    await reportFailure(events, set, { reason: "FailedDelete", action: "deleting", error });
    throw error;
  }
  await events.write(set, { type: "Normal", reason: "SuccessfulDelete", message: `Deleted pod: ${name}` });
}

async function reportFailure(
  events: EventWriter,
  set: DaemonSet,
  { reason, action, error }: { readonly reason: string; readonly action: string; readonly error: unknown },
): Promise<void> {
  if (!(error instanceof StatusError)) return;
  await events.write(set, { type: "Warning", reason, message: `Error ${action}: ${error.message}` });
}
