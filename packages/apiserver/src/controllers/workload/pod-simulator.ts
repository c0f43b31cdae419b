import { isConflict, isNotFound, objectKey } from "@kubescaffold/k8s";
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema";

import { toTime } from "../../clock/clock.ts";
import type { ContainerRuntime } from "../../containers/container-runtime.ts";
import type { InProcessController, InternalClient, ServerContext } from "../../pipeline/server-context.ts";
import type { UserInfo } from "../../request/request-context.ts";
import { keyOf, splitKey } from "../../storage/object-key.ts";
import type { KeyedWorker } from "../keyed-worker.ts";
import { storeController } from "../store-controller.ts";
import { controllerOf, PODS, readStored } from "./workload-objects.ts";

/** The node on which all pods run. */
const NODE_NAME = "node-0";

/** User that binds pods to the node. */
const SCHEDULER_NAME = "default-scheduler";
const SCHEDULER: UserInfo = { name: "system:kube-scheduler", groups: ["system:authenticated"] };

/** User that reports the status of the node's pods. */
const KUBELET: UserInfo = { name: `system:node:${NODE_NAME}`, groups: ["system:nodes", "system:authenticated"] };

/** On a pod: makes it fail in a way that tests want to see, `CrashLoopBackOff` or `NeverReady`. */
export const SIMULATE_ANNOTATION = "kubescaffold.dev/simulate";

/** Schedules pods, runs their containers, reports their status, and takes deleted ones away, since no node does it. */
export function podSimulator(context: ServerContext, containers: ContainerRuntime): InProcessController {
  const work: PodWork = {
    context,
    containers,
    scheduler: context.clientFor(SCHEDULER),
    kubelet: context.clientFor(KUBELET),
    addresses: new Map(),
  };
  return storeController({
    name: "pod-simulator",
    context,
    watches: [PODS],
    keysOf: ({ object, kind }) => {
      if (kind !== "deleted") return [keyOf(objectKey(object))];
      work.addresses.delete(object.metadata.uid ?? "");
      containers.remove(object.metadata.uid ?? "");
      return [];
    },
    initialKeys: () => context.objects.list(PODS).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => {
      try {
        await syncPod(work, key, worker);
      } catch (error) {
        // Gone or changed meanwhile: the change leads here again.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
    onStop: () => containers.stop(),
  });
}

interface PodWork {
  readonly context: ServerContext;
  readonly containers: ContainerRuntime;
  readonly scheduler: InternalClient;
  readonly kubelet: InternalClient;
  /** The numbers of the addresses in use, by the uid of the pod. */
  readonly addresses: Map<string, number>;
}

async function syncPod(work: PodWork, key: string, worker: KeyedWorker): Promise<void> {
  const pod = readStored<Pod>(work.context, PODS, splitKey(key));
  if (pod === undefined) return;
  const { namespace = "", name = "" } = pod.metadata;
  const target = { ...PODS, namespace, name };
  if (pod.metadata.deletionTimestamp !== undefined) {
    const isHeld = (pod.metadata.finalizers ?? []).length > 0 && pod.metadata.deletionGracePeriodSeconds === 0;
    const hasStopped = work.containers.terminate(pod.metadata.uid ?? "") || isHeld;
    if (!hasStopped && !isOverdue(work, pod, key, worker)) return;
    if ((await reportEnd(work, pod)) || isHeld) return;
    await work.kubelet.delete(target, { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 });
    return;
  }
  if ((pod.spec?.nodeName ?? "") === "") {
    if ((pod.spec?.schedulerName ?? SCHEDULER_NAME) !== SCHEDULER_NAME) return;
    await bind(work.scheduler, pod);
    return;
  }
  const failure = pod.metadata.annotations?.[SIMULATE_ANNOTATION];
  const defined =
    failure === "CrashLoopBackOff"
      ? NO_STATUSES
      : work.containers.sync(pod, work.context.objects, () => worker.add(key));
  const simulated = failure === undefined && isOfJob(pod) ? withEnded(work, pod, defined) : defined;
  // What it lacks may be created later.
  if ([...simulated.values()].some(isMisconfigured)) worker.addAfter(key, MISCONFIGURED_RETRY_MS);
  const status = podStatus(work, pod, simulated);
  if (status !== undefined)
    await work.kubelet.update({ ...target, subresource: "status" }, { ...pod, status } as never);
}

async function bind(scheduler: InternalClient, pod: Pod): Promise<void> {
  const { namespace = "", name = "" } = pod.metadata;
  await scheduler.create(
    { ...PODS, namespace, name, subresource: "binding" },
    {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { namespace, name },
      target: { apiVersion: "v1", kind: "Node", name: NODE_NAME },
    },
  );
}

const NO_STATUSES: ReadonlyMap<string, ContainerStatus> = new Map();
const MISCONFIGURED_RETRY_MS = 1000;

function isMisconfigured({ state }: ContainerStatus): boolean {
  return state?.waiting?.reason === "CreateContainerConfigError";
}

// Reports whether the grace period of a deleted pod is over; otherwise the pod is looked at again then.
function isOverdue({ context }: PodWork, pod: Pod, key: string, worker: KeyedWorker): boolean {
  const overdueAt = Date.parse(pod.metadata.deletionTimestamp ?? "");
  const remainingMs = overdueAt - context.clock.now();
  if (remainingMs > 0) worker.addAfter(key, remainingMs);
  return !(remainingMs > 0);
}

function isOfJob(pod: Pod): boolean {
  return controllerOf(pod)?.kind === "Job";
}

// Containers of Jobs whose image has no definition have nothing to do: they succeed at once.
function withEnded(
  work: PodWork,
  pod: Pod,
  defined: ReadonlyMap<string, ContainerStatus>,
): ReadonlyMap<string, ContainerStatus> {
  const time = toTime(work.context.clock.now());
  const reported = pod.status?.containerStatuses ?? [];
  return new Map(
    (pod.spec?.containers ?? []).map((container) => [
      container.name,
      defined.get(container.name) ??
        reported.find(({ name }) => name === container.name) ??
        endedStatus(containerStatus(container, { failure: undefined, time, pod }), time),
    ]),
  );
}

function endedStatus(status: ContainerStatus, time: string): ContainerStatus {
  const { containerID = "" } = status;
  const terminated = { exitCode: 0, reason: "Completed", startedAt: time, finishedAt: time, containerID };
  return { ...status, ready: false, started: false, state: { terminated } };
}

// A pod that its Job still has to count must say how it ended. Reports whether it was told now.
async function reportEnd(work: PodWork, pod: Pod): Promise<boolean> {
  const { namespace = "", name = "", uid = "", finalizers = [] } = pod.metadata;
  const phase = pod.status?.phase;
  if (!isOfJob(pod) || finalizers.length === 0 || phase === "Succeeded" || phase === "Failed") return false;
  const containers = work.containers.containersOf(uid).map((container) => container.status());
  const hasSucceeded = containers.length > 0 && containers.every(({ state }) => state?.terminated?.exitCode === 0);
  const time = toTime(work.context.clock.now());
  const conditions = podConditions({ isReady: false, reason: hasSucceeded ? "PodCompleted" : "PodFailed" }, time);
  const known = new Set(conditions.map(({ type }) => type));
  const status: PodStatus = {
    ...pod.status,
    phase: hasSucceeded ? "Succeeded" : "Failed",
    conditions: [...(pod.status?.conditions ?? []).filter(({ type }) => !known.has(type)), ...conditions],
    containerStatuses: (pod.status?.containerStatuses ?? []).map(
      (reported) => containers.find((status) => status.name === reported.name) ?? killedStatus(reported, time),
    ),
  };
  await work.kubelet.update({ ...PODS, namespace, name, subresource: "status" }, { ...pod, status } as never);
  return true;
}

function killedStatus(status: ContainerStatus, time: string): ContainerStatus {
  const { containerID = "", state } = status;
  if (state?.terminated !== undefined) return status;
  const startedAt = state?.running?.startedAt ?? time;
  const terminated = { exitCode: 137, reason: "Error", startedAt, finishedAt: time, containerID };
  return { ...status, ready: false, started: false, state: { terminated } };
}

// Returns nothing when the pod is as it should be.
function podStatus(work: PodWork, pod: Pod, simulated: ReadonlyMap<string, ContainerStatus>): PodStatus | undefined {
  const failure = pod.metadata.annotations?.[SIMULATE_ANNOTATION];
  const phase = podPhase(pod, simulated);
  const isReady = failure === undefined && [...simulated.values()].every(({ ready }) => ready);
  const current = pod.status;
  const isReported =
    current?.phase === phase &&
    current.podIP !== undefined &&
    isSimulatedAs(current.containerStatuses ?? [], simulated);
  const hasReadiness = (current?.conditions ?? []).some(
    ({ type, status }) => type === "Ready" && status === (isReady ? "True" : "False"),
  );
  const ephemeral = pod.spec?.ephemeralContainers ?? [];
  const known = current?.ephemeralContainerStatuses ?? [];
  if (isReported && hasReadiness && ephemeral.length === known.length) return undefined;
  const time = toTime(work.context.clock.now());
  const address = podAddress(work, pod.metadata.uid ?? "");
  return {
    ...current,
    observedGeneration: pod.metadata.generation ?? 1,
    phase,
    conditions: podConditions({ isReady, reason: phase === "Succeeded" ? "PodCompleted" : "ContainersNotReady" }, time),
    hostIP: "10.0.0.1",
    hostIPs: [{ ip: "10.0.0.1" }],
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: current?.startTime ?? time,
    containerStatuses: (pod.spec?.containers ?? []).map(
      (container) => simulated.get(container.name) ?? containerStatus(container, { failure, time, pod }),
    ),
    ...(ephemeral.length === 0
      ? {}
      : { ephemeralContainerStatuses: ephemeral.map((each) => ephemeralStatus(each, { known, time, pod })) }),
  };
}

// Containers without a definition run forever.
function podPhase(pod: Pod, simulated: ReadonlyMap<string, ContainerStatus>): NonNullable<PodStatus["phase"]> {
  const statuses = (pod.spec?.containers ?? []).map(({ name }) => simulated.get(name));
  if (statuses.some((status) => status !== undefined && isMisconfigured(status))) return "Pending";
  if (statuses.some((status) => status?.state?.terminated === undefined) || restarts(pod, statuses)) return "Running";
  return statuses.every((status) => status?.state?.terminated?.exitCode === 0) ? "Succeeded" : "Failed";
}

// Until the restart is scheduled, a container that will be restarted has ended.
function restarts(pod: Pod, statuses: readonly (ContainerStatus | undefined)[]): boolean {
  const policy = pod.spec?.restartPolicy ?? "Always";
  const hasFailed = statuses.some((status) => status?.state?.terminated?.exitCode !== 0);
  return policy === "Always" || (policy === "OnFailure" && hasFailed);
}

function isSimulatedAs(reported: readonly ContainerStatus[], simulated: ReadonlyMap<string, ContainerStatus>): boolean {
  return [...simulated.values()].every((status) =>
    deepEqual(
      status,
      reported.find(({ name }) => name === status.name),
    ),
  );
}

function podConditions(
  { isReady, reason }: { readonly isReady: boolean; readonly reason: string },
  lastTransitionTime: string,
): PodCondition[] {
  const notReady = isReady ? {} : { reason };
  return [
    { type: "PodReadyToStartContainers", status: "True", lastTransitionTime },
    { type: "Initialized", status: "True", lastTransitionTime },
    { type: "Ready", status: isReady ? "True" : "False", ...notReady, lastTransitionTime },
    { type: "ContainersReady", status: isReady ? "True" : "False", ...notReady, lastTransitionTime },
    { type: "PodScheduled", status: "True", lastTransitionTime },
  ];
}

function containerStatus(
  container: Pick<Container, "name" | "image">,
  observed: { readonly failure: string | undefined; readonly time: string; readonly pod: Pod },
): ContainerStatus {
  const isCrashing = observed.failure === "CrashLoopBackOff";
  const id = (observed.pod.metadata.uid ?? "").replaceAll("-", "");
  return {
    name: container.name,
    image: container.image ?? "",
    imageID: container.image ?? "",
    containerID: `simulated://${id}-${container.name}`,
    ready: observed.failure === undefined,
    started: !isCrashing,
    restartCount: isCrashing ? 1 : 0,
    state: isCrashing
      ? { waiting: { reason: "CrashLoopBackOff", message: "back-off restarting failed container" } }
      : { running: { startedAt: observed.time } },
  };
}

// Without a status, kubectl debug would wait for the container forever.
function ephemeralStatus(
  container: Pick<Container, "name" | "image">,
  { known, time, pod }: { readonly known: readonly ContainerStatus[]; readonly time: string; readonly pod: Pod },
): ContainerStatus {
  const { started: _started, ...status } = containerStatus(container, { failure: undefined, time, pod });
  return known.find(({ name }) => name === container.name) ?? { ...status, ready: false };
}

function podAddress(work: PodWork, uid: string): string {
  const known = work.addresses.get(uid);
  const number = known ?? nextFree(new Set(work.addresses.values()));
  work.addresses.set(uid, number);
  return `10.244.${String(number >> 8)}.${String(number & 255)}`;
}

function nextFree(used: ReadonlySet<number>): number {
  let number = 2;
  while (used.has(number)) number += 1;
  return number;
}
