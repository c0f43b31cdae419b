import type { Container, Pod, PodCondition } from "@kubescaffold/k8s/core/v1";

import type { ContainerEvent } from "./containers/probes/probes.ts";
import type { Allocation } from "./pod-allocations.ts";

const [PENDING, IN_PROGRESS] = ["PodResizePending", "PodResizeInProgress"] as const;

/** How far the resize of a pod is. */
export interface ResizeProgress {
  readonly pod: Pod;
  readonly allocation: Allocation;
  /** Whether containers restart with their new resources. */
  readonly isRestarting: boolean;
}

/** Reports whether a condition is about the resize of a pod. */
export function isResizeCondition({ type }: Pick<PodCondition, "type">): boolean {
  return type === PENDING || type === IN_PROGRESS;
}

/** Returns the conditions of a pod about its resize; those that it has stay as they are if nothing has changed. */
export function resizeConditions(progress: ResizeProgress, time: string): readonly PodCondition[] {
  const { allocation, pod } = progress;
  const observedGeneration = pod.metadata.generation ?? 1;
  const { refusal } = allocation;
  return [
    ...(refusal === undefined ? [] : [updated(pod, { type: PENDING, ...refusal, observedGeneration }, time)]),
    ...(isInProgress(progress)
      ? [updated(pod, { type: IN_PROGRESS, observedGeneration: startedGeneration(progress) }, time)]
      : []),
  ];
}

/** Returns the events of a kubelet about what has changed in the resize of a pod. */
export function resizeEvents(progress: ResizeProgress): readonly ContainerEvent[] {
  const { allocation, pod } = progress;
  const { refusal, isResized } = allocation;
  const { generation = 1 } = pod.metadata;
  const pending = conditionOf(pod, PENDING);
  const isRefusedNow =
    refusal !== undefined && (pending?.reason !== refusal.reason || pending.observedGeneration !== generation);
  const isCompleted = (isResized || conditionOf(pod, IN_PROGRESS) !== undefined) && !isInProgress(progress);
  return [
    ...(isRefusedNow ? [refusalEvent(pod, refusal)] : []),
    ...(isResized ? [normal("ResizeStarted", `Pod resize started: ${summary(pod, { generation })}`)] : []),
    ...(isCompleted
      ? [
          normal(
            "ResizeCompleted",
            `Pod resize completed: ${summary(allocation.pod, { generation: startedGeneration(progress) })}`,
          ),
        ]
      : []),
  ];
}

function refusalEvent(pod: Pod, { reason, message }: NonNullable<Allocation["refusal"]>): ContainerEvent {
  const text = summary(pod, { generation: pod.metadata.generation ?? 1, error: message });
  return { type: "Warning", reason: `Resize${reason}`, message: `Pod resize ${reason}: ${text}` };
}

function normal(reason: string, message: string): ContainerEvent {
  return { type: "Normal", reason, message };
}

function isInProgress({ pod, allocation, isRestarting }: ResizeProgress): boolean {
  return isRestarting && (allocation.isResized || conditionOf(pod, IN_PROGRESS) !== undefined);
}

// Of the spec whose resources the containers get, which may be an older one.
function startedGeneration({ pod, allocation }: ResizeProgress): number {
  const { generation = 1 } = pod.metadata;
  return allocation.isResized ? generation : (conditionOf(pod, IN_PROGRESS)?.observedGeneration ?? generation);
}

function conditionOf({ status }: Pod, wanted: string): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === wanted);
}

function updated(
  pod: Pod,
  condition: Pick<PodCondition, "type" | "reason" | "message" | "observedGeneration">,
  time: string,
): PodCondition {
  const former = conditionOf(pod, condition.type);
  const isSame =
    former?.reason === condition.reason &&
    former?.message === condition.message &&
    former?.observedGeneration === condition.observedGeneration;
  if (former !== undefined && isSame) return former;
  const lastTransitionTime = former?.reason === condition.reason ? (former?.lastTransitionTime ?? time) : time;
  return { ...condition, status: "True", lastProbeTime: time, lastTransitionTime };
}

// What the containers ask for, as JSON.
function summary({ spec }: Pod, about: { readonly generation: number; readonly error?: string }): string {
  const listed = (containers: readonly Container[]): readonly object[] =>
    containers.map(({ name, resources: { limits, requests } = {} }) => ({ name, resources: { limits, requests } }));
  const { initContainers = [], containers = [] } = spec ?? {};
  return JSON.stringify({
    ...(initContainers.length === 0 ? {} : { initContainers: listed(initContainers) }),
    containers: listed(containers),
    ...about,
  });
}
