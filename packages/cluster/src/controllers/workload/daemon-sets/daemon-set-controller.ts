import {
  type ControllerIdentity,
  type InProcessController,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey } from "@kubescaffold/k8s";
import type { DaemonSet, DaemonSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Node, Pod } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { claimPods, ownerKeys } from "../controller-refs.ts";
import { eventWriter } from "../event-writer.ts";
import { controllerOf, DAEMON_SETS, isReady, NODES, PODS, readStored, untilAvailableMs } from "../workload-objects.ts";
import { isUpdated, placeOn, targetNode } from "./daemon-nodes.ts";
import { applyChanges, byNode, type DaemonRound, type DaemonWork, oldestFirst, plannedChanges } from "./daemon-pods.ts";
import { daemonHistory, limitDaemonHistory } from "./daemon-revisions.ts";
import { nextRolloutChanges, rolls } from "./daemon-rollout.ts";

// Events have another name than the service account.
const EVENT_SOURCE = "daemonset-controller";
const ALL_PODS = "This daemon set is selecting all pods. A non-empty selector is required.";

/** Runs one pod of each daemon set on every node that suits it. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const shared = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, EVENT_SOURCE),
    backOff: new Map(),
  };
  return storeController({
    name: self.name,
    context,
    watches: [DAEMON_SETS, PODS, NODES],
    keysOf: (event) => keysOf(context, event),
    initialKeys: () => {
      shared.backOff.clear();
      return allKeys(context);
    },
    work: async (key, worker) => {
      const later = (_set: DaemonSet, delayMs: number): void => {
        worker.addAfter(key, delayMs);
      };
      await syncDaemonSet({ ...shared, later }, key);
    },
  });
}

function allKeys({ objects }: ServerContext): readonly string[] {
  return objects.list(DAEMON_SETS).map((object) => keyOf(objectKey(object)));
}

function keysOf(context: ServerContext, event: StoreEvent): readonly string[] {
  const { kind, groupResource, object } = event;
  if (groupResource.resource === "daemonsets") return [keyOf(objectKey(object))];
  if (groupResource.resource === "nodes") {
    return kind === "deleted" ? allKeys(context) : keysOfNode(context, object);
  }
  return ownerKeys(context, event, {
    kind: "DaemonSet",
    resource: DAEMON_SETS,
    selectorOf: (set) => (set as unknown as DaemonSet).spec?.selector,
  });
}

// Only a node that lacks a pod, or has one that must go, is a reason to look at a set, as upstream.
function keysOfNode({ objects }: ServerContext, node: Node): readonly string[] {
  const pods = objects.list(PODS) as unknown as readonly Pod[];
  const here = new Set(
    pods.filter((pod) => targetNode(pod) === node.metadata.name).map((pod) => controllerOf(pod)?.uid ?? ""),
  );
  const sets = objects.list(DAEMON_SETS) as unknown as readonly DaemonSet[];
  return sets
    .filter((set) => {
      const { shouldRun, mayStay } = placeOn(node, set);
      return here.has(set.metadata.uid ?? "") ? !mayStay : shouldRun;
    })
    .map((set) => keyOf(objectKey(set)));
}

async function syncDaemonSet(work: DaemonWork, key: string): Promise<void> {
  const { context, events } = work;
  const set = readStored<DaemonSet>(context, DAEMON_SETS, splitKey(key));
  if (set === undefined) return;
  const { matchLabels = {}, matchExpressions = [] } = set.spec?.selector ?? {};
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) {
    await events.write(set, { type: "Warning", reason: "SelectingAll", message: ALL_PODS });
    return;
  }
  if (set.metadata.deletionTimestamp !== undefined) return;
  const { hash, old } = await daemonHistory(work, set, await podsOf(work, set));
  let failure: unknown;
  try {
    const round = await roundOf(work, set, hash);
    await applyChanges(work, round, await plannedChanges(work, round));
    if (rolls(set)) {
      const next = await roundOf(work, set, hash);
      await applyChanges(work, next, nextRolloutChanges(next));
    }
    await limitDaemonHistory(work, set, { old, pods: await podsOf(work, set) });
  } catch (error) {
    failure = error;
  }
  await writeStatus(work, await roundOf(work, set, hash));
  // The worker tries again later.
  if (failure !== undefined) throw failure;
}

async function podsOf({ context, client }: DaemonWork, set: DaemonSet): Promise<readonly Pod[]> {
  return await claimPods(context, client, { owner: set, ownedBy: DAEMON_SETS, selector: set.spec?.selector });
}

async function roundOf(work: DaemonWork, set: DaemonSet, hash: string): Promise<DaemonRound> {
  const nodes = work.context.objects.list(NODES) as unknown as readonly Node[];
  const pods = byNode(await podsOf(work, set));
  return { set, hash, nodes, pods, now: work.context.clock.now() };
}

async function writeStatus(work: DaemonWork, round: DaemonRound): Promise<void> {
  const { set, now } = round;
  const key = objectKey(set);
  const stored = readStored<DaemonSet>(work.context, DAEMON_SETS, key);
  if (stored === undefined || stored.metadata.uid !== set.metadata.uid) return;
  const status = statusOf(round, stored);
  const waits = [...round.pods.values()].flat().map((pod) => untilAvailableMs(pod, set, now));
  const waitMs = Math.min(...waits.filter((each) => each > 0));
  if (Number.isFinite(waitMs)) work.later(set, waitMs);
  if (deepEqual(status, stored.status)) return;
  try {
    await work.client.update({ ...DAEMON_SETS, ...key, subresource: "status" }, { ...stored, status } as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function statusOf({ set, hash, nodes, pods, now }: DaemonRound, { status }: DaemonSet): DaemonSetStatus {
  let [desired, current, misplaced, ready, updated, available] = [0, 0, 0, 0, 0, 0];
  for (const node of nodes) {
    const [oldest] = oldestFirst(pods.get(node.metadata.name ?? "") ?? []);
    if (!placeOn(node, set).shouldRun) {
      misplaced += oldest === undefined ? 0 : 1;
      continue;
    }
    desired += 1;
    if (oldest === undefined) continue;
    current += 1;
    ready += isReady(oldest) ? 1 : 0;
    available += untilAvailableMs(oldest, set, now) === 0 ? 1 : 0;
    updated += isUpdated(oldest, set, hash) ? 1 : 0;
  }
  const unavailable = desired - available;
  return {
    currentNumberScheduled: current,
    desiredNumberScheduled: desired,
    ...(available > 0 ? { numberAvailable: available } : {}),
    numberMisscheduled: misplaced,
    numberReady: ready,
    ...(unavailable > 0 ? { numberUnavailable: unavailable } : {}),
    observedGeneration: set.metadata.generation ?? 0,
    ...(updated > 0 ? { updatedNumberScheduled: updated } : {}),
    ...(status?.collisionCount === undefined ? {} : { collisionCount: status.collisionCount }),
  };
}
