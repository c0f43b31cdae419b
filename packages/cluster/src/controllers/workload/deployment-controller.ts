import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  keyOf,
  type ObjectTarget,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, objectKey } from "@kubescaffold/k8s";
import type { Deployment, DeploymentStatus, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { claimObjects, ownerKeys } from "./controller-refs.ts";
import { deploymentStatus, untilDeadlineMs } from "./deployment-status.ts";
import { eventWriter, type EventWriter } from "./event-writer.ts";
import { isScalingEvent, scalingSteps } from "./proportional-scaling.ts";
import {
  newSetAnnotations,
  REVISION,
  revisionOf,
  scalingAnnotations,
  TEMPLATE_HASH_LABEL,
  templateHash,
  templatesEqual,
} from "./revisions.ts";
import { initialReplicas, nextScaling, specReplicas, type ScaleStep } from "./rollout.ts";
import {
  controllerOf,
  controllerReference,
  DEPLOYMENTS,
  ownedBy,
  readStored,
  REPLICA_SETS,
} from "./workload-objects.ts";

/** Creates replica sets of deployments, rolls changed templates out and reports how far it got. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: DeploymentWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
  };
  return storeController({
    name: self.name,
    context,
    watches: [DEPLOYMENTS, REPLICA_SETS],
    keysOf: (event) =>
      event.groupResource.resource === "deployments"
        ? [keyOf(objectKey(event.object))]
        : ownerKeys(context, event, {
            kind: "Deployment",
            resource: DEPLOYMENTS,
            selectorOf: (deployment) => (deployment as unknown as Deployment).spec?.selector,
          }),
    initialKeys: () => context.objects.list(DEPLOYMENTS).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => await syncDeployment(work, { key, worker }),
  });
}

interface DeploymentWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

async function syncDeployment(
  work: DeploymentWork,
  { key, worker }: { readonly key: string; readonly worker: KeyedWorker },
): Promise<void> {
  const deployment = readStored<Deployment>(work.context, DEPLOYMENTS, splitKey(key));
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
  const { selector } = deployment.spec ?? {};
  const membership = { owner: deployment, ownedBy: DEPLOYMENTS, resource: REPLICA_SETS, selector };
  const sets = splitSets(deployment, await claimObjects<ReplicaSet>(work.context, work.client, membership));
  const isRollout = deployment.spec?.paused !== true && !isScalingEvent(deployment, sets.all);
  if (isRollout) await rollOut(work, deployment, sets);
  else await scaleOnly(work, deployment, sets);
  const status = await writeStatus(work, key, { isRollout, seen: sets.all });
  const waitMs = status === undefined ? undefined : untilDeadlineMs(deployment, status, work.context.clock.now());
  if (waitMs !== undefined && waitMs > 0) worker.addAfter(key, waitMs);
}

interface DeploymentSets {
  readonly all: readonly ReplicaSet[];
  /** The set with the present template. */
  readonly newSet: ReplicaSet | undefined;
  readonly oldSets: readonly ReplicaSet[];
}

function splitSets(deployment: Deployment, sets: readonly ReplicaSet[]): DeploymentSets {
  const all = sets.toSorted((left, right) =>
    (left.metadata.creationTimestamp ?? "").localeCompare(right.metadata.creationTimestamp ?? ""),
  );
  const newSet = all.find((set) => isOfTemplate(deployment, set));
  return { all, newSet, oldSets: all.filter((set) => set !== newSet) };
}

function isOfTemplate(deployment: Deployment, set: ReplicaSet): boolean {
  const [wanted, actual] = [deployment.spec?.template, set.spec?.template];
  return wanted !== undefined && actual !== undefined && templatesEqual(wanted, actual);
}

// A paused deployment, or one whose number of replicas has changed, is scaled and not rolled out.
async function scaleOnly(work: DeploymentWork, deployment: Deployment, sets: DeploymentSets): Promise<void> {
  for (const step of scalingSteps(deployment, sets.newSet, sets.oldSets)) await scale(work, deployment, step);
  if (deployment.spec?.paused === true) await dropHistory(work, deployment, sets.oldSets);
}

async function rollOut(work: DeploymentWork, deployment: Deployment, sets: DeploymentSets): Promise<void> {
  if (sets.newSet !== undefined) {
    await rollOutTo(work, deployment, { ...sets, newSet: sets.newSet });
    return;
  }
  const inTheWay = setsInTheWay(deployment, sets.oldSets);
  for (const replicaSet of inTheWay) await scale(work, deployment, { replicaSet, replicas: 0 });
  if (!mustWait(deployment, sets.oldSets)) await createReplicaSet(work, deployment, sets.oldSets);
}

// Recreate scales the old sets down before it creates the new set.
function setsInTheWay(deployment: Deployment, oldSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  return deployment.spec?.strategy?.type === "Recreate" ? oldSets.filter((set) => specReplicas(set) > 0) : [];
}

function mustWait(deployment: Deployment, oldSets: readonly ReplicaSet[]): boolean {
  if (deployment.spec?.strategy?.type !== "Recreate") return false;
  return oldSets.some(
    (set) => specReplicas(set) + (set.status?.replicas ?? 0) + (set.status?.terminatingReplicas ?? 0) > 0,
  );
}

async function rollOutTo(
  work: DeploymentWork,
  deployment: Deployment,
  { newSet, oldSets }: DeploymentSets & { readonly newSet: ReplicaSet },
): Promise<void> {
  const current = await annotate(work, deployment, { newSet, oldSets });
  for (const step of nextScaling(deployment, current, oldSets)) await scale(work, deployment, step);
  await dropHistory(work, deployment, oldSets);
}

async function annotate(
  work: DeploymentWork,
  deployment: Deployment,
  { newSet, oldSets }: { readonly newSet: ReplicaSet; readonly oldSets: readonly ReplicaSet[] },
): Promise<ReplicaSet> {
  const annotations = newSetAnnotations(deployment, newSet, oldSets);
  await noteRevision(work, deployment, annotations[REVISION] ?? "");
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const { minReadySeconds: former = 0, ...spec } = newSet.spec ?? {};
  if (deepEqual(annotations, newSet.metadata.annotations ?? {}) && former === minReadySeconds) return newSet;
  const changed = {
    ...newSet,
    metadata: { ...newSet.metadata, annotations },
    spec: { ...spec, ...(minReadySeconds === 0 ? {} : { minReadySeconds }) },
  };
  const updated: unknown = await work.client.update(replicaSetTarget(newSet), changed as never);
  return updated as ReplicaSet;
}

async function createReplicaSet(
  work: DeploymentWork,
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
): Promise<void> {
  const set = replicaSetOf(deployment, oldSets, work.context.release);
  if (set === undefined) return;
  const { name = "", namespace = "", annotations } = set.metadata;
  try {
    await work.client.create({ ...REPLICA_SETS, namespace, name: "" }, set as never);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await countCollision(work, deployment, set);
    return;
  }
  await noteRevision(work, deployment, annotations?.[REVISION] ?? "");
  const replicas = specReplicas(set);
  if (replicas > 0) await noteScaling(work, deployment, { name, from: 0, to: replicas });
}

// A set of that name which is not the deployment's, or has another template, is avoided by another hash.
async function countCollision(work: DeploymentWork, deployment: Deployment, set: ReplicaSet): Promise<void> {
  const existing = (await work.client.get(replicaSetTarget(set))) as unknown as ReplicaSet;
  const isOwn = controllerOf(existing)?.uid === deployment.metadata.uid;
  if (isOwn && templatesEqual(existing.spec?.template ?? {}, set.spec?.template ?? {})) return;
  const status = { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
  await work.client.update(deploymentTarget(deployment, "status"), { ...deployment, status } as never);
}

function replicaSetOf(
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
  release: ServerContext["release"],
): ReplicaSet | undefined {
  const { template, selector, minReadySeconds = 0 } = deployment.spec ?? {};
  if (template === undefined) return undefined;
  const hash = templateHash(template, release, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH_LABEL]: hash };
  const { name = "", namespace = "" } = deployment.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: { ...newSetAnnotations(deployment, undefined, oldSets) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: initialReplicas(deployment, oldSets),
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [TEMPLATE_HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

async function noteRevision(work: DeploymentWork, deployment: Deployment, revision: string): Promise<void> {
  if (deployment.metadata.annotations?.[REVISION] === revision) return;
  const annotations = { ...deployment.metadata.annotations, [REVISION]: revision };
  const metadata = { ...deployment.metadata, annotations };
  // With the status, since a change of annotations alone is a new generation.
  await work.client.update({ ...deploymentTarget(deployment), subresource: "status" }, {
    ...deployment,
    metadata,
  } as never);
}

async function scale(work: DeploymentWork, deployment: Deployment, { replicaSet, replicas }: ScaleStep): Promise<void> {
  const { name = "", annotations = {} } = replicaSet.metadata;
  const metadata = { ...replicaSet.metadata, annotations: { ...annotations, ...scalingAnnotations(deployment) } };
  const spec = { ...replicaSet.spec, replicas };
  await work.client.update(replicaSetTarget(replicaSet), { ...replicaSet, metadata, spec } as never);
  const from = specReplicas(replicaSet);
  if (from !== replicas) await noteScaling(work, deployment, { name, from, to: replicas });
}

async function noteScaling(
  work: DeploymentWork,
  deployment: Deployment,
  change: { readonly name: string; readonly from: number; readonly to: number },
): Promise<void> {
  const direction = change.to > change.from ? "up" : "down";
  const message = `Scaled ${direction} replica set ${change.name} from ${String(change.from)} to ${String(change.to)}`;
  await work.events.write(deployment, { type: "Normal", reason: "ScalingReplicaSet", message });
}

async function dropHistory(
  work: DeploymentWork,
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
): Promise<void> {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10;
  const finished = oldSets
    .filter((set) => specReplicas(set) === 0 && (set.status?.replicas ?? 0) === 0)
    .toSorted((left, right) => (revisionOf(left) < revisionOf(right) ? -1 : 1));
  for (const set of finished.slice(0, Math.max(0, finished.length - limit)))
    await work.client.delete(replicaSetTarget(set));
}

// Reads everything again: what was written above counts. The sets have the status that this round has seen, and new ones have none: what their controller
// reports meanwhile is progress, which the next round has to notice.
async function writeStatus(
  work: DeploymentWork,
  key: string,
  { isRollout, seen }: { readonly isRollout: boolean; readonly seen: readonly ReplicaSet[] },
): Promise<DeploymentStatus | undefined> {
  const deployment = readStored<Deployment>(work.context, DEPLOYMENTS, splitKey(key));
  if (deployment === undefined) return undefined;
  const statuses = new Map(seen.map(({ metadata, status }) => [metadata.uid, status]));
  const sets = ownedBy<ReplicaSet>(work.context, REPLICA_SETS, deployment).map(({ status: _newer, ...set }) => {
    const status = statuses.get(set.metadata.uid);
    return status === undefined ? set : { ...set, status };
  });
  const { newSet, all } = splitSets(deployment, sets);
  const nowMs = work.context.clock.now();
  const status = deploymentStatus(deployment, { newSet, sets: all, nowMs, isRollout });
  if (!deepEqual(status, deployment.status))
    await work.client.update(deploymentTarget(deployment, "status"), { ...deployment, status } as never);
  return status;
}

function deploymentTarget(deployment: Deployment, subresource?: string): ObjectTarget {
  const { namespace = "", name = "" } = deployment.metadata;
  return { ...DEPLOYMENTS, namespace, name, ...(subresource === undefined ? {} : { subresource }) };
}

function replicaSetTarget(set: ReplicaSet): ObjectTarget {
  const { namespace = "", name = "" } = set.metadata;
  return { ...REPLICA_SETS, namespace, name };
}
