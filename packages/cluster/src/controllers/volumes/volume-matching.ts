import { storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import { compareQuantities } from "@kubescaffold/k8s";
import type { Node, PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";

import { reachesVolume } from "../node-affinity.ts";

/** Reports whether a volume is reserved for a claim, or bound to it. */
export function isBoundTo({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined || reference.name !== metadata.name || reference.namespace !== metadata.namespace)
    return false;
  return (reference.uid ?? "") === "" || reference.uid === metadata.uid;
}

/**
 * Returns the volume that is reserved for a claim, or the smallest available one that satisfies it, of those with the fewest sufficient access modes.
 * Unless it is reserved, no volume suits claims whose binding waits for their first consumer.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  { isDelayed }: { readonly isDelayed: boolean },
): PersistentVolume | undefined {
  const fitting = volumes.filter((volume) => fits(volume, claim) && hasAccessModes(volume, claim));
  const counts = new Set(fitting.map((volume) => modeCount(volume)));
  for (const count of [...counts].toSorted((left, right) => left - right)) {
    const candidates = fitting.filter((volume) => modeCount(volume) === count);
    const reserved = candidates.find((volume) => isBoundTo(volume, claim));
    const found = reserved ?? (isDelayed ? undefined : smallest(candidates.filter((each) => isAvailable(each, claim))));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the volume that is reserved for a claim, or the smallest available one that satisfies it; either must be of its class, and reach a node. */
export function findVolumeOn(
  node: Node,
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const fitting = volumes.filter((volume) => classOf(volume) === classOf(claim) && fits(volume, claim));
  const reserved = fitting.find((volume) => isBoundTo(volume, claim));
  if (reserved !== undefined) return reachesVolume(node, reserved) ? reserved : undefined;
  return smallest(
    fitting.filter(
      (volume) => isAvailable(volume, claim) && hasAccessModes(volume, claim) && reachesVolume(node, volume),
    ),
  );
}

function fits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const isFree = volume.spec?.claimRef === undefined || isBoundTo(volume, claim);
  const isAlive = volume.metadata.deletionTimestamp === undefined;
  return isFree && isAlive && hasRoom(volume, claim) && hasMode(volume, claim) && hasAttributes(volume, claim);
}

function isAvailable(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return volume.status?.phase === "Available" && isSelected(volume, claim) && classOf(volume) === classOf(claim);
}

function modeCount({ spec }: PersistentVolume): number {
  return spec?.accessModes?.length ?? 0;
}

function smallest(volumes: readonly PersistentVolume[]): PersistentVolume | undefined {
  return volumes.toSorted((left, right) => compareQuantities(capacityOf(left), capacityOf(right)))[0];
}

/** Returns why a claim cannot be bound to the volume that it names. */
export function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const name = volume.metadata.name ?? "";
  if (volume.metadata.deletionTimestamp !== undefined)
    return `the volume is marked for deletion ${JSON.stringify(name)}`;
  if (!hasRoom(volume, claim)) return "requested PV is too small";
  if (classOf(volume) !== classOf(claim)) return "storageClassName does not match";
  if (!hasAttributes(volume, claim)) return "volumeAttributesClassName does not match";
  if (!hasMode(volume, claim)) return "incompatible volumeMode";
  return hasAccessModes(volume, claim) ? undefined : "incompatible accessMode";
}

/** Returns the name of the StorageClass of a claim or a volume, which a former annotation precedes. */
export function classOf({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
}

function capacityOf({ spec }: PersistentVolume): string {
  return spec?.capacity?.["storage"] ?? "0";
}

function hasRoom(volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean {
  return compareQuantities(capacityOf(volume), spec?.resources?.requests?.["storage"] ?? "0") >= 0;
}

/** Reports whether a volume and a claim are both block devices, or both file systems. */
export function hasMode(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec?.volumeMode ?? "Filesystem") === (claim.spec?.volumeMode ?? "Filesystem");
}

function hasAttributes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec?.volumeAttributesClassName ?? "") === (claim.spec?.volumeAttributesClassName ?? "");
}

function hasAccessModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}

function isSelected({ metadata }: PersistentVolume, { spec }: PersistentVolumeClaim): boolean {
  return spec?.selector === undefined || storedSelectorMatcher(spec.selector)(metadata.labels);
}
