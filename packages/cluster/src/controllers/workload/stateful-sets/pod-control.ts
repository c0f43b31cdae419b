import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, objectKey, messageOf } from "@kubescaffold/k8s";
import type { StatefulSet } from "@kubescaffold/k8s/apps/v1";
import type { PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";

import type { CreationPace } from "../creation-pace.ts";
import type { EventWriter } from "../event-writer.ts";
import { PERSISTENT_VOLUME_CLAIMS, PODS, readStored } from "../workload-objects.ts";
import { claimsOf, hasConflictingController, hasWantedOwners, isStale, withWantedOwners } from "./stateful-claims.ts";
import { hasIdentity, hasStorage, withIdentity, withStorage } from "./stateful-pods.ts";

/** What the stateful set controller works with. */
export interface StatefulSetWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
  readonly pace: CreationPace;
}

type Verb = "Create" | "Update" | "Delete";

/** Creates a pod, and the claims it lacks before it. */
export async function createPod(work: StatefulSetWork, set: StatefulSet, pod: Pod): Promise<void> {
  await reported(work, set, { verb: "Create", pod }, async () => await createClaims(work, set, pod));
  const { namespace = "" } = pod.metadata;
  let failure: unknown;
  try {
    await work.client.create({ ...PODS, namespace, name: "" }, pod as never);
  } catch (error) {
    if (isAlreadyExists(error)) throw error;
    failure = error;
  }
  await reported(work, set, { verb: "Update", pod }, async () => await updateOwners(work, set, pod));
  await report(work, set, { verb: "Create", pod }, failure);
  if (failure !== undefined) throw failure;
}

/** Deletes a pod. */
export async function deletePod(work: StatefulSetWork, set: StatefulSet, pod: Pod): Promise<void> {
  let failure: unknown;
  try {
    await work.client.delete({ ...PODS, ...objectKey(pod) });
  } catch (error) {
    failure = error;
  }
  await report(work, set, { verb: "Delete", pod }, failure);
  if (failure !== undefined) throw failure;
}

/** Gives a pod and its claims back what they must have: labels, volumes, owners. */
export async function repairPod(work: StatefulSetWork, set: StatefulSet, known: Pod): Promise<void> {
  const pod = readStored<Pod>(work.context, PODS, objectKey(known)) ?? known;
  const isWhole = hasIdentity(set, pod) && hasStorage(set, pod) && hasClaimOwners(work, set, pod);
  if (isWhole) return;
  let repaired = hasIdentity(set, pod) ? pod : withIdentity(set, pod);
  if (!hasStorage(set, pod)) {
    repaired = withStorage(set, repaired);
    await reported(work, set, { verb: "Update", pod }, async () => await createClaims(work, set, pod));
  }
  if (!hasClaimOwners(work, set, pod))
    await reported(work, set, { verb: "Update", pod }, async () => await updateOwners(work, set, pod));
  let failure: unknown;
  try {
    await work.client.update({ ...PODS, ...objectKey(pod) }, repaired as never);
  } catch (error) {
    failure = error;
  }
  await report(work, set, { verb: "Update", pod }, failure);
  if (failure !== undefined) throw failure;
}

/** Creates the claims that a pod lacks, and sets the owners of all. */
export async function createMissingClaims(work: StatefulSetWork, set: StatefulSet, pod: Pod): Promise<void> {
  await createClaims(work, set, pod);
  await reported(work, set, { verb: "Update", pod }, async () => await updateOwners(work, set, pod));
}

/** Reports whether a pod cannot be created yet, because its claims are still those of an earlier pod. */
export function hasStaleClaim(work: StatefulSetWork, set: StatefulSet, pod: Pod): boolean {
  return storedClaims(work, set, pod).some((claim) => isStale(set, pod, claim));
}

/** Reports whether the claims of a pod have the owners that the retention policy asks for. */
export function hasClaimOwners(work: StatefulSetWork, set: StatefulSet, pod: Pod): boolean {
  return storedClaims(work, set, pod).every((claim) => hasWantedOwners(set, pod, claim));
}

/** Gives the claims of a pod the owners that the retention policy asks for. */
export async function updateOwners(work: StatefulSetWork, set: StatefulSet, pod: Pod): Promise<void> {
  for (const claim of storedClaims(work, set, pod)) {
    const { namespace = "", name = "" } = claim.metadata;
    if (hasConflictingController(set, pod, claim)) {
      const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      await work.events.write(set, { type: "Warning", reason: "ConflictingController", message });
    }
    if (hasWantedOwners(set, pod, claim)) continue;
    try {
      const target = { ...PERSISTENT_VOLUME_CLAIMS, namespace, name };
      await work.client.update(target, withWantedOwners(set, pod, claim) as never);
    } catch (error) {
      throw new Error(`could not update claim ${name} for delete policy ownerRefs: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}

function storedClaims(work: StatefulSetWork, set: StatefulSet, pod: Pod): readonly PersistentVolumeClaim[] {
  return claimsOf(set, pod).flatMap((claim) => {
    const stored = readStored<PersistentVolumeClaim>(work.context, PERSISTENT_VOLUME_CLAIMS, objectKey(claim));
    return stored === undefined ? [] : [stored];
  });
}

async function createClaims(work: StatefulSetWork, set: StatefulSet, pod: Pod): Promise<void> {
  const failures: string[] = [];
  for (const claim of claimsOf(set, pod)) {
    const { namespace = "", name = "" } = claim.metadata;
    const stored = readStored<PersistentVolumeClaim>(work.context, PERSISTENT_VOLUME_CLAIMS, { namespace, name });
    if (stored !== undefined) {
      if (stored.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      continue;
    }
    try {
      await work.client.create({ ...PERSISTENT_VOLUME_CLAIMS, namespace, name: "" }, claim as never);
      await reportClaim(work, set, { claim: name, pod });
    } catch (error) {
      failures.push(`failed to create PVC ${name}: ${messageOf(error)}`);
      if (!isAlreadyExists(error)) await reportClaim(work, set, { claim: name, pod }, error);
    }
  }
  if (failures.length > 0) throw new Error(failures.length === 1 ? failures[0] : `[${failures.join(", ")}]`);
}

// Tells of a failure of what belongs to a verb; success is not told.
async function reported(
  work: StatefulSetWork,
  set: StatefulSet,
  about: { readonly verb: Verb; readonly pod: Pod },
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    await report(work, set, about, error);
    throw error;
  }
}

async function report(
  { events }: StatefulSetWork,
  set: StatefulSet,
  { verb, pod }: { readonly verb: Verb; readonly pod: Pod },
  failure: unknown,
): Promise<void> {
  const subject = `${verb} Pod ${pod.metadata.name ?? ""} in StatefulSet ${set.metadata.name ?? ""}`;
  await events.write(
    set,
    failure === undefined
      ? { type: "Normal", reason: `Successful${verb}`, message: `${subject} successful` }
      : { type: "Warning", reason: `Failed${verb}`, message: `${subject} failed error: ${messageOf(failure)}` },
  );
}

async function reportClaim(
  { events }: StatefulSetWork,
  set: StatefulSet,
  { claim, pod }: { readonly claim: string; readonly pod: Pod },
  failure?: unknown,
): Promise<void> {
  const owner = `Pod ${pod.metadata.name ?? ""} in StatefulSet ${set.metadata.name ?? ""}`;
  await events.write(
    set,
    failure === undefined
      ? { type: "Normal", reason: "SuccessfulCreate", message: `Create Claim ${claim} ${owner} success` }
      : {
          type: "Warning",
          reason: "FailedCreate",
          message: `Create Claim ${claim} for ${owner} failed error: ${messageOf(failure)}`,
        },
  );
}
