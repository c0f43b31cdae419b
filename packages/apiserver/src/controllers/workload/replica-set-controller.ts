import { isNotFound } from "@kubescaffold/k8s";
import type { ReplicaSet, ReplicaSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import type { InProcessController } from "../../server/in-process-controller.ts";
import type { InternalClient } from "../../server/internal-client.ts";
import type { ServerContext } from "../../server/server-context.ts";
import { controllerUser, type ControllerRule } from "../controller-user.ts";
import { splitStoreKey, storeKey } from "../object-target.ts";
import { storeController } from "../store-controller.ts";
import { eventWriter, type EventWriter } from "./event-writer.ts";
import { specReplicas } from "./rollout.ts";
import {
  controllerOf,
  controllerReference,
  isActive,
  isReady,
  ownedBy,
  PODS,
  readStored,
  REPLICA_SETS,
} from "./workload-objects.ts";

/** The name of the replica set controller's service account. */
export const REPLICA_SET_CONTROLLER = "replicaset-controller";

/** What the replica set controller must be allowed to do. */
export const REPLICA_SET_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["apps"], resources: ["replicasets"], verbs: ["get", "list", "update", "watch"] },
  { apiGroups: ["apps"], resources: ["replicasets/status"], verbs: ["update"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "list", "patch", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];

/** Keeps as many pods as a replica set wants. */
export function replicaSetController(context: ServerContext): InProcessController {
  const user = controllerUser(REPLICA_SET_CONTROLLER);
  const work: ReplicaSetWork = {
    context,
    client: context.clientFor(user),
    events: eventWriter(context, user, REPLICA_SET_CONTROLLER),
  };
  return storeController({
    name: REPLICA_SET_CONTROLLER,
    context,
    watches: [REPLICA_SETS, PODS],
    keysOf: ({ groupResource, object }) => {
      const namespace = object.metadata.namespace ?? "";
      if (groupResource.resource === "replicasets") return [storeKey(namespace, object.metadata.name ?? "")];
      const owner = controllerOf(object);
      return owner?.kind === "ReplicaSet" ? [storeKey(namespace, owner.name)] : [];
    },
    initialKeys: () =>
      context.objects.list(REPLICA_SETS).map(({ metadata }) => storeKey(metadata.namespace ?? "", metadata.name ?? "")),
    work: async (key) => await syncReplicaSet(work, key),
  });
}

interface ReplicaSetWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

async function syncReplicaSet(work: ReplicaSetWork, key: string): Promise<void> {
  const set = readStored<ReplicaSet>(work.context, REPLICA_SETS, splitStoreKey(key));
  if (set === undefined) return;
  const pods = ownedBy<Pod>(work.context, PODS, set).filter((pod) => isActive(pod));
  if (set.metadata.deletionTimestamp === undefined) await adjust(work, set, pods);
  await writeStatus(work, set);
}

async function adjust(work: ReplicaSetWork, set: ReplicaSet, pods: readonly Pod[]): Promise<void> {
  const missing = specReplicas(set) - pods.length;
  for (let index = 0; index < missing; index += 1) await createPod(work, set);
  for (const pod of deletionOrder(pods).slice(0, Math.max(0, -missing))) await deletePod(work, set, pod);
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
      ownerReferences: [controllerReference(set)],
    },
    spec: template?.spec,
  } as never);
  await work.events.write(set, "SuccessfulCreate", `Created pod: ${pod.metadata.name ?? ""}`);
}

async function deletePod(work: ReplicaSetWork, set: ReplicaSet, pod: Pod): Promise<void> {
  const { namespace = "", name = "" } = pod.metadata;
  try {
    await work.client.delete({ ...PODS, namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return;
  }
  await work.events.write(set, "SuccessfulDelete", `Deleted pod: ${name}`);
}

// Those that serve nobody go first, then the youngest.
function deletionOrder(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted((left, right) => {
    if (isReady(left) !== isReady(right)) return isReady(left) ? 1 : -1;
    return (right.metadata.creationTimestamp ?? "").localeCompare(left.metadata.creationTimestamp ?? "");
  });
}

async function writeStatus(work: ReplicaSetWork, set: ReplicaSet): Promise<void> {
  const pods = ownedBy<Pod>(work.context, PODS, set).filter((pod) => isActive(pod));
  const ready = pods.filter((pod) => isReady(pod)).length;
  const status: ReplicaSetStatus = {
    replicas: pods.length,
    ...(pods.length > 0 ? { fullyLabeledReplicas: pods.length } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    observedGeneration: set.metadata.generation ?? 0,
  };
  if (JSON.stringify(status) === JSON.stringify(set.status)) return;
  const { namespace = "", name = "" } = set.metadata;
  await work.client.update({ ...REPLICA_SETS, namespace, name, subresource: "status" }, { ...set, status } as never);
}
