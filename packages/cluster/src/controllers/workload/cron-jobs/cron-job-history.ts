import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey, StatusError } from "@kubescaffold/k8s";
import type { CronJob, CronJobStatus, Job } from "@kubescaffold/k8s/batch/v1";

import type { EventWriter } from "../event-writer.ts";
import { endOf } from "../jobs/job-conditions.ts";
import { JOBS, ownedBy } from "../workload-objects.ts";

/** What the CronJob controller works with. */
export interface CronJobWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

/** A CronJob in one round of work, and the status that it should get. */
export interface CronJobSync {
  readonly cronJob: CronJob;
  status: CronJobStatus;
}

/** Deletes finished Jobs beyond the limits of the history, the oldest first. */
export async function limitHistory(work: CronJobWork, sync: CronJobSync): Promise<void> {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = sync.cronJob.spec ?? {};
  for (const [type, limit = Infinity] of [
    ["Complete", successfulJobsHistoryLimit],
    ["Failed", failedJobsHistoryLimit],
  ] as const) {
    const jobs = jobsOf(work, sync)
      .filter((job) => endOf(job)?.type === type && job.metadata.deletionTimestamp === undefined)
      .toSorted((left, right) => orderKey(left).localeCompare(orderKey(right)));
    for (const job of jobs.slice(0, Math.max(0, jobs.length - limit))) await deleteJob(work, sync, job);
  }
}

function orderKey({ metadata, status }: Job): string {
  return `${status?.startTime ?? "~"} ${metadata.name ?? ""}`;
}

/** Deletes a Job with its pods. Returns the reason if that failed. */
export async function deleteJob(work: CronJobWork, sync: CronJobSync, job: Job): Promise<StatusError | undefined> {
  const { cronJob } = sync;
  const name = job.metadata.name ?? "";
  try {
    await work.client.delete({ ...JOBS, ...objectKey(job) }, { propagationPolicy: "Background" });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (!isNotFound(error)) {
      const message = `Deleted job: ${error.message}`;
      await work.events.write(cronJob, { type: "Warning", reason: "FailedDelete", message });
      return error;
    }
  }
  forget(sync, job.metadata.uid);
  await work.events.write(cronJob, { type: "Normal", reason: "SuccessfulDelete", message: `Deleted job ${name}` });
  return undefined;
}

/** Brings the list of active Jobs and the time of the last success up to date. */
export async function observeJobs(work: CronJobWork, sync: CronJobSync): Promise<void> {
  const jobs = jobsOf(work, sync);
  for (const job of jobs) await observe(work, sync, job);
  const known = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { uid, name = "" } of sync.status.active ?? []) {
    if (known.has(uid)) continue;
    forget(sync, uid);
    const message = `Active job went missing: ${name}`;
    await work.events.write(sync.cronJob, { type: "Normal", reason: "MissingJob", message });
  }
}

async function observe(work: CronJobWork, sync: CronJobSync, job: Job): Promise<void> {
  const { cronJob } = sync;
  const { name = "", uid } = job.metadata;
  const isActive = (sync.status.active ?? []).some((active) => active.uid === uid);
  const end = endOf(job);
  if (end === undefined) {
    if (isActive) return;
    const message = `Saw a job that the controller did not create or forgot: ${name}`;
    await work.events.write(cronJob, { type: "Warning", reason: "UnexpectedJob", message });
    return;
  }
  if (isActive) {
    forget(sync, uid);
    const message = `Saw completed job: ${name}, condition: ${end.type}`;
    await work.events.write(cronJob, { type: "Normal", reason: "SawCompletedJob", message });
  }
  const { completionTime } = job.status ?? {};
  const { lastSuccessfulTime } = sync.status;
  if (end.type !== "Complete" || completionTime === undefined || completionTime === null) return;
  if ((lastSuccessfulTime ?? "") < completionTime) sync.status = { ...sync.status, lastSuccessfulTime: completionTime };
}

function jobsOf({ context }: CronJobWork, { cronJob }: CronJobSync): readonly Job[] {
  return ownedBy<Job>(context, JOBS, cronJob);
}

function forget(sync: CronJobSync, uid: string | undefined): void {
  const { active = [], ...rest } = sync.status;
  const left = active.filter((job) => job.uid !== uid);
  sync.status = { ...rest, ...(left.length === 0 ? {} : { active: left }) };
}
