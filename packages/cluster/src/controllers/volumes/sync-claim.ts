import { defaultClass, hasClass } from "@kubescaffold/apiserver/cluster-api";
import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

import { hasEnded } from "../workload/workload-objects.ts";
import { externalProvisioner } from "./external-provisioners.ts";
import { classOf, findVolume, isBoundTo, mismatchOf } from "./volume-matching.ts";
import { BETA_STORAGE_PROVISIONER, SELECTED_NODE, STORAGE_PROVISIONER } from "./volume-resources.ts";
import type { VolumeWork } from "./volume-work.ts";
import { bind, writeClaim, writeClaimStatus } from "./volume-writes.ts";

/** Binds a claim to the volume that it names, or to one that satisfies it, or asks for a new one. */
export async function syncUnboundClaim(work: VolumeWork, claim: PersistentVolumeClaim): Promise<void> {
  const { volumeName = "" } = claim.spec ?? {};
  if (volumeName !== "") await syncNamingClaim(work, claim, volumeName);
  else await syncOpenClaim(work, claim);
}

async function syncNamingClaim(work: VolumeWork, claim: PersistentVolumeClaim, volumeName: string): Promise<void> {
  const { client, report } = work;
  const volume = work.volume(volumeName);
  if (volume === undefined) {
    await writeClaimStatus(client, claim, "Pending");
    return;
  }
  if (volume.spec?.claimRef === undefined) {
    const mismatch = mismatchOf(volume, claim);
    if (mismatch === undefined) {
      await bind(client, volume, claim);
      return;
    }
    const message = `Cannot bind to requested volume ${JSON.stringify(volumeName)}: ${mismatch}`;
    await report(claim, { type: "Warning", reason: "VolumeMismatch", message });
  } else if (isBoundTo(volume, claim)) {
    await bind(client, volume, claim);
    return;
  } else {
    const message = `volume ${JSON.stringify(volumeName)} already bound to a different claim.`;
    await report(claim, { type: "Warning", reason: "FailedBinding", message });
  }
  await writeClaimStatus(client, claim, "Pending");
}

async function syncOpenClaim(work: VolumeWork, claim: PersistentVolumeClaim): Promise<void> {
  const { client, report } = work;
  const storageClass = work.classes().find(({ metadata }) => metadata.name === classOf(claim));
  const isDelayed = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  const volume = findVolume(claim, work.volumes(), { isDelayed });
  if (volume !== undefined) {
    await bind(client, volume, claim);
    return;
  }
  const fallback = hasClass(claim) ? undefined : defaultClass(work.classes());
  if (fallback !== undefined) {
    await writeClaim(client, { ...claim, spec: { ...claim.spec, storageClassName: fallback.metadata.name ?? "" } });
    return;
  }
  // The scheduler requests a volume by the node that it selects.
  if (isDelayed && claim.metadata.annotations?.[SELECTED_NODE] === undefined) await reportWaiting(work, claim);
  else if (classOf(claim) !== "") await requestVolume(work, claim, storageClass);
  else {
    const message = "no persistent volumes available for this claim and no storage class is set";
    await report(claim, { type: "Normal", reason: "FailedBinding", message });
  }
  await writeClaimStatus(client, claim, "Pending");
}

async function reportWaiting({ podsOf, report }: VolumeWork, claim: PersistentVolumeClaim): Promise<void> {
  const pods = podsOf(claim).filter((pod) => (pod.spec?.nodeName ?? "") === "" && !hasEnded(pod));
  if (pods.length === 0) {
    const message = "waiting for first consumer to be created before binding";
    await report(claim, { type: "Normal", reason: "WaitForFirstConsumer", message });
    return;
  }
  const names = pods.map(({ metadata }) => metadata.name ?? "");
  const message = `waiting for ${names.length === 1 ? "pod" : "pods"} ${names.join(",")} to be scheduled`;
  await report(claim, { type: "Normal", reason: "WaitForPodScheduled", message });
}

async function requestVolume(
  { client, report }: VolumeWork,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
): Promise<void> {
  const provisioner = storageClass === undefined ? undefined : externalProvisioner(storageClass);
  if (provisioner === undefined) {
    const message =
      storageClass === undefined
        ? `storageclass.storage.k8s.io ${JSON.stringify(classOf(claim))} not found`
        : `no volume plugin matched name: ${storageClass.provisioner}`;
    await report(claim, { type: "Warning", reason: "ProvisioningFailed", message });
    return;
  }
  const annotations = {
    ...claim.metadata.annotations,
    [BETA_STORAGE_PROVISIONER]: provisioner,
    [STORAGE_PROVISIONER]: provisioner,
  };
  const isRequested = claim.metadata.annotations?.[STORAGE_PROVISIONER] === provisioner;
  if (!isRequested) await writeClaim(client, { ...claim, metadata: { ...claim.metadata, annotations } });
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
  await report(claim, { type: "Normal", reason: "ExternalProvisioning", message });
}

/** Completes the binding of a claim, or marks it as lost. */
export async function syncBoundClaim(work: VolumeWork, claim: PersistentVolumeClaim): Promise<void> {
  const { volumeName = "" } = claim.spec ?? {};
  const volume = work.volume(volumeName);
  const lose = async (reason: string, message: string): Promise<void> => {
    if (claim.status?.phase === "Lost") return;
    await writeClaimStatus(work.client, claim, "Lost");
    await work.report(claim, { type: "Warning", reason, message });
  };
  if (volumeName === "") {
    await lose("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
  } else if (volume === undefined) {
    await lose("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  } else if (volume.spec?.claimRef === undefined || volume.spec.claimRef.uid === claim.metadata.uid) {
    await bind(work.client, volume, claim);
  } else {
    await lose("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
  }
}
