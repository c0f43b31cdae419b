import type { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";

import type { InProcessController } from "../../server/in-process-controller.ts";
import type { InternalClient } from "../../server/internal-client.ts";
import type { ServerContext } from "../../server/server-context.ts";
import { controllerUser, type ControllerRule } from "../controller-user.ts";
import { splitStoreKey, storeKey } from "../object-target.ts";
import { storeController } from "../store-controller.ts";
import { deploymentStatus } from "./deployment-status.ts";
import { eventWriter, type EventWriter } from "./event-writer.ts";
import { initialReplicas, nextScaling, specReplicas, type ScaleStep } from "./rollout.ts";
import { TEMPLATE_HASH_LABEL, templateHash, templatesEqual } from "./template-hash.ts";
import {
  controllerOf,
  controllerReference,
  DEPLOYMENTS,
  ownedBy,
  readStored,
  REPLICA_SETS,
} from "./workload-objects.ts";

/** The name of the deployment controller's service account. */
export const DEPLOYMENT_CONTROLLER = "deployment-controller";

/** What the deployment controller must be allowed to do. */
export const DEPLOYMENT_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "update", "watch"] },
  { apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["update"] },
  {
    apiGroups: ["apps"],
    resources: ["replicasets"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

const REVISION = "deployment.kubernetes.io/revision";

/** Makes replica sets of deployments, rolls changed templates out and reports how far it got. */
export function deploymentController(context: ServerContext): InProcessController {
  const user = controllerUser(DEPLOYMENT_CONTROLLER);
  const work: DeploymentWork = {
    context,
    client: context.clientFor(user),
    events: eventWriter(context, user, DEPLOYMENT_CONTROLLER),
  };
  return storeController({
    name: DEPLOYMENT_CONTROLLER,
    context,
    watches: [DEPLOYMENTS, REPLICA_SETS],
    keysOf: ({ groupResource, object }) => {
      const namespace = object.metadata.namespace ?? "";
      if (groupResource.resource === "deployments") return [storeKey(namespace, object.metadata.name ?? "")];
      const owner = controllerOf(object);
      return owner?.kind === "Deployment" ? [storeKey(namespace, owner.name)] : [];
    },
    initialKeys: () =>
      context.objects.list(DEPLOYMENTS).map(({ metadata }) => storeKey(metadata.namespace ?? "", metadata.name ?? "")),
    work: async (key) => await syncDeployment(work, key),
  });
}

interface DeploymentWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

async function syncDeployment(work: DeploymentWork, key: string): Promise<void> {
  const deployment = readStored<Deployment>(work.context, DEPLOYMENTS, splitStoreKey(key));
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
  const sets = ownedBy<ReplicaSet>(work.context, REPLICA_SETS, deployment);
  const newSet = sets.find((set) => isOfTemplate(deployment, set));
  const oldSets = sets.filter((set) => set !== newSet);
  if (deployment.spec?.paused !== true) {
    if (newSet === undefined) {
      await createReplicaSet(work, deployment, oldSets);
      return;
    }
    await rollOut(work, { deployment, newSet, oldSets });
    await dropHistory(work, deployment, oldSets);
  }
  await writeStatus(work, deployment, { newSet, sets });
}

function isOfTemplate(deployment: Deployment, set: ReplicaSet): boolean {
  const [wanted, actual] = [deployment.spec?.template, set.spec?.template];
  return wanted !== undefined && actual !== undefined && templatesEqual(wanted, actual);
}

async function createReplicaSet(
  work: DeploymentWork,
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
): Promise<void> {
  const template = deployment.spec?.template;
  if (template === undefined) return;
  const hash = templateHash(template);
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH_LABEL]: hash };
  const namespace = deployment.metadata.namespace ?? "";
  const name = `${deployment.metadata.name ?? ""}-${hash}`;
  const replicas = initialReplicas(deployment, oldSets);
  const revision = String(Math.max(0, ...oldSets.map((set) => revisionOf(set))) + 1);
  await work.client.create({ ...REPLICA_SETS, namespace, name: "" }, {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name,
      namespace,
      labels,
      annotations: {
        [REVISION]: revision,
        "deployment.kubernetes.io/desired-replicas": String(deployment.spec?.replicas ?? 1),
        "deployment.kubernetes.io/max-replicas": String(maximalReplicas(deployment)),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      minReadySeconds: deployment.spec?.minReadySeconds ?? 0,
      selector: {
        ...deployment.spec?.selector,
        matchLabels: { ...deployment.spec?.selector.matchLabels, [TEMPLATE_HASH_LABEL]: hash },
      },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  } as never);
  await noteRevision(work, deployment, revision);
  if (replicas > 0) await noteScaling(work, deployment, { name, from: 0, to: replicas });
}

function maximalReplicas(deployment: Deployment): number {
  const desired = deployment.spec?.replicas ?? 1;
  return desired + Math.ceil(desired * 0.25);
}

function revisionOf(set: ReplicaSet): number {
  return Number.parseInt(set.metadata.annotations?.[REVISION] ?? "0", 10);
}

async function noteRevision(work: DeploymentWork, deployment: Deployment, revision: string): Promise<void> {
  if (deployment.metadata.annotations?.[REVISION] === revision) return;
  const annotations = { ...deployment.metadata.annotations, [REVISION]: revision };
  const metadata = { ...deployment.metadata, annotations };
  await work.client.update(deploymentTarget(deployment), { ...deployment, metadata } as never);
}

interface Rollout {
  readonly deployment: Deployment;
  readonly newSet: ReplicaSet;
  readonly oldSets: readonly ReplicaSet[];
}

async function rollOut(work: DeploymentWork, { deployment, newSet, oldSets }: Rollout): Promise<void> {
  for (const step of nextScaling(deployment, newSet, oldSets)) await scale(work, deployment, step);
}

async function scale(work: DeploymentWork, deployment: Deployment, { replicaSet, replicas }: ScaleStep): Promise<void> {
  const { namespace = "", name = "" } = replicaSet.metadata;
  const spec = { ...replicaSet.spec, replicas };
  await work.client.update({ ...REPLICA_SETS, namespace, name }, { ...replicaSet, spec } as never);
  await noteScaling(work, deployment, { name, from: specReplicas(replicaSet), to: replicas });
}

async function noteScaling(
  work: DeploymentWork,
  deployment: Deployment,
  change: { readonly name: string; readonly from: number; readonly to: number },
): Promise<void> {
  const direction = change.to > change.from ? "up" : "down";
  const message = `Scaled ${direction} replica set ${change.name} from ${String(change.from)} to ${String(change.to)}`;
  await work.events.write(deployment, "ScalingReplicaSet", message);
}

async function dropHistory(
  work: DeploymentWork,
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
): Promise<void> {
  const limit = deployment.spec?.revisionHistoryLimit ?? 10;
  const finished = oldSets
    .filter((set) => specReplicas(set) === 0 && (set.status?.replicas ?? 0) === 0)
    .toSorted((left, right) => revisionOf(left) - revisionOf(right));
  for (const set of finished.slice(0, Math.max(0, finished.length - limit))) {
    const { namespace = "", name = "" } = set.metadata;
    await work.client.delete({ ...REPLICA_SETS, namespace, name });
  }
}

async function writeStatus(
  work: DeploymentWork,
  deployment: Deployment,
  sets: { readonly newSet: ReplicaSet | undefined; readonly sets: readonly ReplicaSet[] },
): Promise<void> {
  const status = deploymentStatus(deployment, { ...sets, nowMs: work.context.clock.now() });
  if (JSON.stringify(status) === JSON.stringify(deployment.status)) return;
  await work.client.update(deploymentTarget(deployment, "status"), { ...deployment, status } as never);
}

function deploymentTarget(deployment: Deployment, subresource?: string): Parameters<InternalClient["update"]>[0] {
  const { namespace = "", name = "" } = deployment.metadata;
  return { ...DEPLOYMENTS, namespace, name, ...(subresource === undefined ? {} : { subresource }) };
}
