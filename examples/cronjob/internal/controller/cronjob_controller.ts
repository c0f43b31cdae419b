import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreAlreadyExists, ignoreNotFound } from "@kubescaffold/k8s";
import { Job } from "@kubescaffold/k8s/batch/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import {
  type Client,
  type EventRecorder,
  type Manager,
  newControllerManagedBy,
  patch,
  type Reader,
  type RecordedEvent,
  type ReconcileContext,
  type Request,
  type Result,
  type Stored,
} from "@kubescaffold/runtime";

import { CronJob, type CronJobStatus } from "../../api/v1/cronjob_types.ts";
import { InvalidScheduleError, Schedule, TooManyMissedRunsError } from "../schedule/schedule.ts";
import { conditionsOf, type Plan } from "./cronjob_conditions.ts";
import {
  byState,
  CONTROLLER_FIELD,
  controllersOf,
  expiredJobs,
  formatTime,
  type JobsByState,
  newJob,
  referenceOf,
  scheduledTime,
} from "./cronjob_jobs.ts";

/** CronJobReconciler reconciles CronJob objects. */
export class CronJobReconciler {
  readonly client: Client;
  #clock: Clock = realClock;
  #reader: Pick<Reader, "get">;
  #recorder: EventRecorder | undefined;

  constructor(client: Client) {
    this.client = client;
    this.#reader = client;
  }

  // The minimal permissions: the garbage collector deletes the Jobs of a deleted CronJob. API servers can require the permission on finalizers to
  // set owner references.
  // +kubebuilder:rbac:groups=batch.demo,resources=cronjobs,verbs=get;list;watch
  // +kubebuilder:rbac:groups=batch.demo,resources=cronjobs/status,verbs=patch
  // +kubebuilder:rbac:groups=batch.demo,resources=cronjobs/finalizers,verbs=update
  // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create;delete
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

  /** Updates the status, deletes expired Jobs, starts the run that is due, and returns the time until the next run. */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(CronJob, request));
    if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return {};
    const now = new Date(this.#clock.now());
    const { namespace, name } = request;
    const { items } = await this.client.list(Job, { namespace, fields: { [CONTROLLER_FIELD]: name } });
    // An earlier CronJob with the same name may have left Jobs, which the garbage collector deletes.
    const own = items.filter((job) => isControlledBy(owner, job));
    const jobs = byState(own);
    const lastRun = lastRunOf(owner, own);
    const plan = planOf(owner, { lastRun, now });
    // Precedes the deletion of Jobs, which record their scheduled times otherwise.
    await this.#report(owner, { plan, jobs, lastRun, now });
    await this.#deleteJobs(owner, expiredJobs(owner, jobs), "JobExpired");
    if (plan.kind === "failed") this.#tell(owner, { type: "Warning", reason: plan.reason, note: plan.message });
    if (plan.kind !== "scheduled") return {};
    if (plan.missed !== undefined) await this.#run(owner, plan.missed, jobs, context);
    return plan.next === undefined ? {} : { requeueAfterMs: Math.max(1, plan.next.getTime() - now.getTime()) };
  }

  /** Registers the controller with the manager, whose clock determines when runs are due. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#clock = mgr.getClock();
    this.#reader = mgr.getApiReader();
    this.#recorder = mgr.getEventRecorder("cronjob-controller");
    await mgr.getFieldIndexer().indexField(Job, CONTROLLER_FIELD, controllersOf);
    await newControllerManagedBy(mgr).for(CronJob).owns(Job).named("cronjob").complete(this);
  }

  async #run(
    owner: DeepReadonly<Stored<CronJob>>,
    scheduled: Date,
    { active }: JobsByState,
    { log }: ReconcileContext,
  ): Promise<void> {
    if (owner.spec.concurrencyPolicy === "Forbid" && active.length > 0) {
      const note = `the run at ${formatTime(scheduled)} does not start while ${jobNames(active)} is active`;
      this.#tell(owner, { type: "Normal", reason: "JobAlreadyActive", note });
      return;
    }
    // Bypasses the cache, which may lag behind the deletion of the Job of this run.
    const latest = await ignoreNotFound(this.#reader.get(CronJob, keyOf(owner)));
    if (latest?.metadata.uid !== owner.metadata.uid || isAfter(latest?.status?.lastScheduleTime, scheduled)) return;
    if (owner.spec.concurrencyPolicy === "Replace") await this.#deleteJobs(owner, active, "JobReplaced");
    const job = newJob(owner, scheduled);
    if ((await this.#create(owner, job)) === undefined) return;
    const note = `created Job ${job.metadata.name ?? ""}`;
    this.#tell(owner, { type: "Normal", reason: "JobCreated", note, related: job });
    log.info("Created a Job", { job: job.metadata.name, scheduled: formatTime(scheduled) });
  }

  // The cache may not have the Job of this run yet.
  async #create(owner: DeepReadonly<Stored<CronJob>>, job: Job): Promise<Job | undefined> {
    try {
      return await ignoreAlreadyExists(this.client.create(job));
    } catch (error) {
      const note = `cannot create Job ${job.metadata.name ?? ""}: ${String(error)}`;
      this.#tell(owner, { type: "Warning", reason: "CreateFailed", note });
      throw error;
    }
  }

  async #deleteJobs(
    owner: DeepReadonly<Stored<CronJob>>,
    jobs: readonly DeepReadonly<Stored<Job>>[],
    reason: "JobExpired" | "JobReplaced",
  ): Promise<void> {
    for (const job of jobs) {
      // Otherwise, the API server would keep the Pods of the Job.
      await ignoreNotFound(this.client.delete(job, { propagationPolicy: "Background" }));
      this.#tell(owner, { type: "Normal", reason, note: `deleted Job ${job.metadata.name}` });
    }
  }

  async #report(owner: DeepReadonly<Stored<CronJob>>, { plan, jobs, lastRun, now }: Observed): Promise<void> {
    const { lastScheduleTime: _lastScheduleTime, active: _active, ...others } = owner.status ?? {};
    const status: CronJobStatus = {
      ...others,
      ...(jobs.active.length === 0 ? {} : { active: jobs.active.map(referenceOf) }),
      ...(lastRun === undefined ? {} : { lastScheduleTime: formatTime(lastRun) }),
      conditions: conditionsOf(owner, plan, jobs, now),
    };
    if (isDeepStrictEqual(status, owner.status)) return;
    await this.client.status().patch({ ...owner, status }, patch.mergeFrom(owner, { optimisticLock: true }));
  }

  #tell(owner: DeepReadonly<Stored<CronJob>>, event: Omit<RecordedEvent, "action">): void {
    this.#recorder?.event(owner, { ...event, action: "Reconcile" });
  }
}

interface Observed {
  readonly plan: Plan;
  readonly jobs: JobsByState;
  readonly lastRun: Date | undefined;
  readonly now: Date;
}

// The status contains runs whose Jobs were deleted, and Jobs those that the status does not contain yet.
function lastRunOf(
  { status }: DeepReadonly<Stored<CronJob>>,
  jobs: readonly DeepReadonly<Stored<Job>>[],
): Date | undefined {
  const inStatus = status?.lastScheduleTime === undefined ? [] : [new Date(status.lastScheduleTime)];
  const runs = [...inStatus, ...jobs.flatMap((job) => scheduledTime(job) ?? [])];
  return runs.toSorted((left, right) => left.getTime() - right.getTime()).at(-1);
}

function planOf(
  { spec, metadata }: DeepReadonly<Stored<CronJob>>,
  { lastRun, now }: { lastRun: Date | undefined; now: Date },
): Plan {
  try {
    const schedule = Schedule.parse(spec.schedule);
    if (spec.suspend === true) return { kind: "suspended" };
    const earliest = lastRun ?? new Date(metadata.creationTimestamp ?? now);
    const deadlineMs = (spec.startingDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
    const since = new Date(Math.max(earliest.getTime(), now.getTime() - deadlineMs));
    return { kind: "scheduled", ...schedule.runs({ since, now }) };
  } catch (error) {
    if (error instanceof InvalidScheduleError)
      return { kind: "failed", reason: "InvalidSchedule", message: error.message };
    if (error instanceof TooManyMissedRunsError)
      return { kind: "failed", reason: "TooManyMissedRuns", message: error.message };
    throw error;
  }
}

function isControlledBy({ metadata }: DeepReadonly<Stored<CronJob>>, job: DeepReadonly<Stored<Job>>): boolean {
  return (job.metadata.ownerReferences ?? []).some(
    ({ controller, uid }) => controller === true && uid === metadata.uid,
  );
}

function isAfter(lastScheduleTime: string | undefined, scheduled: Date): boolean {
  return lastScheduleTime !== undefined && Date.parse(lastScheduleTime) >= scheduled.getTime();
}

function keyOf({ metadata }: DeepReadonly<Stored<CronJob>>): Request {
  return { name: metadata.name, namespace: metadata.namespace };
}

function jobNames(jobs: readonly DeepReadonly<Stored<Job>>[]): string {
  return jobs.map(({ metadata }) => metadata.name).join(", ");
}
