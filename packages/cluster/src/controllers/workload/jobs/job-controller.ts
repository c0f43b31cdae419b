import {
  type ControllerIdentity,
  type InProcessController,
  type KeyedWorker,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { objectKey, toTime } from "@kubescaffold/k8s";
import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { claimPods, ownerKeys } from "../controller-refs.ts";
import { CreationPace } from "../creation-pace.ts";
import { eventWriter } from "../event-writer.ts";
import { controllerOf, JOBS, PODS, readStored } from "../workload-objects.ts";
import { endOf, withCondition } from "./job-conditions.ts";
import { completionOf, outcomeOf, untilDeadlineMs } from "./job-outcome.ts";
import { deletePods, managePods } from "./job-pod-control.ts";
import { isManaged, isSuspended, isTracked, JOB_FINALIZER } from "./job-pods.ts";
import { type JobSync, type JobWork, observeJob } from "./job-sync.ts";
import { releaseOrphan, releaseOrphans, trackPods } from "./job-tracking.ts";

/** Marks the key of a pod that has no Job any more. */
const ORPHAN = "pod:";

/** Runs pods of a Job until enough of them have succeeded, or too many have failed. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: JobWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
    backOffs: new Map(),
    pace: new CreationPace(context.clock),
  };
  return storeController({
    name: self.name,
    context,
    watches: [JOBS, PODS],
    keysOf: (event) => {
      if (event.groupResource.resource === "pods") return keysOfPod(context, event);
      if (event.kind === "deleted") work.backOffs.delete(event.object.metadata.uid ?? "");
      return [keyOf(objectKey(event.object))];
    },
    initialKeys: () => initialKeys(context),
    work: async (key, worker) => {
      if (key.startsWith(ORPHAN)) await releaseOrphan(work, splitKey(key.slice(ORPHAN.length)));
      else await syncJob(work, key, worker);
    },
    onStop: () => work.backOffs.clear(),
  });
}

function keysOfPod(context: ServerContext, event: StoreEvent): readonly string[] {
  const owners = ownerKeys(context, event, {
    kind: "Job",
    resource: JOBS,
    selectorOf: (job) => (job as unknown as Job).spec?.selector,
  });
  return [...owners, ...orphanKeys(event.object)];
}

function orphanKeys(pod: Pod): readonly string[] {
  return controllerOf(pod) === undefined && isTracked(pod) ? [`${ORPHAN}${keyOf(objectKey(pod))}`] : [];
}

// Jobs, the Jobs that pods wait for, and the pods without one.
function initialKeys({ objects }: ServerContext): readonly string[] {
  const pods = (objects.list(PODS) as unknown as readonly Pod[]).filter((pod) => isTracked(pod));
  const owners = pods.flatMap((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === "Job" ? [keyOf({ namespace: pod.metadata.namespace ?? "", name: owner.name })] : [];
  });
  const jobs = objects.list(JOBS).map((object) => keyOf(objectKey(object)));
  return [...jobs, ...owners, ...pods.flatMap((pod) => orphanKeys(pod))];
}

async function syncJob(work: JobWork, key: string, worker: KeyedWorker): Promise<void> {
  const job = readStored<Job>(work.context, JOBS, splitKey(key));
  await releaseOrphans(work, splitKey(key), job);
  if (job === undefined || !isManaged(job)) return;
  if (endOf(job) !== undefined) {
    work.backOffs.delete(job.metadata.uid ?? "");
    return;
  }
  const sync = observeJob(work, job, await podsOf(work, job));
  let finding = outcomeOf(sync);
  let failure: Error | undefined;
  if (finding === undefined) {
    const deadlineMs = untilDeadlineMs(sync);
    if (deadlineMs !== undefined) worker.addAfter(key, deadlineMs);
    const isGoing = job.metadata.deletionTimestamp !== undefined;
    if (!isGoing) failure = await managePods(work, sync, (delayMs) => worker.addAfter(key, delayMs));
    finding = completionOf(sync);
    if (finding === undefined && !isGoing) await reportSuspension(work, sync);
  } else {
    failure = await deletePods(work, sync, { pods: sync.activePods, keepsFinalizer: true });
    // What could not be deleted may still run.
    if (failure !== undefined) finding = undefined;
  }
  await trackPods(work, sync, finding);
  // The worker tries again later.
  if (failure !== undefined) throw failure;
}

async function podsOf({ context, client }: JobWork, job: Job): Promise<readonly Pod[]> {
  const { selector } = job.spec ?? {};
  return await claimPods(context, client, { owner: job, ownedBy: JOBS, selector, finalizers: [JOB_FINALIZER] });
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
