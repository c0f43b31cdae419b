import { claimNames, ephemeralClaimName, requestedSize } from "@kubescaffold/apiserver/cluster-api";
import { compareQuantities, matchesLabelSelector } from "@kubescaffold/k8s";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import type { CSIDriver, CSIStorageCapacity, StorageClass } from "@kubescaffold/k8s/storage/v1";

import { reachesVolume } from "../controllers/node-affinity.ts";
import { foreignClaim } from "../controllers/volumes/ephemeral-claims.ts";
import { classOf, findVolumeOn } from "../controllers/volumes/volume-matching.ts";
import { BIND_COMPLETED, NO_PROVISIONER, SELECTED_NODE } from "../controllers/volumes/volume-resources.ts";

/** Reads the volumes of a cluster. */
export interface VolumeLookups {
  /** Returns a claim in the namespace of the pod. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly volumes: () => readonly PersistentVolume[];
  readonly storageClass: (name: string) => StorageClass | undefined;
  readonly storageDriver: (name: string) => CSIDriver | undefined;
  readonly storageCapacities: () => readonly CSIStorageCapacity[];
}

/** A claim and the volume that it gets. */
interface VolumeBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

/** The claims of a pod that are to be bound before it runs on a node. */
export interface VolumePlan {
  /** The claims that get an existing volume. */
  readonly bindings: readonly VolumeBinding[];
  /** The claims that get a new volume. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** The volumes of a pod on a node, or why they are not available there. */
export type NodeVolumes = VolumePlan | { readonly reasons: readonly string[] };

const WRONG_NODE = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = "node(s) did not have enough free storage";
const LOST = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
const NO_PLAN: VolumePlan = { bindings: [], provisions: [] };

/** Returns why no node can run a pod: a claim that it lacks, that is not its own, or that is to be bound first. */
export function claimBlocker(pod: Pod, lookups: VolumeLookups): string | undefined {
  for (const volume of pod.spec?.volumes ?? []) {
    const isEphemeral = volume.ephemeral !== undefined;
    const name = isEphemeral ? ephemeralClaimName(pod, volume) : volume.persistentVolumeClaim?.claimName;
    if (name === undefined) continue;
    const claim = lookups.claim(name);
    const quoted = `persistentvolumeclaim ${JSON.stringify(name)}`;
    if (claim === undefined)
      return isEphemeral ? `waiting for ephemeral volume controller to create the ${quoted}` : `${quoted} not found`;
    if (claim.status?.phase === "Lost")
      return `${quoted} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName ?? "")}`;
    if (claim.metadata.deletionTimestamp !== undefined) return `${quoted} is being deleted`;
    const foreign = isEphemeral ? foreignClaim(claim, pod) : undefined;
    if (foreign !== undefined) return foreign;
  }
  const isBlocked = claimsOf(pod, lookups).some((claim) => !isBound(claim) && !waitsForConsumer(claim, lookups));
  return isBlocked ? "pod has unbound immediate PersistentVolumeClaims" : undefined;
}

/** Creates what finds the volumes of a pod on a node. */
export function volumesOnNodes(pod: Pod, lookups: VolumeLookups): (node: Node) => NodeVolumes {
  const claims = claimsOf(pod, lookups);
  if (claims.length === 0) return () => NO_PLAN;
  const bound = claims.filter((claim) => isBound(claim)).map(({ spec }) => lookups.volume(spec?.volumeName ?? ""));
  const waiting = claims
    .filter((claim) => !isBound(claim) && waitsForConsumer(claim, lookups))
    .toSorted((left, right) => compareQuantities(requestedSize(left), requestedSize(right)));
  const volumes = waiting.length === 0 ? [] : lookups.volumes();
  return (node) => {
    // The first volume that is missing or elsewhere decides.
    const unsuitable = bound.findIndex((volume) => volume === undefined || !reachesVolume(node, volume));
    const isMissing = unsuitable !== -1 && bound[unsuitable] === undefined;
    const plan = waiting.length === 0 ? NO_PLAN : planFor(node, waiting, { volumes, lookups });
    const reasons = [
      ...(unsuitable === -1 || isMissing ? [] : [WRONG_NODE]),
      ...(typeof plan === "string" ? [plan] : []),
      ...(isMissing ? [LOST] : []),
    ];
    return typeof plan === "string" || reasons.length > 0 ? { reasons } : plan;
  };
}

/** Reports whether a claim is bound for good. */
export function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec?.volumeName ?? "") !== "" && metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

function claimsOf(pod: Pod, lookups: VolumeLookups): readonly PersistentVolumeClaim[] {
  return claimNames(pod)
    .map((name) => lookups.claim(name))
    .filter((claim) => claim !== undefined);
}

// Claims that name a volume are bound to it regardless of pods.
function waitsForConsumer(claim: PersistentVolumeClaim, { storageClass }: VolumeLookups): boolean {
  const isOpen = (claim.spec?.volumeName ?? "") === "";
  return isOpen && storageClass(classOf(claim))?.volumeBindingMode === "WaitForFirstConsumer";
}

// Each claim gets its own volume of an administrator, or a new one on the node that was selected for it. Returns why one cannot.
function planFor(
  node: Node,
  claims: readonly PersistentVolumeClaim[],
  { volumes, lookups }: { readonly volumes: readonly PersistentVolume[]; readonly lookups: VolumeLookups },
): VolumePlan | typeof NO_VOLUME | typeof NO_SPACE {
  const bindings: VolumeBinding[] = [];
  const provisions: PersistentVolumeClaim[] = [];
  for (const claim of claims) {
    const selected = claim.metadata.annotations?.[SELECTED_NODE];
    if (selected !== undefined && selected !== node.metadata.name) return NO_VOLUME;
    const free = volumes.filter((each) => !bindings.some(({ volume }) => volume === each));
    const volume = selected === undefined ? findVolumeOn(node, claim, free) : undefined;
    if (volume !== undefined) bindings.push({ claim, volume });
    else provisions.push(claim);
  }
  for (const claim of provisions) {
    const storageClass = lookups.storageClass(classOf(claim));
    if (storageClass === undefined || !isProvisionedOn(node, storageClass)) return NO_VOLUME;
    if (!hasSpace(node, claim, { storageClass, lookups })) return NO_SPACE;
  }
  return { bindings, provisions };
}

// Only drivers that publish capacities are checked.
function hasSpace(
  { metadata }: Node,
  claim: PersistentVolumeClaim,
  { storageClass, lookups }: { readonly storageClass: StorageClass; readonly lookups: VolumeLookups },
): boolean {
  if (lookups.storageDriver(storageClass.provisioner)?.spec.storageCapacity !== true) return true;
  return lookups.storageCapacities().some(({ storageClassName, nodeTopology, capacity, maximumVolumeSize }) => {
    const largest = maximumVolumeSize ?? capacity;
    return (
      storageClassName === storageClass.metadata.name &&
      largest !== undefined &&
      compareQuantities(largest, requestedSize(claim)) >= 0 &&
      nodeTopology !== undefined &&
      matchesLabelSelector(nodeTopology, metadata.labels)
    );
  });
}

function isProvisionedOn({ metadata }: Node, { provisioner, allowedTopologies = [] }: StorageClass): boolean {
  if (provisioner === NO_PROVISIONER) return false;
  const labels = metadata.labels ?? {};
  return (
    allowedTopologies.length === 0 ||
    allowedTopologies.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? "")),
    )
  );
}
