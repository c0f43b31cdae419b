import {
  type InternalClient,
  type KeyedWorker,
  numberOf,
  type ServerContext,
} from "@kubescaffold/apiserver/cluster-api";
import { objectKey, toTime } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { controllerOf, hasEnded, PODS } from "../controllers/workload/workload-objects.ts";
import type { ContainerRuntime } from "./containers/container-runtime.ts";
import { finalStatus } from "./final-status.ts";
import type { PodFailures } from "./pod-failures.ts";

/** What the end of a pod needs. */
export interface PodEnding {
  readonly context: ServerContext;
  readonly containers: ContainerRuntime;
  readonly failures: PodFailures;
}

/** A pod, its key, and the client of its node. */
export interface EndedPod {
  readonly pod: Pod;
  readonly key: string;
  readonly kubelet: InternalClient;
}

// The server removes a pod without a grace period by itself, unless it stopped between the mark and the removal.
const REMOVAL_MS = 1000;

/**
 * Stops the containers of a deleted pod. When they have ended, or its grace period is over, the last status of the pod is reported, and the pod is deleted.
 *
 * Guarantees: the report and the delete are two rounds of work, so that watches see how the pod has ended.
 */
export async function endDeleted(work: PodEnding, { pod, key, kubelet }: EndedPod, worker: KeyedWorker): Promise<void> {
  const { uid = "", finalizers = [], deletionGracePeriodSeconds } = pod.metadata;
  const grace = numberOf(deletionGracePeriodSeconds ?? 0);
  const isHeld = finalizers.length > 0 && grace === 0;
  const hasStopped = work.containers.terminate(uid, grace) || isHeld;
  await work.failures.reportEvents(pod, work.containers.containersOf(uid));
  const isRemoved = grace === 0 && !isHeld;
  if (isRemoved && !isOverdue(work, { pod, key }, { worker, afterMs: REMOVAL_MS })) return;
  if (!hasStopped && !isOverdue(work, { pod, key }, { worker, afterMs: 0 })) return;
  if ((!isRemoved && (await reportEnd(work, kubelet, pod))) || isHeld) return;
  const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0, preconditions: { uid } };
  await kubelet.delete({ ...PODS, ...objectKey(pod) }, options);
}

// Reports whether the time of a deleted pod is over; otherwise the pod is looked at again then.
function isOverdue(
  { context }: PodEnding,
  { pod, key }: Pick<EndedPod, "pod" | "key">,
  { worker, afterMs }: { readonly worker: KeyedWorker; readonly afterMs: number },
): boolean {
  const overdueAt = Date.parse(pod.metadata.deletionTimestamp ?? "") + afterMs;
  const remainingMs = overdueAt - context.clock.now();
  if (remainingMs > 0) worker.addAfter(key, remainingMs);
  return !(remainingMs > 0);
}

// Reports whether the end of a pod was reported now.
async function reportEnd(work: PodEnding, kubelet: InternalClient, pod: Pod): Promise<boolean> {
  // A test writes the status of this pod.
  const isManual = work.containers.faults.faultOf(pod)?.kind === "manual";
  if (isManual || hasEnded(pod)) return false;
  const simulated = work.containers.containersOf(pod.metadata.uid ?? "").map((container) => container.status());
  const { release, clock } = work.context;
  const status = finalStatus(pod, simulated, { release, time: toTime(clock.now()) });
  await kubelet.update({ ...PODS, ...objectKey(pod), subresource: "status" }, { ...pod, status } as never);
  return true;
}

/** Fails a pod whose active deadline is over; reports whether it did. */
export async function endAfterDeadline(
  work: PodEnding,
  { pod, key, kubelet }: EndedPod,
  worker: KeyedWorker,
): Promise<boolean> {
  const { activeDeadlineSeconds } = pod.spec ?? {};
  const { startTime } = pod.status ?? {};
  if (activeDeadlineSeconds === undefined || startTime === undefined) return false;
  const remainingMs = Date.parse(startTime) + activeDeadlineSeconds * 1000 - work.context.clock.now();
  if (remainingMs > 0) {
    worker.addAfter(key, remainingMs);
    return false;
  }
  await work.failures.exceedDeadline(pod, kubelet);
  await stopContainers(work, pod);
  return true;
}

/** Stops the containers of a pod that has failed as a whole. */
export async function stopContainers({ containers, failures }: PodEnding, pod: Pod): Promise<void> {
  const { uid = "" } = pod.metadata;
  containers.terminate(uid);
  await failures.reportEvents(pod, containers.containersOf(uid));
}

/** Reports whether a Job controls a pod. */
export function isOfJob(pod: Pod): boolean {
  return controllerOf(pod)?.kind === "Job";
}
