import { storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, toTime } from "@kubescaffold/k8s";
import type { Job } from "@kubescaffold/k8s/batch/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { controllerOf, JOBS, PODS, readStored } from "../workload-objects.ts";
import { endOf, type JobFinding, withCondition } from "./job-conditions.ts";
import { countsFor, hasFailed, indexOf, isIndexed, isManaged, isTracked, JOB_FINALIZER } from "./job-pods.ts";
import { countsAsFailure } from "./job-policies.ts";
import { type JobSync, type JobWork, writeStatus } from "./job-sync.ts";

const STRATEGIC = "application/strategic-merge-patch+json";
const MOST_UNCOUNTED = 500;

/**
 * Counts the pods that have ended in the status of their Job, and lets them go.
 *
 * Guarantees: a pod is counted once. Its uid is in the status before its finalizer is removed, and is counted after that.
 */
export async function trackPods(work: JobWork, sync: JobSync, finding: JobFinding | undefined): Promise<void> {
  const { job } = sync;
  const tracked = sync.pods.filter((pod) => isTracked(pod));
  moveUncounted(sync, new Set(tracked.map(uidOf)));
  const ended = tracked.filter((pod) => isReleased(sync, pod, finding));
  const released = ended.slice(0, MOST_UNCOUNTED);
  addUncounted(sync, released, finding);
  if (isIndexed(job)) {
    sync.status = {
      ...sync.status,
      succeeded: sync.completed.size,
      completedIndexes: sync.completed.toString(),
      ...(sync.indexFailures === undefined ? {} : { failedIndexes: sync.indexFailures.failed.toString() }),
    };
  }
  if (finding !== undefined) setCondition(sync, finding);
  await writeStatus(work, sync);
  for (const pod of released) await removeFinalizer(work, pod);
  const gone = new Set(released.map(uidOf));
  moveUncounted(sync, new Set(tracked.map(uidOf).filter((uid) => !gone.has(uid))));
  const hasEnded = finding !== undefined && ended.length === released.length && sync.terminating === 0;
  if (hasEnded) finish(sync, finding);
  await writeStatus(work, sync);
  if (hasEnded) await reportEnd(work, sync.job, finding);
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}

function isReleased({ job, indexFailures }: JobSync, pod: Pod, finding: JobFinding | undefined): boolean {
  const isOver = finding !== undefined || job.metadata.deletionTimestamp !== undefined;
  if (isOver || pod.status?.phase === "Succeeded") return true;
  // The next pod of its index takes its counts over first.
  const isAwaited = indexFailures?.replaced.get(indexOf(pod) ?? -1)?.metadata.uid === pod.metadata.uid;
  return hasFailed(pod, job) && !isAwaited;
}

// When a Job has failed, every pod that has not succeeded has failed.
function addUncounted(sync: JobSync, released: readonly Pod[], finding: JobFinding | undefined): void {
  const { job, status } = sync;
  const succeeded = new Set(status.uncountedTerminatedPods?.succeeded);
  const failed = new Set(status.uncountedTerminatedPods?.failed);
  for (const pod of released) {
    const isFailure = hasFailed(pod, job) || finding?.type === "FailureTarget";
    if (pod.status?.phase === "Succeeded" && !failed.has(uidOf(pod))) {
      if (!isIndexed(job)) succeeded.add(uidOf(pod));
    } else if (isFailure && countsFor(job, pod) && countsAsFailure(job, pod)) failed.add(uidOf(pod));
  }
  sync.status = { ...status, uncountedTerminatedPods: uncountedOf([...succeeded], [...failed]) };
}

// Pods without the finalizer are counted for good.
function moveUncounted(sync: JobSync, tracked: ReadonlySet<string>): void {
  const { succeeded = [], failed = [] } = sync.status.uncountedTerminatedPods ?? {};
  const [waitingSuccesses, waitingFailures] = [succeeded, failed].map((uids) => uids.filter((uid) => tracked.has(uid)));
  sync.status = {
    ...sync.status,
    succeeded: (sync.status.succeeded ?? 0) + succeeded.length - (waitingSuccesses ?? []).length,
    failed: (sync.status.failed ?? 0) + failed.length - (waitingFailures ?? []).length,
    uncountedTerminatedPods: uncountedOf(waitingSuccesses ?? [], waitingFailures ?? []),
  };
}

function uncountedOf(succeeded: string[], failed: string[]): { succeeded?: string[]; failed?: string[] } {
  return { ...(succeeded.length > 0 ? { succeeded } : {}), ...(failed.length > 0 ? { failed } : {}) };
}

function setCondition(sync: JobSync, finding: JobFinding): void {
  const conditions = withCondition(sync.status.conditions ?? [], { ...finding, status: "True" }, toTime(sync.now));
  sync.status = { ...sync.status, conditions };
}

function finish(sync: JobSync, finding: JobFinding): void {
  const isComplete = finding.type === "SuccessCriteriaMet";
  setCondition(sync, { ...finding, type: isComplete ? "Complete" : "Failed" });
  if (isComplete) sync.status = { ...sync.status, completionTime: toTime(sync.now) };
}

async function reportEnd(work: JobWork, job: Job, finding: JobFinding): Promise<void> {
  const { reason, message } = finding;
  if (finding.type !== "SuccessCriteriaMet") {
    await work.events.write(job, { type: "Warning", reason, message });
    return;
  }
  if ((job.status?.succeeded ?? 0) > (job.spec?.completions ?? Infinity)) {
    const tooMany = "Too many succeeded pods running after completion count reached";
    await work.events.write(job, { type: "Warning", reason: "TooManySucceededPods", message: tooMany });
  }
  await work.events.write(job, { type: "Normal", reason: "Completed", message: "Job completed" });
}

/** Lets a pod of a Job go. */
export async function removeFinalizer({ client }: JobWork, pod: Pod): Promise<void> {
  const { namespace = "", name = "", uid } = pod.metadata;
  const body = { metadata: { uid, "$deleteFromPrimitiveList/finalizers": [JOB_FINALIZER] } };
  try {
    await client.patch({ ...PODS, namespace, name }, { contentType: STRATEGIC, body });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Lets the pods go whose Job of this name no longer exists, or has ended. */
export async function releaseOrphans(
  work: JobWork,
  key: { readonly namespace: string; readonly name: string },
  job: Job | undefined,
): Promise<void> {
  const hasEnded = job !== undefined && isManaged(job) && endOf(job) !== undefined;
  const pods = work.context.objects.list(PODS, key.namespace) as unknown as readonly Pod[];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (!isTracked(pod) || owner?.kind !== "Job" || owner.name !== key.name) continue;
    if (hasEnded || owner.uid !== job?.metadata.uid) await removeFinalizer(work, pod);
  }
}

/** Lets a pod go that no Job controls or may adopt. */
export async function releaseOrphan(
  work: JobWork,
  key: { readonly namespace: string; readonly name: string },
): Promise<void> {
  const pod = readStored<Pod>(work.context, PODS, key);
  if (pod === undefined || controllerOf(pod) !== undefined || !isTracked(pod)) return;
  const jobs = work.context.objects.list(JOBS, key.namespace) as unknown as readonly Job[];
  const isAdopted = jobs.some(
    (job) =>
      job.metadata.deletionTimestamp === undefined &&
      endOf(job) === undefined &&
      storedSelectorMatcher(job.spec?.selector)(pod.metadata.labels),
  );
  if (!isAdopted) await removeFinalizer(work, pod);
}
