import { isNotFound, StatusError } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { slowStart } from "../slow-start.ts";
import { isReady, isTerminating, PODS } from "../workload-objects.ts";
import { remainingBackOffMs } from "./job-back-off.ts";
import { failureAnnotations, indexBackOffMs } from "./job-index-failures.ts";
import { indexOf, isIndexed, isSuspended, jobPod, replacesOnlyFailed, surplusPods } from "./job-pods.ts";
import type { JobSync, JobWork } from "./job-sync.ts";
import { removeFinalizer } from "./job-tracking.ts";

const MOST_PODS_AT_ONCE = 500;

/** Creates or deletes pods of a Job, never both in one round; calls `again` with the time after which failed pods may be replaced, in milliseconds. */
export async function managePods(
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
  const { indexes, delayMs } = nextIndexes(sync, Math.min(missing, MOST_PODS_AT_ONCE));
  if (delayMs > 0) {
    again(delayMs);
    // As in kube-controller-manager, no pod is reported as active until then.
    sync.active = 0;
    return undefined;
  }
  return await createPods(work, sync, { indexes, isAll: missing <= MOST_PODS_AT_ONCE, again });
}

function wantedPods({ job, succeeded, active }: JobSync): number {
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (completions !== undefined) return Math.min(parallelism, Math.max(0, completions - succeeded));
  return succeeded > 0 ? active : parallelism;
}

/** Pods to create. */
interface NextPods {
  /** Their indexes; undefined for each pod of a Job without indexes. */
  readonly indexes: readonly (number | undefined)[];
  /** How long all of them have to wait, in milliseconds. */
  readonly delayMs: number;
}

function nextIndexes(sync: JobSync, count: number): NextPods {
  const { job, indexFailures } = sync;
  const delayMs = indexFailures === undefined ? remainingBackOffMs(sync.backOff, sync.now) : 0;
  if (!isIndexed(job)) return { indexes: Array.from({ length: count }, () => undefined), delayMs };
  const others = replacesOnlyFailed(job) ? sync.pods.filter((pod) => isTerminating(pod)) : [];
  const busy = [...sync.activePods, ...others].map((pod) => indexOf(pod) ?? -1);
  const ended = indexFailures === undefined ? sync.completed : sync.completed.union(indexFailures.failed);
  const indexes = ended.with(busy).firstMissing({ count, completions: job.spec?.completions ?? 0 });
  if (indexFailures === undefined) return { indexes, delayMs };
  const delays = indexes.map((index) => indexBackOffMs(indexFailures.replaced.get(index), sync.now));
  const ready = indexes.filter((_, position) => delays[position] === 0);
  return { indexes: ready, delayMs: ready.length > 0 || delays.length === 0 ? 0 : Math.min(...delays) };
}

async function createPods(
  work: JobWork,
  sync: JobSync,
  {
    indexes,
    isAll,
    again,
  }: {
    readonly indexes: NextPods["indexes"];
    /** Whether the Job wants no more pods than one round may create. */
    readonly isAll: boolean;
    readonly again: (delayMs: number) => void;
  },
): Promise<StatusError | undefined> {
  const { namespace = "" } = sync.job.metadata;
  const granted = work.pace.take(namespace, indexes.length);
  const create = async (index: number | undefined): Promise<void> => await createPod(work, sync, index);
  const { succeeded, failures } = await slowStart(indexes.slice(0, granted), create);
  work.pace.giveBack(namespace, granted - succeeded);
  const isLimited = granted < indexes.length || !isAll;
  if (isLimited && failures.length === 0) again(work.pace.untilMoreMs(namespace, indexes.length));
  for (const error of failures) {
    if (!(error instanceof StatusError)) throw error;
    const message = `Error creating: ${error.message}`;
    await work.events.write(sync.job, { type: "Warning", reason: "FailedCreate", message });
  }
  return failures[0] as StatusError | undefined;
}

async function createPod(work: JobWork, sync: JobSync, index: number | undefined): Promise<void> {
  const { job, indexFailures } = sync;
  const replaced = index === undefined ? undefined : indexFailures?.replaced.get(index);
  const planned = {
    ...(index === undefined ? {} : { index }),
    ...(indexFailures === undefined ? {} : { annotations: failureAnnotations(job, replaced) }),
  };
  const target = { ...PODS, namespace: job.metadata.namespace ?? "", name: "" };
  const { metadata } = await work.client.create(target, jobPod(job, planned) as never);
  sync.active += 1;
  const message = `Created pod: ${metadata.name ?? ""}`;
  await work.events.write(job, { type: "Normal", reason: "SuccessfulCreate", message });
}

/** Deletes pods of a Job; with `keepsFinalizer`, they stay until they are counted. */
export async function deletePods(
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
