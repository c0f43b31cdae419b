import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { finishedAt, remainingBackOffMs } from "./job-back-off.ts";
import { JobIndexes } from "./job-indexes.ts";
import { countsFor, hasFailed, indexOf, isTracked } from "./job-pods.ts";
import { countsAsFailure, failsIndex } from "./job-policies.ts";

/** Annotations of a pod: how many pods of its index failed before it, counted and ignored ones. */
const FAILURE_COUNT = "batch.kubernetes.io/job-index-failure-count";
const IGNORED_COUNT = "batch.kubernetes.io/job-index-ignored-failure-count";
const LARGEST_COUNT = 2 ** 31 - 1;

/** The failures of a Job that limits them for each index. */
export interface IndexFailures {
  /** The indexes that have failed for good. */
  readonly failed: JobIndexes;
  /** By index: the failed pod that the next one replaces. It stays until then, since the next one takes its counts over. */
  readonly replaced: ReadonlyMap<number, Pod>;
}

/** Returns the failures by index of a Job with `backoffLimitPerIndex`, undefined for other Jobs. */
export function indexFailures(
  job: Job,
  pods: readonly Pod[],
  { completed, active }: { readonly completed: JobIndexes; readonly active: readonly Pod[] },
): IndexFailures | undefined {
  const limit = job.spec?.backoffLimitPerIndex;
  if (limit === undefined) return undefined;
  const failures = pods.filter((pod) => isTracked(pod) && hasFailed(pod, job) && isOfIndex(job, pod));
  const isLast = (pod: Pod): boolean =>
    failsIndex(job, pod) || (countsAsFailure(job, pod) && countOf(pod, FAILURE_COUNT) >= limit);
  const failed = JobIndexes.parse(job.status?.failedIndexes ?? "", job.spec?.completions ?? 0).with(
    failures.filter(isLast).map((pod) => indexOf(pod) ?? 0),
  );
  const running = new Set(active.map((pod) => indexOf(pod)));
  const replaced = new Map<number, Pod>();
  for (const pod of failures) {
    const index = indexOf(pod) ?? 0;
    if (completed.has(index) || failed.has(index) || running.has(index)) continue;
    const former = replaced.get(index);
    const isLater =
      former === undefined || (allFailures(former) <= allFailures(pod) && finishedAt(former) <= finishedAt(pod));
    if (isLater) replaced.set(index, pod);
  }
  return { failed, replaced };
}

function isOfIndex(job: Job, pod: Pod): boolean {
  return indexOf(pod) !== undefined && countsFor(job, pod);
}

/** Returns the annotations by which the pod that replaces a failed one counts the failures of its index. */
export function failureAnnotations(job: Job, replaced: Pod | undefined): Readonly<Record<string, string>> {
  if (replaced === undefined) return { [FAILURE_COUNT]: "0" };
  const isCounted = countsAsFailure(job, replaced);
  const ignored = countOf(replaced, IGNORED_COUNT) + (isCounted ? 0 : 1);
  return {
    [FAILURE_COUNT]: String(countOf(replaced, FAILURE_COUNT) + (isCounted ? 1 : 0)),
    ...(ignored === 0 ? {} : { [IGNORED_COUNT]: String(ignored) }),
  };
}

/** Returns the time until a failed pod of an index may be replaced, in milliseconds. */
export function indexBackOffMs(replaced: Pod | undefined, now: number): number {
  if (replaced === undefined) return 0;
  return remainingBackOffMs({ failures: allFailures(replaced) + 1, lastFailure: finishedAt(replaced) }, now);
}

function allFailures(pod: Pod): number {
  return countOf(pod, FAILURE_COUNT) + countOf(pod, IGNORED_COUNT);
}

function countOf({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? "0";
  const count = /^\d+$/u.test(text) ? Number(text) : 0;
  return count > LARGEST_COUNT ? 0 : count;
}
