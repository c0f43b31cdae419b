import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

import { claimNames } from "../../resources/pod-references.ts";
import { reachesVolume } from "../node-affinity.ts";
import { classOf, findVolume } from "../volumes/volume-matching.ts";
import { BIND_COMPLETED, NO_PROVISIONER } from "../volumes/volume-policies.ts";
import type { NodeWithPods } from "./cluster-nodes.ts";
import type { FilterResult } from "./filter-result.ts";

/** Reads the volumes of a cluster. */
export interface VolumeLookups {
  /** Returns a claim in the namespace of the pod. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly volumes: () => readonly PersistentVolume[];
  readonly storageClass: (name: string) => StorageClass | undefined;
}

const WRONG_NODE = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const LOST = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

/** Creates the check whether the volumes of a pod are available on a node; undefined for a pod without claims. */
export function volumeFilter(pod: Pod, lookups: VolumeLookups): ((node: NodeWithPods) => FilterResult) | undefined {
  const claims = claimNames(pod)
    .map((name) => lookups.claim(name))
    .filter((claim) => claim !== undefined);
  if (claims.length === 0) return undefined;
  const bound = claims.filter((claim) => isBound(claim)).map(({ spec }) => lookups.volume(spec?.volumeName ?? ""));
  const waiting = claims.filter((claim) => !isBound(claim) && waitsForConsumer(claim, lookups));
  const volumes = waiting.length === 0 ? [] : lookups.volumes();
  return ({ node }) => {
    if (bound.includes(undefined)) return { reasons: [LOST], isFinal: true };
    const isReached = bound.every((volume) => volume === undefined || reachesVolume(node, volume));
    const isProvided = hasVolumes(node, waiting, { volumes, lookups });
    const reasons = [...(isReached ? [] : [WRONG_NODE]), ...(isProvided ? [] : [NO_VOLUME])];
    return reasons.length === 0 ? undefined : { reasons, isFinal: true };
  };
}

/** Reports whether a pod has a claim that is to be bound before the pod runs; one whose StorageClass does not exist, or that has none, is such a claim. */
export function waitsForBinding(pod: Pod, lookups: VolumeLookups): boolean {
  return claimNames(pod).some((name) => {
    const claim = lookups.claim(name);
    return claim !== undefined && !isBound(claim) && !waitsForConsumer(claim, lookups);
  });
}

function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec?.volumeName ?? "") !== "" && metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

function waitsForConsumer(claim: PersistentVolumeClaim, { storageClass }: VolumeLookups): boolean {
  return storageClass(classOf(claim))?.volumeBindingMode === "WaitForFirstConsumer";
}

// Each claim gets its own volume of an administrator, or a new one.
function hasVolumes(
  node: Node,
  claims: readonly PersistentVolumeClaim[],
  { volumes, lookups }: { readonly volumes: readonly PersistentVolume[]; readonly lookups: VolumeLookups },
): boolean {
  let free = volumes.filter((volume) => reachesVolume(node, volume));
  return claims.every((claim) => {
    const found = findVolume(claim, free, { isDelayed: false, checksAccessModes: true });
    free = free.filter((volume) => volume !== found);
    const storageClass = lookups.storageClass(classOf(claim));
    return found !== undefined || (storageClass !== undefined && isProvisionedOn(node, storageClass));
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
