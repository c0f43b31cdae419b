import { type DeepReadonly, isConditionTrue } from "@kubescaffold/k8s";
import { Job } from "@kubescaffold/k8s/batch/v1";
import type { ObjectReference } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { controllerutil, editable, type Stored } from "@kubescaffold/runtime";

import { CronJob } from "../../api/v1/cronjob_types.ts";

/** The field of the index of Jobs by the name of the CronJob that controls them. */
export const CONTROLLER_FIELD = ".metadata.controller";

/** The annotation with the scheduled time of a Job, which is earlier than its creation if the run was missed. */
export const SCHEDULED_AT = "batch.demo/scheduled-at";

/** The history limits of a CronJob that the webhook has not defaulted. */
export const DEFAULT_LIMITS = { successful: 3, failed: 1 } as const;

/** Returns the name of the CronJob that controls a Job, as the values of the index. */
export function controllersOf({ metadata }: ReadonlyObject): readonly string[] {
  const apiVersion = `${CronJob.group}/${CronJob.version}`;
  const owners = (metadata.ownerReferences ?? []).filter(
    (owner) => owner.controller === true && owner.apiVersion === apiVersion && owner.kind === CronJob.kind,
  );
  return owners.map(({ name }) => name);
}

/** The Jobs of a CronJob by their state. */
export interface JobsByState {
  readonly active: readonly DeepReadonly<Stored<Job>>[];
  readonly successful: readonly DeepReadonly<Stored<Job>>[];
  readonly failed: readonly DeepReadonly<Stored<Job>>[];
}

/** Splits Jobs by their state, each oldest first. */
export function byState(jobs: readonly DeepReadonly<Stored<Job>>[]): JobsByState {
  const sorted = jobs.toSorted((left, right) => scheduledMs(left) - scheduledMs(right));
  const [successful, failed] = [sorted.filter(isSuccessful), sorted.filter(isFailed)];
  return { successful, failed, active: sorted.filter((job) => !isSuccessful(job) && !isFailed(job)) };
}

/** Returns the finished Jobs that exceed the history limits of a CronJob. */
export function expiredJobs(
  { spec }: DeepReadonly<Stored<CronJob>>,
  { successful, failed }: JobsByState,
): readonly DeepReadonly<Stored<Job>>[] {
  const { successfulJobsHistoryLimit = DEFAULT_LIMITS.successful, failedJobsHistoryLimit = DEFAULT_LIMITS.failed } =
    spec;
  return [
    ...successful.slice(0, Math.max(0, successful.length - successfulJobsHistoryLimit)),
    ...failed.slice(0, Math.max(0, failed.length - failedJobsHistoryLimit)),
  ].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Returns the scheduled time of a Job; undefined if it has none. */
export function scheduledTime({ metadata }: DeepReadonly<Stored<Job>>): Date | undefined {
  const ms = Date.parse(metadata.annotations?.[SCHEDULED_AT] ?? "");
  return Number.isNaN(ms) ? undefined : new Date(ms);
}

/** Returns the Job of a run. Its name contains the scheduled time, so the same run cannot create two Jobs. */
export function newJob(owner: DeepReadonly<Stored<CronJob>>, scheduled: Date): Job {
  const { metadata, spec } = owner.spec.jobTemplate;
  const job = Job.create({
    metadata: {
      name: `${owner.metadata.name}-${String(scheduled.getTime() / 1000)}`,
      namespace: owner.metadata.namespace,
      ...(metadata?.labels === undefined ? {} : { labels: { ...metadata.labels } }),
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: formatTime(scheduled) },
    },
    ...(spec === undefined ? {} : { spec: editable(spec) }),
  });
  return controllerutil.setControllerReference(owner, job);
}

/** Returns a reference to a Job. It has no resourceVersion, which changes without an effect on the CronJob. */
export function referenceOf({ apiVersion, kind, metadata }: DeepReadonly<Stored<Job>>): ObjectReference {
  const { name, namespace, uid } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}

/** Returns a time as the API server prints it, in seconds. */
export function formatTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/u, "Z");
}

function isSuccessful({ status }: DeepReadonly<Stored<Job>>): boolean {
  return isConditionTrue(status?.conditions, "Complete");
}

function isFailed({ status }: DeepReadonly<Stored<Job>>): boolean {
  return isConditionTrue(status?.conditions, "Failed");
}

// A Job without the annotation was not created by a schedule.
function scheduledMs(job: DeepReadonly<Stored<Job>>): number {
  return (scheduledTime(job) ?? new Date(job.metadata.creationTimestamp ?? 0)).getTime();
}
