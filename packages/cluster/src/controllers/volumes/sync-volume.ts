import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";

import { hasMode } from "./volume-matching.ts";
import { PROVISIONED_BY } from "./volume-resources.ts";
import type { VolumeWork } from "./volume-work.ts";
import { unbind, writeVolumePhase } from "./volume-writes.ts";

/** Writes the phase of a volume, and releases it when its claim is gone. */
export async function syncVolume(work: VolumeWork, volume: PersistentVolume): Promise<void> {
  const { claimRef } = volume.spec ?? {};
  if ((claimRef?.uid ?? "") === "") {
    await writeVolumePhase(work.client, volume, "Available");
    return;
  }
  const found = work.claim({ namespace: claimRef?.namespace ?? "", name: claimRef?.name ?? "" });
  const claim = found?.metadata.uid === claimRef?.uid ? found : undefined;
  if (claim === undefined) await release(work, volume);
  else await syncClaimedVolume(work, volume, claim);
}

async function syncClaimedVolume(
  work: VolumeWork,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<void> {
  const { volumeName = "" } = claim.spec ?? {};
  if (volumeName === "") {
    // The binding is completed when the claim is reconciled.
    if (!hasMode(volume, claim)) await reportModes(work, volume, claim);
    return;
  }
  if (volumeName === volume.metadata.name) {
    await writeVolumePhase(work.client, volume, "Bound");
    return;
  }
  const isProvisioned = volume.metadata.annotations?.[PROVISIONED_BY] !== undefined;
  if (isProvisioned && volume.spec?.persistentVolumeReclaimPolicy === "Delete") await release(work, volume);
  else await unbind(work.client, volume);
}

async function reportModes(
  { report }: VolumeWork,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<void> {
  const [own, other] = [JSON.stringify(claim.metadata.name), JSON.stringify(volume.metadata.name)];
  const event = { type: "Warning", reason: "VolumeMismatch" } as const;
  const ofVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${own} due to incompatible volumeMode.`;
  const ofClaim = `Cannot bind PersistentVolume ${other} to requested PersistentVolumeClaim due to incompatible volumeMode.`;
  await report(volume, { ...event, message: ofVolume });
  await report(claim, { ...event, message: ofClaim });
}

async function release({ client, report }: VolumeWork, volume: PersistentVolume): Promise<void> {
  const isOver = volume.status?.phase === "Released" || volume.status?.phase === "Failed";
  const released = isOver ? volume : await writeVolumePhase(client, volume, "Released");
  const { persistentVolumeReclaimPolicy: policy, csi } = volume.spec ?? {};
  // The provisioner deletes its volumes, and those of storage drivers.
  const isForeign = volume.metadata.annotations?.[PROVISIONED_BY] !== undefined || csi !== undefined;
  if (policy !== "Delete" || isForeign || released.status?.phase === "Failed") return;
  const message = `error getting deleter volume plugin for volume ${JSON.stringify(volume.metadata.name)}: no volume plugin matched`;
  await writeVolumePhase(client, released, "Failed", message);
  await report(volume, { type: "Warning", reason: "VolumeFailedDelete", message });
}
