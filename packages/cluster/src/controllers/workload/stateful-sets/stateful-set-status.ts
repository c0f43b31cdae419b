import { objectKey } from "@kubescaffold/k8s";
import type { StatefulSet, StatefulSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { readStored, STATEFUL_SETS, untilAvailableMs } from "../workload-objects.ts";
import type { StatefulSetWork } from "./pod-control.ts";
import { isCreated, isGoing, isRunningAndReady, revisionNameOf, wantedReplicas } from "./stateful-pods.ts";
import type { SetRevisions } from "./stateful-revisions.ts";

/** A status with every count. */
export type CountedStatus = Required<Omit<StatefulSetStatus, "conditions">>;

/** Computes the status of a set from its pods; `now` is in milliseconds since 1970. */
export function statusOf(
  set: StatefulSet,
  { current, update, collisionCount }: SetRevisions,
  { pods, now }: { readonly pods: readonly Pod[]; readonly now: number },
): CountedStatus {
  const [currentRevision, updateRevision] = [current.metadata.name ?? "", update.metadata.name ?? ""];
  const created = pods.filter((pod) => isCreated(pod));
  const ready = pods.filter((pod) => isRunningAndReady(pod));
  const countOf = (revision: string): number =>
    created.filter((pod) => !isGoing(pod) && revisionNameOf(pod) === revision).length;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => untilAvailableMs(pod, set, now) === 0).length,
    currentReplicas: countOf(currentRevision),
    updatedReplicas: countOf(updateRevision),
    currentRevision,
    updateRevision,
    collisionCount,
  };
}

/** Stores the status of a set when it has changed; a rolling update that is over makes the new revision the current one. */
export async function writeStatus(work: StatefulSetWork, set: StatefulSet, computed: CountedStatus): Promise<void> {
  const status = completed(set, computed);
  if (!hasChanged(set.status, status)) return;
  const latest = readStored<StatefulSet>(work.context, STATEFUL_SETS, objectKey(set));
  if (latest?.metadata.uid !== set.metadata.uid) return;
  const target = { ...STATEFUL_SETS, ...objectKey(set), subresource: "status" };
  await work.client.update(target, { ...latest, status: serialized(status) } as never);
}

function completed(set: StatefulSet, status: CountedStatus): CountedStatus {
  const wanted = wantedReplicas(set);
  const { updatedReplicas, readyReplicas, replicas, updateRevision } = status;
  const isOver =
    set.spec?.updateStrategy?.type === "RollingUpdate" &&
    [updatedReplicas, readyReplicas, replicas].every((count) => count === wanted);
  return isOver ? { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision } : status;
}

function hasChanged(former: StatefulSetStatus | undefined, status: CountedStatus): boolean {
  if (status.observedGeneration > (former?.observedGeneration ?? 0)) return true;
  const { observedGeneration: _generation, collisionCount: _count, ...compared } = status;
  return Object.entries(compared).some(([field, value]) => {
    const known = former?.[field as keyof typeof compared];
    return (known ?? (typeof value === "string" ? "" : 0)) !== value;
  });
}

// As Go does, counts of zero are left out where the type says so.
function serialized(status: CountedStatus): StatefulSetStatus {
  const { readyReplicas, currentReplicas, updatedReplicas, ...rest } = status;
  const counts = Object.entries({ readyReplicas, currentReplicas, updatedReplicas }).filter(([, count]) => count !== 0);
  return { ...rest, ...Object.fromEntries(counts) };
}
