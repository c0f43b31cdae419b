import type { InternalClient } from "@kubescaffold/apiserver/cluster-api";
import { objectKey } from "@kubescaffold/k8s";
import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { isBoundTo } from "./volume-matching.ts";
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, CLAIMS, PERSISTENT_VOLUMES } from "./volume-resources.ts";

/** Binds a volume and a claim to each other, in the order of writes of kube-controller-manager. */
export async function bind(
  client: InternalClient,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<void> {
  const reserved = await reserve(client, volume, claim);
  await writeVolumePhase(client, reserved, "Bound");
  await writeClaimStatus(client, await attach(client, claim, reserved), "Bound", reserved);
}

/** Reserves a volume for a claim, whose binding the binder completes. */
export async function reserve(
  client: InternalClient,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<PersistentVolume> {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = claim.metadata;
  const isReserved = isBoundTo(volume, claim);
  const isMarked = volume.metadata.annotations?.[BOUND_BY_CONTROLLER] !== undefined;
  if (isReserved && volume.spec?.claimRef?.uid === uid) return volume;
  const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace, name, uid, resourceVersion };
  const annotations = {
    ...volume.metadata.annotations,
    ...(isReserved || isMarked ? {} : { [BOUND_BY_CONTROLLER]: "yes" }),
  };
  return await writeVolume(client, {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    spec: { ...volume.spec, claimRef },
  });
}

async function attach(
  client: InternalClient,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): Promise<PersistentVolumeClaim> {
  const volumeName = volume.metadata.name ?? "";
  const former = claim.metadata.annotations ?? {};
  const isNamed = claim.spec?.volumeName === volumeName;
  if (isNamed && former[BIND_COMPLETED] !== undefined) return claim;
  const annotations = { [BIND_COMPLETED]: "yes", ...(isNamed ? {} : { [BOUND_BY_CONTROLLER]: "yes" }), ...former };
  return await writeClaim(client, {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...claim.spec, volumeName },
  });
}

/** Frees a volume whose claim is bound elsewhere; one that a user reserved stays reserved. */
export async function unbind(client: InternalClient, volume: PersistentVolume): Promise<void> {
  const { [BOUND_BY_CONTROLLER]: mark, ...annotations } = volume.metadata.annotations ?? {};
  const { claimRef, ...spec } = volume.spec ?? {};
  const { uid: _uid, ...reference } = claimRef ?? {};
  const freed = {
    ...volume,
    metadata: { ...volume.metadata, annotations },
    spec: mark === undefined ? { ...spec, claimRef: reference } : spec,
  };
  await writeVolumePhase(client, await writeVolume(client, freed), "Available");
}

/** Writes the metadata and the spec of a claim. */
export async function writeClaim(client: InternalClient, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
  const written: unknown = await client.update({ ...CLAIMS, ...objectKey(claim) }, claim as never);
  return written as PersistentVolumeClaim;
}

/** Writes the phase of a claim, with what its volume has. */
export async function writeClaimStatus(
  client: InternalClient,
  claim: PersistentVolumeClaim,
  phase: "Bound" | "Pending" | "Lost",
  volume?: PersistentVolume,
): Promise<void> {
  const { accessModes: _modes, capacity, currentVolumeAttributesClassName: _class, ...others } = claim.status ?? {};
  const { spec = {} } = volume ?? {};
  const isNew = claim.status?.phase !== phase;
  const own = {
    ...(spec.accessModes === undefined ? {} : { accessModes: spec.accessModes }),
    ...(isNew
      ? spec.capacity === undefined
        ? {}
        : { capacity: spec.capacity }
      : capacity === undefined
        ? {}
        : { capacity }),
    ...(spec.volumeAttributesClassName === undefined
      ? {}
      : { currentVolumeAttributesClassName: spec.volumeAttributesClassName }),
  };
  const status = { ...others, ...(volume === undefined ? {} : own), phase };
  if (deepEqual(status, claim.status)) return;
  await client.update({ ...CLAIMS, ...objectKey(claim), subresource: "status" }, { ...claim, status } as never);
}

/** Writes the phase of a volume. */
export async function writeVolumePhase(
  client: InternalClient,
  volume: PersistentVolume,
  phase: "Available" | "Bound" | "Released" | "Failed",
  message = "",
): Promise<PersistentVolume> {
  if (volume.status?.phase === phase) return volume;
  const { message: _message, ...others } = volume.status ?? {};
  const status = { ...others, phase, ...(message === "" ? {} : { message }) };
  const target = { ...volumeTarget(volume), subresource: "status" };
  const written: unknown = await client.update(target, { ...volume, status } as never);
  return written as PersistentVolume;
}

async function writeVolume(client: InternalClient, volume: PersistentVolume): Promise<PersistentVolume> {
  const written: unknown = await client.update(volumeTarget(volume), volume as never);
  return written as PersistentVolume;
}

/** Returns how to reach a volume. */
export function volumeTarget({
  metadata,
}: PersistentVolume): typeof PERSISTENT_VOLUMES & { namespace: ""; name: string } {
  return { ...PERSISTENT_VOLUMES, namespace: "", name: metadata.name ?? "" };
}
