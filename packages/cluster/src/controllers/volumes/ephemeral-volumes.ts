import {
  claimNames,
  type ControllerIdentity,
  ephemeralClaimName,
  type InProcessController,
  type InternalClient,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { messageOf, objectKey } from "@kubescaffold/k8s";
import type { PersistentVolumeClaim, Pod, Volume } from "@kubescaffold/k8s/core/v1";

import { eventWriter } from "../workload/event-writer.ts";
import { controllerReference, PODS, readStored } from "../workload/workload-objects.ts";
import { foreignClaim } from "./ephemeral-claims.ts";
import { CLAIMS, hasEphemeralVolumes } from "./volume-resources.ts";

/** Creates the claims of the ephemeral volumes of Pods; the garbage collector deletes them with their Pod. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const events = eventWriter(context, self.user, "ephemeral_volume");
  return storeController({
    name: self.name,
    context,
    watches: [PODS, CLAIMS],
    keysOf: (event) => keysOf(context, event),
    initialKeys: () => keysOfPods(podsIn(context)),
    work: async (key) => {
      const pod = readStored<Pod>(context, PODS, splitKey(key));
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      for (const volume of pod.spec?.volumes ?? []) {
        const problem = await provideClaim(context, client, { pod, volume });
        if (problem === undefined) continue;
        const message = `ephemeral volume ${volume.name}: ${problem}`;
        await events.write(pod, { type: "Warning", reason: "FailedBinding", message });
        // Tried again later.
        throw new Error(`pod ${key}, ${message}`);
      }
    },
  });
}

// Volumes of a Pod never change, so that only its creation and the deletion of a claim matter.
function keysOf(context: ServerContext, { groupResource, object, kind }: StoreEvent): readonly string[] {
  if (groupResource.resource === PODS.resource) return kind === "added" ? keysOfPods([object]) : [];
  if (kind !== "deleted") return [];
  const { name = "", namespace } = object.metadata;
  return keysOfPods(podsIn(context, namespace).filter((pod) => claimNames(pod).includes(name)));
}

function keysOfPods(pods: readonly Pod[]): readonly string[] {
  return pods.filter((pod) => hasEphemeralVolumes(pod)).map((pod) => keyOf(objectKey(pod)));
}

function podsIn({ objects }: ServerContext, namespace?: string): readonly Pod[] {
  return objects.list(PODS, namespace);
}

// Returns why a volume has no claim of its pod.
async function provideClaim(
  context: ServerContext,
  client: InternalClient,
  { pod, volume }: { readonly pod: Pod; readonly volume: Volume },
): Promise<string | undefined> {
  if (volume.ephemeral === undefined) return undefined;
  const key = { namespace: pod.metadata.namespace ?? "", name: ephemeralClaimName(pod, volume) };
  const found = readStored<PersistentVolumeClaim>(context, CLAIMS, key);
  if (found !== undefined) return foreignClaim(found, pod);
  const { metadata = {}, spec } = volume.ephemeral.volumeClaimTemplate ?? {};
  const { annotations, labels } = metadata;
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: key.name,
      ownerReferences: [controllerReference(pod)],
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined ? {} : { labels }),
    },
    spec,
  };
  try {
    await client.create({ ...CLAIMS, ...key, name: "" }, claim as never);
    return undefined;
  } catch (error) {
    return `create PVC ${key.name}: ${messageOf(error)}`;
  }
}
