import { isNotFound, objectKey, StatusError } from "@kubescaffold/k8s";
import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { toTime } from "../../../clock/clock.ts";
import type { InProcessController, ServerContext } from "../../../pipeline/server-context.ts";
import { keyOf, splitKey } from "../../../storage/object-key.ts";
import type { KeyedWorker } from "../../keyed-worker.ts";
import { controllerUser, storeController } from "../../store-controller.ts";
import { eventWriter } from "../event-writer.ts";
import { controllerOf, isReady, isTerminating, JOBS, PODS, readStored } from "../workload-objects.ts";
import { JOB_CONTROLLER } from "../workload-policies.ts";
import { remainingBackOffMs } from "./job-back-off.ts";
import {
  BACK_OFF_LIMIT_EXCEEDED,
  COMPLETIONS_REACHED,
  DEADLINE_EXCEEDED,
  endOf,
  type JobFinding,
  trueCondition,
  withCondition,
} from "./job-conditions.ts";
import { pendingIndexes } from "./job-indexes.ts";
import {
  hasFailed,
  indexOf,
  isIndexed,
  isSuspended,
  isTracked,
  JOB_NAME_LABEL,
  jobPod,
  replacesOnlyFailed,
  surplusPods,
} from "./job-pods.ts";
import { failedByPolicy, succeededByPolicy } from "./job-policies.ts";
import { type JobSync, type JobWork, observeJob } from "./job-sync.ts";
import { releaseOrphans, removeFinalizer, trackPods } from "./job-tracking.ts";

/** Jobs of other names in `spec.managedBy` are left alone. */
const MANAGED_BY = "kubernetes.io/job-controller";
const MOST_PODS_AT_ONCE = 500;

/** Runs pods of a Job until enough of them have succeeded, or too many have failed. */
export function jobController(context: ServerContext): InProcessController {
  const user = controllerUser(JOB_CONTROLLER);
  const work: JobWork = {
    context,
    client: context.clientFor(user),
    events: eventWriter(context, user, JOB_CONTROLLER),
    backOffs: new Map(),
  };
  return storeController({
    name: JOB_CONTROLLER,
    context,
    watches: [JOBS, PODS],
    keysOf: ({ groupResource, object, kind }) => {
      if (groupResource.resource === "pods") return keysOfPod(object);
      if (kind === "deleted") work.backOffs.delete(object.metadata.uid ?? "");
      return [keyOf(objectKey(object))];
    },
    initialKeys: () => context.objects.list(JOBS).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => await syncJob(work, key, worker),
    onStop: () => work.backOffs.clear(),
  });
}

function keysOfPod(pod: Pod): readonly string[] {
  const namespace = pod.metadata.namespace ?? "";
  const owner = controllerOf(pod);
  if (owner !== undefined) return owner.kind === "Job" ? [keyOf({ namespace, name: owner.name })] : [];
  const name = pod.metadata.labels?.[JOB_NAME_LABEL];
  return name !== undefined && isTracked(pod) ? [keyOf({ namespace, name })] : [];
}

async function syncJob(work: JobWork, key: string, worker: KeyedWorker): Promise<void> {
  const stored = readStored<Job>(work.context, JOBS, splitKey(key));
  await releaseOrphans(work, splitKey(key), stored);
  if (stored === undefined || (stored.spec?.managedBy ?? MANAGED_BY) !== MANAGED_BY) return;
  if (endOf(stored) !== undefined) {
    work.backOffs.delete(stored.metadata.uid ?? "");
    return;
  }
  const sync = observeJob(work, stored);
  const deadlineMs = untilDeadlineMs(sync);
  let finding = earlierFinding(sync) ?? failureOf(sync, deadlineMs) ?? succeededByPolicy(stored, sync.completed);
  let failure: StatusError | undefined;
  if (finding === undefined) {
    if (deadlineMs !== undefined) worker.addAfter(key, deadlineMs);
    const isManaged = stored.metadata.deletionTimestamp === undefined;
    if (isManaged) failure = await managePods(work, sync, (delayMs) => worker.addAfter(key, delayMs));
    finding = successOf(sync);
    if (finding === undefined && isManaged) await reportSuspension(work, sync);
  } else {
    failure = await deletePods(work, sync, { pods: sync.activePods, keepsFinalizer: true });
    // What could not be deleted may still run.
    if (failure !== undefined) finding = undefined;
  }
  await trackPods(work, sync, finding);
  // The worker tries again later.
  if (failure !== undefined) throw failure;
}

function earlierFinding({ status }: JobSync): JobFinding | undefined {
  const found = trueCondition(status, "SuccessCriteriaMet") ?? trueCondition(status, "FailureTarget");
  return found === undefined
    ? undefined
    : { type: found.type, reason: found.reason ?? "", message: found.message ?? "" };
}

function failureOf(sync: JobSync, deadlineMs: number | undefined): JobFinding | undefined {
  const failed = sync.pods.filter((pod) => hasFailed(pod, sync.job));
  const byPolicy = failedByPolicy(sync.job, failed);
  if (byPolicy !== undefined) return byPolicy;
  const limit = sync.job.spec?.backoffLimit ?? 6;
  if (sync.failed > limit || restartsExceed(sync, limit)) return BACK_OFF_LIMIT_EXCEEDED;
  return deadlineMs !== undefined && deadlineMs <= 0 ? DEADLINE_EXCEEDED : undefined;
}

function restartsExceed({ job, pods }: JobSync, limit: number): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending")
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(1, limit);
}

function untilDeadlineMs({ job, status, now }: JobSync): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || status.startTime === undefined || isSuspended(job)) return undefined;
  return Date.parse(status.startTime ?? "") + seconds * 1000 - now;
}

function successOf({ job, succeeded, active }: JobSync): JobFinding | undefined {
  const isComplete = active === 0 && succeeded >= (job.spec?.completions ?? 1);
  return isComplete ? COMPLETIONS_REACHED : undefined;
}

// Creates or deletes pods, never both in one round.
async function managePods(
  work: JobWork,
  sync: JobSync,
  again: (delayMs: number) => void,
): Promise<StatusError | undefined> {
  const { job, activePods, terminating } = sync;
  if (isSuspended(job)) return await deletePods(work, sync, { pods: activePods });
  const wanted = wantedPods(sync);
  const surplus = surplusPods(job, activePods, sync.active - wanted).slice(0, MOST_PODS_AT_ONCE);
  if (surplus.length > 0) return await deletePods(work, sync, { pods: surplus });
  const missing = wanted - sync.active - (replacesOnlyFailed(job) ? terminating : 0);
  if (missing <= 0) return undefined;
  const delayMs = remainingBackOffMs(sync.backOff, sync.now);
  if (delayMs > 0) {
    again(delayMs);
    // As in kube-controller-manager, no pod is reported as active until then.
    sync.active = 0;
    return undefined;
  }
  return await createPods(work, sync, Math.min(missing, MOST_PODS_AT_ONCE));
}

function wantedPods({ job, succeeded, active }: JobSync): number {
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (completions !== undefined) return Math.min(parallelism, Math.max(0, completions - succeeded));
  return succeeded > 0 ? active : parallelism;
}

async function createPods(work: JobWork, sync: JobSync, count: number): Promise<StatusError | undefined> {
  const { job } = sync;
  const others = replacesOnlyFailed(job) ? sync.pods.filter((pod) => isTerminating(pod)) : [];
  const taken = new Set([...sync.completed, ...[...sync.activePods, ...others].map((pod) => indexOf(pod) ?? -1)]);
  const indexes: readonly (number | undefined)[] = isIndexed(job)
    ? pendingIndexes(taken, { count, completions: job.spec?.completions ?? 0 })
    : Array.from({ length: count }, () => undefined);
  const target = { ...PODS, namespace: job.metadata.namespace ?? "", name: "" };
  try {
    for (const index of indexes) {
      const { metadata } = await work.client.create(target, jobPod(job, index) as never);
      sync.active += 1;
      const message = `Created pod: ${metadata.name ?? ""}`;
      await work.events.write(job, { type: "Normal", reason: "SuccessfulCreate", message });
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const message = `Error creating: ${error.message}`;
    await work.events.write(job, { type: "Warning", reason: "FailedCreate", message });
    return error;
  }
}

async function deletePods(
  work: JobWork,
  sync: JobSync,
  { pods, keepsFinalizer = false }: { readonly pods: readonly Pod[]; readonly keepsFinalizer?: boolean },
): Promise<StatusError | undefined> {
  let failure: StatusError | undefined;
  for (const pod of pods) {
    const { namespace = "", name = "" } = pod.metadata;
    try {
      if (!keepsFinalizer) await removeFinalizer(work, pod);
      await work.client.delete({ ...PODS, namespace, name });
      await work.events.write(sync.job, {
        type: "Normal",
        reason: "SuccessfulDelete",
        message: `Deleted pod: ${name}`,
      });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (!isNotFound(error)) {
        failure = error;
        const message = `Error deleting: ${error.message}`;
        await work.events.write(sync.job, { type: "Warning", reason: "FailedDelete", message });
        continue;
      }
    }
    sync.active -= 1;
    sync.terminating += 1;
    if (isReady(pod)) sync.ready -= 1;
  }
  return failure;
}

async function reportSuspension(work: JobWork, sync: JobSync): Promise<void> {
  const former = sync.status.conditions ?? [];
  const time = toTime(sync.now);
  const set = isSuspended(sync.job) ? SUSPENDED : RESUMED;
  const conditions = withCondition(former, set, time);
  const hasChanged = conditions.some((condition, index) => condition !== former[index]);
  if (!hasChanged) return;
  sync.status = { ...sync.status, conditions, ...(set === RESUMED ? { startTime: time } : {}) };
  const reason = set === RESUMED ? "Resumed" : "Suspended";
  await work.events.write(sync.job, { type: "Normal", reason, message: set.message });
}

const SUSPENDED = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" } as const;
const RESUMED = { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" } as const;
