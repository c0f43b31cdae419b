import {
  type ApiObject,
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey, StatusError, toTime } from "@kubescaffold/k8s";
import type { ReplicaSet, ReplicaSetCondition, ReplicaSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Pod, ReplicationController } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { claimPods, ownerKeys } from "./controller-refs.ts";
import { CreationPace } from "./creation-pace.ts";
import { deletionOrder } from "./deletion-order.ts";
import { eventWriter, type EventWriter } from "./event-writer.ts";
import { specReplicas } from "./rollout.ts";
import { slowStart } from "./slow-start.ts";
import {
  controllerOf,
  controllerReference,
  isActive,
  isReady,
  isTerminating,
  ownedBy,
  PODS,
  readStored,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  untilAvailableMs,
} from "./workload-objects.ts";

const MOST_AT_ONCE = 500;

/** A kind whose objects keep a number of pods. */
interface ReplicaKind {
  readonly kind: string;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly selectorOf: (set: ApiObject) => LabelSelector | undefined;
  /** Whether the status counts pods that are being deleted. */
  readonly countsTerminating: boolean;
}

const REPLICA_SET_KIND: ReplicaKind = {
  kind: "ReplicaSet",
  resource: REPLICA_SETS,
  selectorOf: (set) => (set as unknown as ReplicaSet).spec?.selector,
  countsTerminating: true,
};

const REPLICATION_CONTROLLER_KIND: ReplicaKind = {
  kind: "ReplicationController",
  resource: REPLICATION_CONTROLLERS,
  selectorOf: (set) => {
    const matchLabels = (set as unknown as ReplicationController).spec?.selector;
    return matchLabels === undefined ? undefined : { matchLabels };
  },
  countsTerminating: false,
};

/** Keeps as many pods as a replica set wants. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  return replicaController(context, self, REPLICA_SET_KIND);
}

/** Keeps as many pods as a replication controller wants. */
export function createReplicationManager(context: ServerContext, self: ControllerIdentity): InProcessController {
  return replicaController(context, self, REPLICATION_CONTROLLER_KIND);
}

function replicaController(context: ServerContext, self: ControllerIdentity, kind: ReplicaKind): InProcessController {
  const work: ReplicaSetWork = {
    context,
    kind,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
    pace: new CreationPace(context.clock),
  };
  return storeController({
    name: self.name,
    context,
    watches: [kind.resource, PODS],
    keysOf: (event) =>
      event.groupResource.resource === kind.resource.resource
        ? [keyOf(objectKey(event.object))]
        : ownerKeys(context, event, kind),
    initialKeys: () => context.objects.list(kind.resource).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => await syncReplicaSet(work, key, worker),
  });
}

interface ReplicaSetWork {
  readonly context: ServerContext;
  readonly kind: ReplicaKind;
  readonly client: InternalClient;
  readonly events: EventWriter;
  readonly pace: CreationPace;
}

async function syncReplicaSet(work: ReplicaSetWork, key: string, worker: KeyedWorker): Promise<void> {
  const set = readStored<ReplicaSet>(work.context, work.kind.resource, splitKey(key));
  if (set === undefined) return;
  const { context, client, kind } = work;
  const selector = kind.selectorOf(set as never);
  const claimed = await claimPods(context, client, { owner: set, ownedBy: kind.resource, selector });
  const pods = claimed.filter((pod) => isActive(pod));
  const later = (delayMs: number): void => void worker.addAfter(key, delayMs);
  const failure = set.metadata.deletionTimestamp === undefined ? await adjust(work, set, { pods, later }) : undefined;
  await writeStatus(work, { key, worker }, failure);
  // The worker tries again later.
  if (failure !== undefined) throw failure.error;
}

/** Why pods could not be made or deleted. */
interface Failure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly error: Error;
}

// Creates or deletes as many pods as one round may; the events of these lead here again, or `later` does.
async function adjust(
  work: ReplicaSetWork,
  set: ReplicaSet,
  { pods, later }: { readonly pods: readonly Pod[]; readonly later: (delayMs: number) => void },
): Promise<Failure | undefined> {
  const missing = specReplicas(set) - pods.length;
  if (missing > 0) return await createPods(work, set, { count: missing, later });
  const failures: unknown[] = [];
  for (const pod of surplus(work, set, { pods, count: Math.min(-missing, MOST_AT_ONCE) })) {
    try {
      await deletePod(work, set, pod);
    } catch (error) {
      failures.push(error);
    }
  }
  return await reported(work, set, { reason: "FailedDelete", failures });
}

async function createPods(
  work: ReplicaSetWork,
  set: ReplicaSet,
  { count, later }: { readonly count: number; readonly later: (delayMs: number) => void },
): Promise<Failure | undefined> {
  const { namespace = "" } = set.metadata;
  const granted = work.pace.take(namespace, Math.min(count, MOST_AT_ONCE));
  const planned = Array.from({ length: granted });
  const { succeeded, failures } = await slowStart(planned, async () => await createPod(work, set));
  work.pace.giveBack(namespace, granted - succeeded);
  if (failures.length === 0 && granted < count) later(work.pace.untilMoreMs(namespace, count - granted));
  return await reported(work, set, { reason: "FailedCreate", failures });
}

// Returns the first failure.
async function reported(
  work: ReplicaSetWork,
  set: ReplicaSet,
  { reason, failures }: { readonly reason: Failure["reason"]; readonly failures: readonly unknown[] },
): Promise<Failure | undefined> {
  const action = reason === "FailedCreate" ? "creating" : "deleting";
  let first: Failure | undefined;
  for (const error of failures) {
    if (!(error instanceof StatusError)) throw error;
    await work.events.write(set, { type: "Warning", reason, message: `Error ${action}: ${error.message}` });
    first ??= { reason, error };
  }
  return first;
}

function surplus(
  { context, kind }: ReplicaSetWork,
  set: ReplicaSet,
  { pods, count }: { readonly pods: readonly Pod[]; readonly count: number },
): readonly Pod[] {
  if (count <= 0 || count >= pods.length) return count <= 0 ? [] : pods;
  const owner = controllerOf(set)?.uid;
  // The pods of all sets of a deployment are related.
  const sets = new Set(
    context.objects
      .list(kind.resource, set.metadata.namespace)
      .filter(
        (each) => each.metadata.uid === set.metadata.uid || (owner !== undefined && controllerOf(each)?.uid === owner),
      )
      .map(({ metadata }) => metadata.uid),
  );
  const counts = new Map<string, number>();
  for (const pod of context.objects.list(PODS, set.metadata.namespace) as unknown as readonly Pod[]) {
    if (!isActive(pod) || !sets.has(controllerOf(pod)?.uid)) continue;
    const node = pod.spec?.nodeName ?? "";
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  const neighborsOf = ({ spec }: Pod): number => counts.get(spec?.nodeName ?? "") ?? 0;
  return deletionOrder(pods, { usesCost: true, neighborsOf }).slice(0, count);
}

async function createPod(work: ReplicaSetWork, set: ReplicaSet): Promise<void> {
  const template = set.spec?.template;
  const { namespace = "", name = "" } = set.metadata;
  const pod = await work.client.create({ ...PODS, namespace, name: "" }, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${name}-`,
      namespace,
      ...(template?.metadata?.labels === undefined ? {} : { labels: template.metadata.labels }),
      ...(template?.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ...(template?.metadata?.finalizers === undefined ? {} : { finalizers: template.metadata.finalizers }),
      ownerReferences: [controllerReference(set)],
    },
    spec: template?.spec,
  } as never);
  const message = `Created pod: ${pod.metadata.name ?? ""}`;
  await work.events.write(set, { type: "Normal", reason: "SuccessfulCreate", message });
}

async function deletePod(work: ReplicaSetWork, set: ReplicaSet, pod: Pod): Promise<void> {
  const { namespace = "", name = "" } = pod.metadata;
  try {
    await work.client.delete({ ...PODS, namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return;
  }
  await work.events.write(set, { type: "Normal", reason: "SuccessfulDelete", message: `Deleted pod: ${name}` });
}

// Reads everything again: what was made above counts.
async function writeStatus(
  work: ReplicaSetWork,
  { key, worker }: { readonly key: string; readonly worker: KeyedWorker },
  failure: Failure | undefined,
): Promise<void> {
  const set = readStored<ReplicaSet>(work.context, work.kind.resource, splitKey(key));
  if (set === undefined) return;
  const now = work.context.clock.now();
  const pods = ownedBy<Pod>(work.context, PODS, set);
  const waits = pods.map((pod) => untilAvailableMs(pod, set, now)).filter((waitMs) => waitMs > 0 && waitMs < Infinity);
  if (waits.length > 0) worker.addAfter(key, Math.min(...waits));
  const { terminatingReplicas, ...counted } = replicaSetStatus(set, {
    pods,
    now,
    ...(failure === undefined ? {} : { failure: { reason: failure.reason, message: failure.error.message } }),
  });
  const status = { ...counted, ...(work.kind.countsTerminating ? { terminatingReplicas } : {}) };
  if (deepEqual(status, set.status)) return;
  const { namespace = "", name = "" } = set.metadata;
  await work.client.update({ ...work.kind.resource, namespace, name, subresource: "status" }, {
    ...set,
    status,
  } as never);
}

/** Inputs of a replica set's status. */
interface ReplicaSetObservation {
  /** All pods of the set, those that are going included. */
  readonly pods: readonly Pod[];
  /** Milliseconds since 1970; the time of a condition that is new. */
  readonly now: number;
  /** Why pods could not be made or deleted, when that failed. */
  readonly failure?: { readonly reason: string; readonly message: string };
}

/** Computes the status that the real controller would write; the condition of a failure keeps its time. */
export function replicaSetStatus(set: ReplicaSet, observation: ReplicaSetObservation): ReplicaSetStatus {
  const active = observation.pods.filter((pod) => isActive(pod));
  const labeled = active.filter((pod) => hasTemplateLabels(set, pod)).length;
  const ready = active.filter((pod) => isReady(pod)).length;
  const available = active.filter((pod) => untilAvailableMs(pod, set, observation.now) === 0).length;
  const conditions = failureConditions(set, observation);
  return {
    replicas: active.length,
    ...(labeled > 0 ? { fullyLabeledReplicas: labeled } : {}),
    ...(ready > 0 ? { readyReplicas: ready } : {}),
    ...(available > 0 ? { availableReplicas: available } : {}),
    terminatingReplicas: observation.pods.filter((pod) => isTerminating(pod)).length,
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

function hasTemplateLabels(set: ReplicaSet, pod: Pod): boolean {
  const labels = pod.metadata.labels ?? {};
  return Object.entries(set.spec?.template?.metadata?.labels ?? {}).every(([key, value]) => labels[key] === value);
}

function failureConditions(set: ReplicaSet, { failure, now }: ReplicaSetObservation): ReplicaSetCondition[] {
  const others = (set.status?.conditions ?? []).filter(({ type }) => type !== "ReplicaFailure");
  if (failure === undefined) return others;
  const former = set.status?.conditions?.find(
    ({ type, reason }) => type === "ReplicaFailure" && reason === failure.reason,
  );
  return [...others, former ?? { type: "ReplicaFailure", status: "True", lastTransitionTime: toTime(now), ...failure }];
}
