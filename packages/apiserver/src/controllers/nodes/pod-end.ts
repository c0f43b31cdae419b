import { objectKey, toTime } from "@kubescaffold/k8s";
import type { Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import type { ContainerRuntime } from "../../containers/container-runtime.ts";
import type { InternalClient, ServerContext } from "../../pipeline/server-context.ts";
import { numberOf } from "../../resources/fields.ts";
import type { KeyedWorker } from "../keyed-worker.ts";
import { controllerOf, hasEnded, PODS } from "../workload/workload-objects.ts";
import { podConditions } from "./pod-conditions.ts";
import type { PodFailures } from "./pod-failures.ts";
import { killedStatus } from "./pod-status.ts";

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

/** Stops the containers of a deleted pod, and deletes it when they have ended, or when its grace period is over. */
export async function endDeleted(work: PodEnding, { pod, key, kubelet }: EndedPod, worker: KeyedWorker): Promise<void> {
  const { uid = "", finalizers = [], deletionGracePeriodSeconds: grace } = pod.metadata;
  const isHeld = finalizers.length > 0 && grace === 0;
  const hasStopped = work.containers.terminate(uid, grace === undefined ? undefined : numberOf(grace)) || isHeld;
  await work.failures.reportEvents(pod, work.containers.containersOf(uid));
  if (!hasStopped && !isOverdue(work, pod, key, worker)) return;
  if ((await reportEnd(work, kubelet, pod)) || isHeld) return;
  const target = { ...PODS, ...objectKey(pod) };
  await kubelet.delete(target, { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 });
}

// Reports whether the grace period of a deleted pod is over; otherwise the pod is looked at again then.
function isOverdue({ context }: PodEnding, pod: Pod, key: string, worker: KeyedWorker): boolean {
  const overdueAt = Date.parse(pod.metadata.deletionTimestamp ?? "");
  const remainingMs = overdueAt - context.clock.now();
  if (remainingMs > 0) worker.addAfter(key, remainingMs);
  return !(remainingMs > 0);
}

// A pod that its Job still has to count must say how it ended. Reports whether it was told now.
async function reportEnd(work: PodEnding, kubelet: InternalClient, pod: Pod): Promise<boolean> {
  const { namespace = "", name = "", uid = "", finalizers = [] } = pod.metadata;
  if (!isOfJob(pod) || finalizers.length === 0 || hasEnded(pod)) return false;
  const time = toTime(work.context.clock.now());
  const simulated = work.containers.containersOf(uid).map((container) => container.status());
  // Those that still run are killed.
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((reported) =>
    killedStatus(simulated.find(({ name: each }) => each === reported.name) ?? reported, time),
  );
  const hasSucceeded =
    containerStatuses.length > 0 && containerStatuses.every(({ state }) => state?.terminated?.exitCode === 0);
  const ended = hasSucceeded ? "Succeeded" : "Failed";
  const conditions = podConditions(pod, { phase: ended }, time);
  const known = new Set(conditions.map(({ type }) => type));
  const status: PodStatus = {
    ...pod.status,
    phase: ended,
    conditions: [...(pod.status?.conditions ?? []).filter(({ type }) => !known.has(type)), ...conditions],
    containerStatuses,
  };
  await kubelet.update({ ...PODS, namespace, name, subresource: "status" }, { ...pod, status } as never);
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
  work.containers.terminate(pod.metadata.uid ?? "");
  return true;
}

/** Reports whether a Job controls a pod. */
export function isOfJob(pod: Pod): boolean {
  return controllerOf(pod)?.kind === "Job";
}
