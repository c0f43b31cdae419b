import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { objectKey, toTime } from "@kubescaffold/k8s";
import type { Job, JobStatus } from "@kubescaffold/k8s/batch/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import type { CreationPace } from "../creation-pace.ts";
import type { EventWriter } from "../event-writer.ts";
import { isActive, isReady, isTerminating, JOBS } from "../workload-objects.ts";
import { type JobBackOff, NO_BACK_OFF, nextBackOff } from "./job-back-off.ts";
import { type IndexFailures, indexFailures } from "./job-index-failures.ts";
import { JobIndexes } from "./job-indexes.ts";
import { countsFor, hasFailed, indexOf, isIndexed, isSuspended, isTracked } from "./job-pods.ts";
import { countsAsFailure } from "./job-policies.ts";

/** What the job controller works with. */
export interface JobWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
  /** By the uid of the Job. */
  readonly backOffs: Map<string, JobBackOff>;
  readonly pace: CreationPace;
}

/** A Job and its pods as one round of work finds them, and what the round makes of them. */
export interface JobSync {
  /** The Job as it was stored last. */
  job: Job;
  /** The status to store, without the counts below. */
  status: JobStatus;
  readonly pods: readonly Pod[];
  readonly activePods: readonly Pod[];
  /** The indexes with a pod that succeeded. */
  readonly completed: JobIndexes;
  /** Undefined unless the Job has `backoffLimitPerIndex`. */
  readonly indexFailures: IndexFailures | undefined;
  /** Number of pods that succeeded, or of completed indexes. */
  readonly succeeded: number;
  /** Number of pods that failed. */
  readonly failed: number;
  readonly backOff: JobBackOff;
  /** Milliseconds since 1970. */
  readonly now: number;
  active: number;
  ready: number;
  terminating: number;
}

/** Counts the pods of a Job; those that ended since the last round are counted in before the status has them. */
export function observeJob(work: JobWork, job: Job, claimed: readonly Pod[]): JobSync {
  const now = work.context.clock.now();
  const former = job.status ?? {};
  const pods = claimed.toSorted((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1));
  const activePods = pods.filter((pod) => isActive(pod));
  const countedSuccesses = new Set(former.uncountedTerminatedPods?.succeeded);
  const countedFailures = new Set(former.uncountedTerminatedPods?.failed);
  const tracked = pods.filter((pod) => isTracked(pod) && countsFor(job, pod));
  const successes = tracked.filter(({ status }) => status?.phase === "Succeeded");
  const succeeded = successes.filter(({ metadata }) => !countedSuccesses.has(metadata.uid ?? ""));
  const failed = tracked.filter((pod) => !countedFailures.has(pod.metadata.uid ?? "") && hasFailed(pod, job));
  const completed = isIndexed(job)
    ? JobIndexes.parse(former.completedIndexes ?? "", job.spec?.completions ?? 0).with(
        successes.map((pod) => indexOf(pod) ?? 0),
      )
    : JobIndexes.none;
  const startTime = former.startTime ?? (isSuspended(job) ? undefined : toTime(now));
  return {
    job,
    status: { ...former, ...(startTime === undefined ? {} : { startTime }) },
    pods,
    activePods,
    completed,
    indexFailures: indexFailures(job, pods, { completed, active: activePods }),
    succeeded: isIndexed(job) ? completed.size : (former.succeeded ?? 0) + countedSuccesses.size + succeeded.length,
    failed: (former.failed ?? 0) + countedFailures.size + failed.filter((pod) => countsAsFailure(job, pod)).length,
    backOff: nextBackOff(work.backOffs.get(job.metadata.uid ?? "") ?? NO_BACK_OFF, { succeeded, failed }),
    now,
    active: activePods.length,
    ready: activePods.filter((pod) => isReady(pod)).length,
    terminating: pods.filter((pod) => isTerminating(pod)).length,
  };
}

/** Stores the status of a Job when it has changed; the back-off counts from then on. */
export async function writeStatus(work: JobWork, sync: JobSync): Promise<void> {
  const { active: _active, succeeded = 0, failed = 0, completedIndexes = "", ...rest } = sync.status;
  const status: JobStatus = {
    ...rest,
    ...(sync.active > 0 ? { active: sync.active } : {}),
    ...(succeeded > 0 ? { succeeded } : {}),
    ...(failed > 0 ? { failed } : {}),
    ...(completedIndexes === "" ? {} : { completedIndexes }),
    ready: sync.ready,
    terminating: sync.terminating,
    uncountedTerminatedPods: rest.uncountedTerminatedPods ?? {},
  };
  if (deepEqual(status, sync.job.status)) return;
  const target = { ...JOBS, ...objectKey(sync.job), subresource: "status" };
  sync.job = await work.client.update(target, { ...sync.job, status } as never);
  work.backOffs.set(sync.job.metadata.uid ?? "", sync.backOff);
}
