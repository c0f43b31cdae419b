import {
  type ControllerIdentity,
  type InProcessController,
  type KeyedWorker,
  keyOf,
  numberOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, messageOf, objectKey, StatusError, toTime } from "@kubescaffold/k8s";
import type { CronJob, Job } from "@kubescaffold/k8s/batch/v1";
import type { Timer } from "@kubescaffold/platform/clock";
import { deepEqual } from "@kubescaffold/schema/values";

import { eventWriter } from "../event-writer.ts";
import { controllerOf, controllerReference, CRON_JOBS, JOBS, readStored } from "../workload-objects.ts";
import { type CronJobSync, type CronJobWork, deleteJob, limitHistory, observeJobs } from "./cron-job-history.ts";
import type { CronPlan } from "./cron-schedule.ts";

const SCHEDULED_TIMESTAMP = "batch.kubernetes.io/cronjob-scheduled-timestamp";
const MANY_MISSED = 100;

/** Creates Jobs at the times of CronJobs, and deletes old ones. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: CronJobWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
  };
  const timers = new Map<string, Timer>();
  return storeController({
    name: self.name,
    context,
    watches: [CRON_JOBS, JOBS],
    keysOf: ({ groupResource, object }) => {
      if (groupResource.resource === "cronjobs") return [keyOf(objectKey(object))];
      const owner = controllerOf(object);
      return owner?.kind === "CronJob" ? [keyOf({ namespace: object.metadata.namespace ?? "", name: owner.name })] : [];
    },
    initialKeys: () => context.objects.list(CRON_JOBS).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => {
      timers.get(key)?.cancel();
      timers.delete(key);
      const next = await syncCronJob(work, key);
      if (next !== undefined) timers.set(key, timerFor(context, { key, worker, next }));
    },
    onStop: () => {
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  });
}

function timerFor(
  { clock }: ServerContext,
  { key, worker, next }: { readonly key: string; readonly worker: KeyedWorker; readonly next: number },
): Timer {
  return clock.setTimeout(() => worker.add(key), next - clock.now()).unref();
}

// Returns when to look again, in milliseconds since 1970.
async function syncCronJob(work: CronJobWork, key: string): Promise<number | undefined> {
  const cronJob = readStored<CronJob>(work.context, CRON_JOBS, splitKey(key));
  if (cronJob === undefined) return undefined;
  const sync: CronJobSync = { cronJob, status: cronJob.status ?? {} };
  await limitHistory(work, sync);
  await observeJobs(work, sync);
  try {
    if (cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    return await startDueJob(work, sync);
  } finally {
    await writeStatus(work, sync);
  }
}

async function writeStatus({ client }: CronJobWork, { cronJob, status }: CronJobSync): Promise<void> {
  if (deepEqual(status, cronJob.status ?? {})) return;
  const target = { ...CRON_JOBS, ...objectKey(cronJob), subresource: "status" };
  await client.update(target, { ...cronJob, status } as never);
}

// Returns when the next Job is due.
async function startDueJob(work: CronJobWork, sync: CronJobSync): Promise<number | undefined> {
  const { cronJob } = sync;
  const now = work.context.clock.now();
  const { suspend, startingDeadlineSeconds, schedule: text = "", timeZone = "" } = cronJob.spec ?? {};
  const warn = warnings(work, cronJob);
  if (!isTimeZone(timeZone)) {
    const zone = JSON.stringify(timeZone);
    await warn("UnknownTimeZone", `invalid timeZone: ${zone}: unknown time zone ${timeZone}`);
    return undefined;
  }
  if (suspend === true) return undefined;
  // Servers without CronJobs never load the parser.
  const { parseSchedule, planOf, zonedTime } = await import("./cron-schedule.ts");
  const since = Date.parse(sync.status.lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? toTime(now));
  const deadlineMs = numberOf(startingDeadlineSeconds ?? Infinity) * 1000;
  let plan: CronPlan;
  try {
    plan = planOf(parseSchedule(text, timeZone === "" ? "UTC" : timeZone), { since, now, deadlineMs });
  } catch (error) {
    await warn("InvalidSchedule", `invalid schedule: ${text} : ${messageOf(error)}`);
    return undefined;
  }
  if (plan.due === undefined) return plan.next;
  if (plan.count > MANY_MISSED) await warn("TooManyMissedTimes", TOO_MANY_MISSED);
  if (plan.due + deadlineMs < now) {
    const time = new Date(plan.due).toUTCString().replace("GMT", "+0000");
    await warn("MissSchedule", `Missed scheduled time to start a job: ${time}`);
  } else {
    const timestamp = zonedTime(plan.due, timeZone === "" ? "UTC" : timeZone);
    await startJob(work, sync, { due: plan.due, timestamp });
  }
  return plan.next;
}

function warnings(work: CronJobWork, cronJob: CronJob): (reason: string, message: string) => Promise<void> {
  return async (reason, message) => await work.events.write(cronJob, { type: "Warning", reason, message });
}

async function startJob(
  work: CronJobWork,
  sync: CronJobSync,
  { due, timestamp }: { readonly due: number; readonly timestamp: string },
): Promise<void> {
  const { cronJob } = sync;
  const name = `${cronJob.metadata.name ?? ""}-${String(Math.floor(due / 60_000))}`;
  const active = sync.status.active ?? [];
  if (active.some((job) => job.name === name) || sync.status.lastScheduleTime === toTime(due)) return;
  const policy = cronJob.spec?.concurrencyPolicy;
  if (policy === "Forbid" && active.length > 0) {
    await work.events.write(cronJob, { type: "Normal", reason: "JobAlreadyActive", message: ALREADY_ACTIVE });
    return;
  }
  if (policy === "Replace") await deleteActive(work, sync);
  const job = await createJob(work, cronJob, { name, timestamp });
  if (job === undefined) return;
  const { namespace = "", uid = "", resourceVersion = "" } = job.metadata;
  const reference = { apiVersion: "batch/v1", kind: "Job", namespace, name, uid, resourceVersion };
  sync.status = {
    ...sync.status,
    active: [...(sync.status.active ?? []), reference],
    lastScheduleTime: toTime(due),
  };
}

async function deleteActive(work: CronJobWork, sync: CronJobSync): Promise<void> {
  for (const { namespace = "", name = "" } of sync.status.active ?? []) {
    const job = readStored<Job>(work.context, JOBS, { namespace, name });
    const failure = job === undefined ? undefined : await deleteJob(work, sync, job);
    if (failure !== undefined) throw failure;
  }
}

// Returns nothing when the Job exists already and belongs to another owner.
async function createJob(
  work: CronJobWork,
  cronJob: CronJob,
  { name, timestamp }: { readonly name: string; readonly timestamp: string },
): Promise<Job | undefined> {
  const { namespace = "" } = cronJob.metadata;
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace,
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, [SCHEDULED_TIMESTAMP]: timestamp },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  };
  try {
    const created = await work.client.create({ ...JOBS, namespace, name: "" }, job as never);
    const message = `Created job ${name}`;
    await work.events.write(cronJob, { type: "Normal", reason: "SuccessfulCreate", message });
    return created;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const existing = isAlreadyExists(error) ? readStored<Job>(work.context, JOBS, { namespace, name }) : undefined;
    if (existing !== undefined) return isOwned(existing, cronJob) ? existing : undefined;
    await warnings(work, cronJob)("FailedCreate", `Error creating job: ${error.message}`);
    throw error;
  }
}

function isOwned(job: Job, { metadata }: CronJob): boolean {
  return controllerOf(job)?.uid === metadata.uid;
}

const ALREADY_ACTIVE = "Not starting job because prior execution is running and concurrency policy is Forbid";
const TOO_MANY_MISSED =
  "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";

function isTimeZone(name: string): boolean {
  try {
    return name === "" || new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
