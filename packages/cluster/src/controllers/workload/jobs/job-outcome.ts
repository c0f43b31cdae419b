import { numberOf } from "@kubescaffold/apiserver/cluster-api";

import {
  BACK_OFF_LIMIT_EXCEEDED,
  COMPLETIONS_REACHED,
  DEADLINE_EXCEEDED,
  FAILED_INDEXES,
  type JobFinding,
  MAX_FAILED_INDEXES_EXCEEDED,
  trueCondition,
} from "./job-conditions.ts";
import { isSuspended, hasFailed } from "./job-pods.ts";
import { failedByPolicy, succeededByPolicy } from "./job-policies.ts";
import type { JobSync } from "./job-sync.ts";

/** Returns why a Job is over before its completions: an earlier round found out, too much has failed, it is too late, or its success policy is met. */
export function outcomeOf(sync: JobSync): JobFinding | undefined {
  return earlierFinding(sync) ?? failureOf(sync) ?? succeededByPolicy(sync.job, sync.completed);
}

function earlierFinding({ status }: JobSync): JobFinding | undefined {
  const found = trueCondition(status, "SuccessCriteriaMet") ?? trueCondition(status, "FailureTarget");
  return found === undefined
    ? undefined
    : { type: found.type, reason: found.reason ?? "", message: found.message ?? "" };
}

function failureOf(sync: JobSync): JobFinding | undefined {
  const failed = sync.pods.filter((pod) => hasFailed(pod, sync.job));
  const byPolicy = failedByPolicy(sync.job, failed);
  if (byPolicy !== undefined) return byPolicy;
  const limit = sync.job.spec?.backoffLimit ?? 6;
  if (sync.failed > limit || restartsExceed(sync, limit)) return BACK_OFF_LIMIT_EXCEEDED;
  const deadlineMs = untilDeadlineMs(sync);
  if (deadlineMs !== undefined && deadlineMs <= 0) return DEADLINE_EXCEEDED;
  return failedIndexes(sync);
}

function restartsExceed({ job, pods }: JobSync, limit: number): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending")
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(1, limit);
}

/** Returns the time until the deadline of a Job in milliseconds, undefined without one. */
export function untilDeadlineMs({ job, status, now }: JobSync): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || status.startTime === undefined || isSuspended(job)) return undefined;
  return Date.parse(status.startTime ?? "") + numberOf(seconds) * 1000 - now;
}

function failedIndexes({ job, completed, indexFailures }: JobSync): JobFinding | undefined {
  const failed = indexFailures?.failed.size ?? 0;
  if (failed === 0) return undefined;
  const { maxFailedIndexes, completions = 0 } = job.spec ?? {};
  if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) return MAX_FAILED_INDEXES_EXCEEDED;
  return failed + completed.size >= completions ? FAILED_INDEXES : undefined;
}

/** Returns that a Job is over when enough of its pods have succeeded and none is active; without completions, one success is enough. */
export function completionOf({ job, succeeded, active }: JobSync): JobFinding | undefined {
  const isComplete = active === 0 && succeeded >= (job.spec?.completions ?? 1);
  return isComplete ? COMPLETIONS_REACHED : undefined;
}
