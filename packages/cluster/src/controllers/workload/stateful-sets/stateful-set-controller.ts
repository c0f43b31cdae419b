import {
  type ControllerIdentity,
  type InProcessController,
  type KeyedWorker,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { objectKey } from "@kubescaffold/k8s";
import type { StatefulSet } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { claimPods, ownerKeys } from "../controller-refs.ts";
import { adoptRevisions, revisionsOf } from "../controller-revisions.ts";
import { CreationPace } from "../creation-pace.ts";
import { eventWriter } from "../event-writer.ts";
import {
  controllerOf,
  PERSISTENT_VOLUME_CLAIMS,
  PODS,
  readStored,
  STATEFUL_SETS,
  untilAvailableMs,
} from "../workload-objects.ts";
import type { StatefulSetWork } from "./pod-control.ts";
import { identityOf, revisionNameOf } from "./stateful-pods.ts";
import { currentRevisions, limitHistory } from "./stateful-revisions.ts";
import { writeStatus } from "./stateful-set-status.ts";
import { managePods } from "./stateful-set-sync.ts";

/** Runs the pods of stateful sets: each has a name, a place in their order, and claims of its own. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: StatefulSetWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
    pace: new CreationPace(context.clock),
  };
  return storeController({
    name: self.name,
    context,
    watches: [STATEFUL_SETS, PODS, PERSISTENT_VOLUME_CLAIMS],
    keysOf: (event) => keysOf(context, event),
    initialKeys: () => context.objects.list(STATEFUL_SETS).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => await syncStatefulSet(work, key, worker),
  });
}

function keysOf(context: ServerContext, event: StoreEvent): readonly string[] {
  const { groupResource, object, kind } = event;
  if (groupResource.resource === "statefulsets") return [keyOf(objectKey(object))];
  const namespace = object.metadata.namespace ?? "";
  if (groupResource.resource === "persistentvolumeclaims") {
    // A pod may wait for the claim of an earlier one to go.
    const owner = controllerOf(object);
    const isOfPod = kind === "deleted" && owner?.kind === "Pod";
    return isOfPod ? [keyOf({ namespace, name: identityOf({ metadata: owner } as unknown as Pod).parent })] : [];
  }
  return ownerKeys(context, event, {
    kind: "StatefulSet",
    resource: STATEFUL_SETS,
    selectorOf: (set) => (set as unknown as StatefulSet).spec?.selector,
  });
}

async function syncStatefulSet(work: StatefulSetWork, key: string, worker: KeyedWorker): Promise<void> {
  const set = readStored<StatefulSet>(work.context, STATEFUL_SETS, splitKey(key));
  if (set === undefined) return;
  const isGoing = set.metadata.deletionTimestamp !== undefined;
  if (!isGoing) await adoptRevisions(work.client, set, revisionsOf(work.context, set, set.spec?.selector));
  const pods = await claimPods(work.context, work.client, {
    owner: set,
    ownedBy: STATEFUL_SETS,
    selector: set.spec?.selector,
    isMember: (pod) => identityOf(pod).parent === set.metadata.name,
  });
  const now = work.context.clock.now();
  const history = revisionsOf(work.context, set, set.spec?.selector);
  const revisions = await currentRevisions(work, set, history);
  const { status, failure, waitMs } = await managePods(work, set, { revisions, pods, now });
  await writeStatus(work, set, status);
  const live = [
    ...pods.map((pod) => revisionNameOf(pod)),
    revisions.current.metadata.name,
    revisions.update.metadata.name,
  ];
  await limitHistory(work, set, { history, live: new Set(live.map((name) => name ?? "")) });
  // The worker tries again later.
  if (failure !== undefined) throw failure;
  if (waitMs !== undefined) worker.addAfter(key, waitMs);
  if (status.readyReplicas !== status.availableReplicas) {
    const delays = pods.map((pod) => untilAvailableMs(pod, set, now)).filter((delayMs) => delayMs > 0);
    const delayMs = Math.min(...delays, (set.spec?.minReadySeconds ?? 0) * 1000);
    if (delayMs > 0) worker.addAfter(key, delayMs);
  }
}
