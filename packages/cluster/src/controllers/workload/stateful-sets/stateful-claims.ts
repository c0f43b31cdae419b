import type { StatefulSet } from "@kubescaffold/k8s/apps/v1";
import type { PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";

import { controllerReference } from "../workload-objects.ts";
import { claimName, isInRange, ordinalOf } from "./stateful-pods.ts";

/** Returns the claims of a pod, as they are created. */
export function claimsOf(set: StatefulSet, pod: Pod): readonly PersistentVolumeClaim[] {
  const { selector, volumeClaimTemplates = [] } = set.spec ?? {};
  return volumeClaimTemplates.map((template) => ({
    ...template,
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinalOf(pod)),
      namespace: set.metadata.namespace ?? "",
      labels: { ...template.metadata.labels, ...selector?.matchLabels },
    },
  }));
}

/** What happens with the claims of a set's pods. */
interface Retention {
  /** Whether they are deleted with the set. */
  readonly goesWithSet: boolean;
  /** Whether they are deleted with a pod that the set no longer wants. */
  readonly goesWithPod: boolean;
}

function retentionOf({ spec }: StatefulSet): Retention {
  const policy = spec?.persistentVolumeClaimRetentionPolicy;
  return { goesWithSet: policy?.whenDeleted === "Delete", goesWithPod: policy?.whenScaled === "Delete" };
}

/** Reports whether a claim is about to be deleted with an earlier pod of the same name. */
export function isStale(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean {
  return retentionOf(set).goesWithPod && hasStaleReference(claim, pod);
}

/** Reports whether something else controls a claim, which then keeps its owners. */
export function hasConflictingController(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean {
  const { goesWithPod, goesWithSet } = retentionOf(set);
  if (!goesWithPod && !goesWithSet) return false;
  return referencesOf(claim).some((reference) => {
    const owner = [set, pod].find((object) => refersTo(reference, object));
    return owner === undefined ? reference.controller === true : reference.uid !== uidOf(owner);
  });
}

/**
 * Reports whether the owners of a claim are those that the retention policy of its set asks for.
 *
 * A claim with an owner of the same name and another uid is left to the garbage collector.
 */
export function hasWantedOwners(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (hasStaleReference(claim, set) || hasStaleReference(claim, pod)) return true;
  const [ofSet, ofPod] = [isOwnedBy(claim, set), isOwnedBy(claim, pod)];
  if (hasConflictingController(set, pod, claim)) return !ofSet && !ofPod;
  const isPlain = referencesOf(claim).some(
    ({ uid, controller }) => (uid === uidOf(set) || uid === uidOf(pod)) && controller !== true,
  );
  if (isPlain) return false;
  const wanted = wantedOwners(set, pod);
  return ofSet === wanted.includes(set) && ofPod === wanted.includes(pod);
}

/** Returns a claim with the owners that the retention policy of its set asks for. */
export function withWantedOwners(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const others = referencesOf(claim).filter((each) => !refersTo(each, set) && !refersTo(each, pod));
  const wanted = hasConflictingController(set, pod, claim) ? [] : wantedOwners(set, pod);
  const added = wanted.map((owner) => controllerReference(owner));
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: [...others, ...added] } };
}

// A claim has at most one controller: the pod once it is to be deleted with it, the set until then.
function wantedOwners(set: StatefulSet, pod: Pod): readonly KubernetesObject[] {
  const { goesWithSet, goesWithPod } = retentionOf(set);
  if (goesWithPod && !isInRange(set, ordinalOf(pod))) return [pod];
  return goesWithSet ? [set] : [];
}

function referencesOf({ metadata }: KubernetesObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

function uidOf({ metadata }: KubernetesObject): string {
  return metadata.uid ?? "";
}

function isOwnedBy(claim: PersistentVolumeClaim, owner: KubernetesObject): boolean {
  return referencesOf(claim).some(({ uid }) => uid === uidOf(owner));
}

function refersTo({ apiVersion, kind, name }: OwnerReference, object: KubernetesObject): boolean {
  return apiVersion === object.apiVersion && kind === object.kind && name === object.metadata.name;
}

function hasStaleReference(claim: PersistentVolumeClaim, owner: KubernetesObject): boolean {
  const reference = referencesOf(claim).find((each) => refersTo(each, owner));
  return reference !== undefined && reference.uid !== uidOf(owner);
}
