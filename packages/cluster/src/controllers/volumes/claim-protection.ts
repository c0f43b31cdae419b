import {
  claimNames,
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { objectKey } from "@kubescaffold/k8s";
import type { PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";

import { controllerOf, PERSISTENT_VOLUME_CLAIMS, PODS, readStored } from "../workload/workload-objects.ts";

/** Keeps a claim until no pod uses it. */
const CLAIM_FINALIZER = "kubernetes.io/pvc-protection";

/** Lets deleted claims go that no pod on a node uses. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [PERSISTENT_VOLUME_CLAIMS, PODS],
    keysOf: ({ groupResource, object }) =>
      groupResource.resource === "pods" ? keysOfPod(object) : [keyOf(objectKey(object))],
    initialKeys: () => context.objects.list(PERSISTENT_VOLUME_CLAIMS).map((object) => keyOf(objectKey(object))),
    work: async (key) => await releaseUnused(context, client, key),
  });
}

function keysOfPod(pod: Pod): readonly string[] {
  const namespace = pod.metadata.namespace ?? "";
  return claimNames(pod).map((name) => keyOf({ namespace, name }));
}

async function releaseUnused(context: ServerContext, client: InternalClient, key: string): Promise<void> {
  const claim = readStored<PersistentVolumeClaim>(context, PERSISTENT_VOLUME_CLAIMS, splitKey(key));
  const finalizers = claim?.metadata.finalizers ?? [];
  if (claim?.metadata.deletionTimestamp === undefined || !finalizers.includes(CLAIM_FINALIZER)) return;
  const pods = context.objects.list(PODS, claim.metadata.namespace) as unknown as readonly Pod[];
  if (pods.some((pod) => isUsedBy(pod, claim))) return;
  const metadata = { ...claim.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== CLAIM_FINALIZER) };
  await client.update({ ...PERSISTENT_VOLUME_CLAIMS, ...objectKey(claim) }, { ...claim, metadata } as never);
}

// Pods without a node have not started, and cannot while the claim is being deleted.
function isUsedBy(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const name = claim.metadata.name ?? "";
  if ((pod.spec?.nodeName ?? "") === "" || !claimNames(pod).includes(name)) return false;
  const isNamed = (pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.claimName === name);
  return isNamed || (!hasStopped(pod) && controllerOf(claim)?.uid === pod.metadata.uid);
}

function hasStopped({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
