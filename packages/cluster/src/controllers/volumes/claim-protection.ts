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
import { objectKey, toTime } from "@kubescaffold/k8s";
import type { PersistentVolumeClaim, PersistentVolumeClaimCondition, Pod } from "@kubescaffold/k8s/core/v1";

import { controllerOf, hasEnded, PERSISTENT_VOLUME_CLAIMS, PODS, readStored } from "../workload/workload-objects.ts";

/** Keeps a claim until no pod uses it. */
const CLAIM_FINALIZER = "kubernetes.io/pvc-protection";

const UNUSED = "Unused";

/** Lets deleted claims go that no pod on a node uses, and states which bound claims no pod uses. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [PERSISTENT_VOLUME_CLAIMS, PODS],
    keysOf: ({ groupResource, object }) =>
      groupResource.resource === "pods" ? keysOfPod(object) : [keyOf(objectKey(object))],
    initialKeys: () => context.objects.list(PERSISTENT_VOLUME_CLAIMS).map((object) => keyOf(objectKey(object))),
    work: async (key) => {
      if (context.release.isEnabled("PersistentVolumeClaimUnusedSinceTime")) await noteUse(context, client, key);
      await releaseUnused(context, client, key);
    },
  });
}

function keysOfPod(pod: Pod): readonly string[] {
  const namespace = pod.metadata.namespace ?? "";
  return claimNames(pod).map((name) => keyOf({ namespace, name }));
}

// Claims that are not bound yet are left to the binder of volumes.
async function noteUse(context: ServerContext, client: InternalClient, key: string): Promise<void> {
  const claim = readStored<PersistentVolumeClaim>(context, PERSISTENT_VOLUME_CLAIMS, splitKey(key));
  if (claim?.metadata.deletionTimestamp !== undefined || claim?.status?.phase !== "Bound") return;
  const isUsed = podsBeside(context, claim).some((pod) => isNamedBy(pod, claim) && !hasEnded(pod));
  const conditions = claim.status.conditions ?? [];
  const former = conditions.find(({ type }) => type === UNUSED);
  if (former !== undefined && (former.status === "True") === !isUsed) return;
  const condition: PersistentVolumeClaimCondition = {
    type: UNUSED,
    status: isUsed ? "False" : "True",
    lastTransitionTime: toTime(context.clock.now()),
    reason: isUsed ? "PodUsingPVC" : "NoPodsUsingPVC",
    message: isUsed ? "A pod is currently referencing this PVC" : "No pods are currently referencing this PVC",
  };
  const changed =
    former === undefined
      ? [...conditions, condition]
      : conditions.map((each) => (each.type === UNUSED ? condition : each));
  const target = { ...PERSISTENT_VOLUME_CLAIMS, ...objectKey(claim), subresource: "status" };
  await client.update(target, { ...claim, status: { ...claim.status, conditions: changed } } as never);
}

function podsBeside({ objects }: ServerContext, claim: PersistentVolumeClaim): readonly Pod[] {
  return objects.list(PODS, claim.metadata.namespace);
}

async function releaseUnused(context: ServerContext, client: InternalClient, key: string): Promise<void> {
  const claim = readStored<PersistentVolumeClaim>(context, PERSISTENT_VOLUME_CLAIMS, splitKey(key));
  const finalizers = claim?.metadata.finalizers ?? [];
  if (claim?.metadata.deletionTimestamp === undefined || !finalizers.includes(CLAIM_FINALIZER)) return;
  if (podsBeside(context, claim).some((pod) => isUsedBy(pod, claim))) return;
  const metadata = { ...claim.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== CLAIM_FINALIZER) };
  await client.update({ ...PERSISTENT_VOLUME_CLAIMS, ...objectKey(claim) }, { ...claim, metadata } as never);
}

// Pods without a node have not started, and cannot while the claim is being deleted.
function isUsedBy(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if ((pod.spec?.nodeName ?? "") === "") return false;
  return isMountedBy(pod, claim) || (!hasStopped(pod) && isMadeFor(pod, claim));
}

function isNamedBy(pod: Pod, claim: PersistentVolumeClaim): boolean {
  return isMountedBy(pod, claim) || isMadeFor(pod, claim);
}

function isMountedBy({ spec }: Pod, claim: PersistentVolumeClaim): boolean {
  return (spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.claimName === claim.metadata.name);
}

function isMadeFor(pod: Pod, claim: PersistentVolumeClaim): boolean {
  return claimNames(pod).includes(claim.metadata.name ?? "") && controllerOf(claim)?.uid === pod.metadata.uid;
}

function hasStopped({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
