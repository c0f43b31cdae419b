import { isNotFound } from "@kubescaffold/k8s";
import type { StatefulSet } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { templateOf } from "../controller-revisions.ts";
import { slowStart } from "../slow-start.ts";
import { hasEnded, untilAvailableMs } from "../workload-objects.ts";
import {
  createMissingClaims,
  createPod,
  deletePod,
  hasClaimOwners,
  hasStaleClaim,
  repairPod,
  type StatefulSetWork,
  updateOwners,
} from "./pod-control.ts";
import {
  hasIdentity,
  hasStorage,
  isCreated,
  isGoing,
  isInRange,
  isRunningAndReady,
  ordinalOf,
  revisionNameOf,
  startOrdinal,
  statefulPod,
  wantedReplicas,
} from "./stateful-pods.ts";
import type { SetRevisions } from "./stateful-revisions.ts";
import { type CountedStatus, statusOf } from "./stateful-set-status.ts";

const MOST_AT_ONCE = 500;

/** A set, its revisions, and its pods as one round of work finds them. */
interface SetRound {
  readonly work: StatefulSetWork;
  readonly set: StatefulSet;
  readonly revisions: SetRevisions;
  /** The pods in the range of the set in order of their ordinals; the first ones that do not exist yet are planned. */
  readonly replicas: readonly Pod[];
  /** The pods that exist, by their ordinals. */
  readonly existing: ReadonlyMap<number, Pod>;
  /** The pods that the set no longer wants, the highest ordinal first. */
  readonly condemned: readonly Pod[];
  /** The first pod that is not available, replicas first. */
  readonly firstUnavailable: Pod | undefined;
  /** Whether each pod waits for those before it. */
  readonly isOrdered: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The planned pods that could not be created yet. */
  readonly postponed: Set<Pod>;
}

/** What one round of work came to. */
interface RoundResult {
  readonly status: CountedStatus;
  /** Why the round ended early; it is tried again. */
  readonly failure?: unknown;
  /** After how many milliseconds more pods may be created. */
  readonly waitMs?: number;
}

/** Creates, repairs, deletes, and updates pods of a set, as far as its order permits now. */
export async function managePods(
  work: StatefulSetWork,
  set: StatefulSet,
  observed: { readonly revisions: SetRevisions; readonly pods: readonly Pod[]; readonly now: number },
): Promise<RoundResult> {
  const { revisions, pods, now } = observed;
  if (set.metadata.deletionTimestamp !== undefined) return { status: statusOf(set, revisions, observed) };
  const existing = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const replicas = replicasOf(set, revisions, existing);
  const condemned = pods
    .filter((pod) => ordinalOf(pod) >= 0 && !isInRange(set, ordinalOf(pod)))
    .toSorted((left, right) => ordinalOf(right) - ordinalOf(left));
  const firstUnavailable = [...replicas, ...condemned.toReversed()].find((pod) => isUnavailable(set, pod, now));
  const isOrdered = set.spec?.podManagementPolicy !== "Parallel";
  const found = { work, set, revisions, replicas, existing, condemned, firstUnavailable, isOrdered, now };
  const round: SetRound = { ...found, postponed: new Set() };
  let status = statusOf(set, revisions, { pods: [...replicas, ...condemned], now });
  try {
    const hasEnded =
      (await forEach(round, replicas, async (pod) => await keepReplica(round, pod))) ||
      (await forEach(round, condemned, async (pod) => await keepClaims(round, pod))) ||
      (await forEach(round, condemned, async (pod) => await removePod(round, pod)));
    if (!hasEnded && set.spec?.updateStrategy?.type !== "OnDelete") {
      const isOne = await updateNext(round);
      if (isOne) status = { ...status, currentReplicas: status.currentReplicas - 1 };
    }
    return { status, ...waitOf(round) };
  } catch (failure) {
    return { status, failure };
  }
}

// Pods below the partition are made from the current revision.
function replicasOf(
  set: StatefulSet,
  { current, update }: SetRevisions,
  existing: ReadonlyMap<number, Pod>,
): readonly Pod[] {
  const start = startOrdinal(set);
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const present = [...existing.values()].filter((pod) => isInRange(set, ordinalOf(pod)));
  const planned: Pod[] = [];
  const missing = Math.min(wantedReplicas(set) - present.length, MOST_AT_ONCE);
  for (let index = 0; planned.length < missing; index += 1) {
    if (existing.has(start + index)) continue;
    const revision = index < partition ? current : update;
    const plan = { ordinal: start + index, template: templateOf(revision), revision: revision.metadata.name ?? "" };
    planned.push(statefulPod(set, plan));
  }
  return [...present, ...planned].toSorted((left, right) => ordinalOf(left) - ordinalOf(right));
}

function waitOf({ work, set, isOrdered, replicas, postponed }: SetRound): Pick<RoundResult, "waitMs"> {
  const isPartial = !isOrdered && replicas.length < wantedReplicas(set);
  if (postponed.size === 0 && !isPartial) return {};
  return { waitMs: work.pace.untilMoreMs(set.metadata.namespace ?? "", isOrdered ? 1 : MOST_AT_ONCE) };
}

function isUnavailable(set: StatefulSet, pod: Pod, now: number): boolean {
  return untilAvailableMs(pod, set, now) > 0 || isGoing(pod);
}

// In order, the first pod that asks to wait ends the round, which this reports. Otherwise the pods are worked on in
// batches that double in size, and only a failure ends the round, after its batch.
async function forEach(
  { isOrdered }: SetRound,
  pods: readonly Pod[],
  action: (pod: Pod) => Promise<boolean>,
): Promise<boolean> {
  if (isOrdered) {
    for (const pod of pods) {
      if (await action(pod)) return true;
    }
    return false;
  }
  const { failures } = await slowStart(pods, action, MOST_AT_ONCE);
  if (failures.length > 0) throw failures[0];
  return false;
}

// Reports whether those after it have to wait.
async function keepReplica(round: SetRound, pod: Pod): Promise<boolean> {
  const { work, set, isOrdered, now } = round;
  if (hasEnded(pod)) {
    if (!isGoing(pod)) await deletePod(work, set, pod);
    return true;
  }
  if (!isCreated(pod)) {
    if (hasStaleClaim(work, set, pod)) return true;
    await createWhenDue(round, pod);
    return isOrdered;
  }
  if (pod.status?.phase === "Pending") await createMissingClaims(work, set, pod);
  if (isOrdered && (isGoing(pod) || !isRunningAndReady(pod) || untilAvailableMs(pod, set, now) > 0)) return true;
  const isWhole = hasIdentity(set, pod) && hasStorage(set, pod) && hasClaimOwners(work, set, pod);
  if (!isWhole) await repairPod(work, set, pod);
  return false;
}

async function createWhenDue({ work, set, postponed }: SetRound, pod: Pod): Promise<void> {
  const { namespace = "" } = set.metadata;
  if (work.pace.take(namespace, 1) === 0) {
    postponed.add(pod);
    return;
  }
  try {
    await createPod(work, set, pod);
  } catch (error) {
    work.pace.giveBack(namespace, 1);
    throw error;
  }
}

async function keepClaims({ work, set }: SetRound, pod: Pod): Promise<boolean> {
  if (!hasClaimOwners(work, set, pod)) await updateOwners(work, set, pod);
  return false;
}

async function removePod({ work, set, isOrdered, firstUnavailable, now }: SetRound, pod: Pod): Promise<boolean> {
  if (isGoing(pod)) return isOrdered;
  const isAvailable = isRunningAndReady(pod) && untilAvailableMs(pod, set, now) === 0;
  if (isOrdered && !isAvailable && pod !== firstUnavailable) return true;
  await deletePod(work, set, pod);
  return true;
}

// Deletes the pod of the highest ordinal with another revision, unless one above it is not available. Reports whether it did.
async function updateNext({ work, set, revisions, existing, now }: SetRound): Promise<boolean> {
  const start = startOrdinal(set);
  const first = start + (set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0);
  for (let ordinal = start + wantedReplicas(set) - 1; ordinal >= first; ordinal -= 1) {
    const pod = existing.get(ordinal);
    if (pod === undefined) return false;
    if (revisionNameOf(pod) !== revisions.update.metadata.name && !isGoing(pod)) {
      try {
        await deletePod(work, set, pod);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return true;
    }
    if (isUnavailable(set, pod, now)) return false;
  }
  return false;
}
