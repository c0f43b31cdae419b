import type { Container, ContainerStatus, Node, Pod, PodCondition, PodStatus } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { isFinal } from "../controllers/workload/workload-objects.ts";
import type { InitProgress } from "./containers/container-runtime.ts";
import { isRestartedByResize } from "./containers/resize-policy.ts";
import { isRestarted, isSidecar } from "./containers/restart-policy.ts";
import { type ConditionSource, hasConditions, mergedConditions, type Phase, podConditions } from "./pod-conditions.ts";
import { isResizeCondition } from "./pod-resize.ts";

/** Inputs of the status of a pod. */
export interface PodObservation {
  readonly pod: Pod;
  readonly release: ConditionSource["release"];
  /** The addresses of its node, the default family first. */
  readonly hostAddresses: readonly string[];
  readonly addresses: readonly string[];
  /** The time of what changes now. */
  readonly time: string;
  readonly init: InitProgress;
  /** The conditions about the resize of the pod. */
  readonly resize: readonly PodCondition[];
  /** The containers that still run with former resources. */
  readonly outdated: readonly Container[];
  /** The statuses of the simulated ephemeral containers, by name. */
  readonly ephemeral: ReadonlyMap<string, ContainerStatus>;
  /** The phase that follows from the containers; a last one is reported when no container runs any more. */
  readonly next: Phase;
  /** Whether any simulated container runs. */
  readonly hasRunning: boolean;
  /** Whether the volumes of the pod are set up. */
  readonly hasSandbox: boolean;
}

/** Returns the status that a kubelet reports for a pod, from the statuses of its simulated containers; undefined if it is reported. */
export function podStatus(
  observation: PodObservation,
  running: ReadonlyMap<string, ContainerStatus>,
): PodStatus | undefined {
  const { pod, release, hostAddresses, addresses, time, init, ephemeral, next, hasRunning, hasSandbox } = observation;
  const simulated = withResources(observation, running);
  const hasEnded = isFinal(next);
  // Its conditions are reported before.
  const phase = hasEnded && hasRunning ? (pod.status?.phase ?? "Pending") : next;
  const initStatuses = initStatusesOf(observation, hasEnded && !hasRunning);
  const sidecars = initStatuses.filter(({ name }) => isSidecarOf(pod, name));
  const resize = hasEnded ? [] : observation.resize;
  const source = {
    release,
    phase: next,
    hasRunning,
    hasSandbox,
    unready: [...sidecars, ...simulated.values()].filter(({ ready }) => !ready).map(({ name }) => name),
    uninitialized: init.blockedBy === undefined ? [] : incomplete(initStatuses),
  };
  const conditions = podConditions(pod, source, time);
  const current = pod.status;
  const observedGeneration = pod.metadata.generation ?? 1;
  const isReported =
    current?.phase === phase &&
    current.podIP !== undefined &&
    (current.observedGeneration ?? observedGeneration) === observedGeneration &&
    deepEqual(current.initContainerStatuses ?? [], initStatuses) &&
    deepEqual((current.conditions ?? []).filter(isResizeCondition), resize) &&
    hasConditions(pod, conditions) &&
    isSimulatedAs(current.containerStatuses ?? [], simulated);
  const known = current?.ephemeralContainerStatuses ?? [];
  const ephemeralStatuses = (pod.spec?.ephemeralContainers ?? []).map(
    (each) => ephemeral.get(each.name) ?? ephemeralStatus(each, { known, time, pod }),
  );
  if (isReported && deepEqual(ephemeralStatuses, known)) return undefined;
  return {
    ...current,
    observedGeneration,
    phase,
    conditions: mergedConditions(
      (current?.conditions ?? []).filter((condition) => !isResizeCondition(condition)),
      conditions,
    ).concat(resize),
    ...addressFields(hostAddresses, addresses),
    startTime: current?.startTime ?? time,
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: [...initStatuses] }),
    containerStatuses: (pod.spec?.containers ?? []).map(
      (container) => simulated.get(container.name) ?? resourced(runningStatus(container, { time, pod }), container, []),
    ),
    ...(ephemeralStatuses.length === 0 ? {} : { ephemeralContainerStatuses: ephemeralStatuses }),
  };
}

function withResources(
  { pod: { spec }, outdated }: PodObservation,
  statuses: ReadonlyMap<string, ContainerStatus>,
): ReadonlyMap<string, ContainerStatus> {
  const containers = new Map((spec?.containers ?? []).map((container) => [container.name, container]));
  return new Map([...statuses].map(([name, status]) => [name, resourced(status, containers.get(name), outdated)]));
}

// What a container has is what its node has allocated, until it restarts for more.
function resourced(
  status: ContainerStatus,
  container: Container | undefined,
  outdated: readonly Container[],
): ContainerStatus {
  if (container === undefined || status.state?.waiting !== undefined) return status;
  const allocated = container.resources?.requests;
  const { resources } = outdated.find(({ name }) => name === status.name) ?? container;
  const { requests, limits } = resources ?? {};
  return {
    ...status,
    ...(allocated === undefined ? {} : { allocatedResources: allocated }),
    resources: { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) },
  };
}

/** Returns the addresses under which a node is reached from within the cluster. */
export function internalAddresses({ status }: Node): readonly string[] {
  const internal = (status?.addresses ?? []).filter(({ type }) => type === "InternalIP");
  return internal.length === 0 ? ["127.0.0.1"] : internal.map(({ address }) => address);
}

/** Returns the fields of a status that state the addresses of a pod and its node. */
export function addressFields(
  hostAddresses: readonly string[],
  addresses: readonly string[],
): Pick<PodStatus, "hostIP" | "hostIPs" | "podIP" | "podIPs"> {
  const [[hostIP = ""], [podIP = ""]] = [hostAddresses, addresses];
  const listOf = (all: readonly string[]): { readonly ip: string }[] => all.map((ip) => ({ ip }));
  return { hostIP, hostIPs: listOf(hostAddresses), podIP, podIPs: listOf(addresses) };
}

// Init containers without a definition succeed at once, and sidecars run; those after one that is not done wait.
function initStatusesOf(observation: PodObservation, isOver: boolean): readonly ContainerStatus[] {
  const { pod, outdated, time } = observation;
  const containers = new Map((pod.spec?.initContainers ?? []).map((container) => [container.name, container]));
  return initProgressOf(observation)
    .map((status) => resourced(status, containers.get(status.name), outdated))
    .map((status) => (isOver && status.state?.running !== undefined ? endedStatus(status, time) : status));
}

function initProgressOf({ pod, time, init }: PodObservation): readonly ContainerStatus[] {
  const containers = pod.spec?.initContainers ?? [];
  const blocked = containers.findIndex(({ name }) => name === init.blockedBy);
  return containers.map((container, index) => {
    const simulated = init.statuses.get(container.name);
    if (simulated !== undefined) return simulated;
    if (blocked >= 0 && index > blocked) return initializingStatus(container);
    const known = pod.status?.initContainerStatuses?.find(({ name }) => name === container.name);
    if (known?.state?.waiting === undefined && known !== undefined) return known;
    const running = containerStatus(container, { time, pod });
    return isSidecar(container) ? running : { ...endedStatus(running, time), ready: true };
  });
}

function isSidecarOf({ spec }: Pod, name: string): boolean {
  return (spec?.initContainers ?? []).some((each) => each.name === name && isSidecar(each));
}

function incomplete(statuses: readonly ContainerStatus[]): readonly string[] {
  return statuses.filter(({ ready }) => !ready).map(({ name }) => name);
}

/** Returns the status of a container that waits for the init containers of its pod. */
export function initializingStatus({ name, image = "" }: Pick<Container, "name" | "image">): ContainerStatus {
  const state = { waiting: { reason: "PodInitializing" } };
  return { name, image, imageID: "", ready: false, started: false, restartCount: 0, state };
}

/** Returns the phase that follows from the statuses of the simulated containers. Those without a definition run forever. */
export function podPhase(pod: Pod, init: InitProgress, simulated: ReadonlyMap<string, ContainerStatus>): Phase {
  if (init.blockedBy !== undefined) return init.hasFailed ? "Failed" : "Pending";
  const statuses = (pod.spec?.containers ?? []).map(({ name }) => simulated.get(name));
  if (statuses.some((status) => status !== undefined && cannotStart(status))) return "Pending";
  if (statuses.some((status) => status?.state?.terminated === undefined) || restarts(pod, statuses)) return "Running";
  return statuses.every((status) => status?.state?.terminated?.exitCode === 0) ? "Succeeded" : "Failed";
}

// Until the restart is scheduled, a container that will be restarted has ended.
function restarts({ spec }: Pod, statuses: readonly (ContainerStatus | undefined)[]): boolean {
  const policy = spec?.restartPolicy ?? "Always";
  return (spec?.containers ?? []).some((container, index) =>
    isRestarted(container, policy, statuses[index]?.state?.terminated?.exitCode ?? 0),
  );
}

function isSimulatedAs(reported: readonly ContainerStatus[], simulated: ReadonlyMap<string, ContainerStatus>): boolean {
  return [...simulated.values()].every((status) =>
    deepEqual(
      status,
      reported.find(({ name }) => name === status.name),
    ),
  );
}

// A container without a definition runs until its image changes, or a resize requires a restart.
function runningStatus(container: Container, observed: { readonly time: string; readonly pod: Pod }): ContainerStatus {
  const fresh = containerStatus(container, observed);
  const known = observed.pod.status?.containerStatuses?.find(({ name }) => name === container.name);
  if (known?.state?.running === undefined) return fresh;
  const isResized = known.resources !== undefined && isRestartedByResize({ resources: known.resources }, container);
  if (known.image === fresh.image && !isResized) return { ...known, ready: true, started: true };
  const { state: terminated } = killedStatus(known, observed.time);
  const restartCount = known.restartCount + 1;
  const containerID = `${fresh.containerID ?? ""}-${String(restartCount)}`;
  return { ...fresh, containerID, restartCount, ...(terminated === undefined ? {} : { lastState: terminated }) };
}

/** Returns the status of a container that runs forever. */
export function containerStatus(
  container: Pick<Container, "name" | "image">,
  { time, pod }: { readonly time: string; readonly pod: Pod },
): ContainerStatus {
  const id = (pod.metadata.uid ?? "").replaceAll("-", "");
  return {
    name: container.name,
    image: container.image ?? "",
    imageID: container.image ?? "",
    containerID: `simulated://${id}-${container.name}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: time } },
  };
}

// Without a status, kubectl debug would wait for the container forever.
function ephemeralStatus(
  container: Pick<Container, "name" | "image">,
  { known, time, pod }: { readonly known: readonly ContainerStatus[]; readonly time: string; readonly pod: Pod },
): ContainerStatus {
  const { started: _started, ...status } = containerStatus(container, { time, pod });
  return known.find(({ name }) => name === container.name) ?? { ...status, ready: false };
}

/** Returns the status of a container that has succeeded. */
export function endedStatus(status: ContainerStatus, time: string): ContainerStatus {
  const { containerID = "" } = status;
  const terminated = { exitCode: 0, reason: "Completed", startedAt: time, finishedAt: time, containerID };
  return { ...status, ready: false, started: false, state: { terminated } };
}

/** Returns the status of a container that was killed. */
export function killedStatus(status: ContainerStatus, time: string): ContainerStatus {
  const { containerID = "", state } = status;
  if (state?.terminated !== undefined) return status;
  const startedAt = state?.running?.startedAt ?? time;
  const terminated = { exitCode: 137, reason: "Error", startedAt, finishedAt: time, containerID };
  return { ...status, ready: false, started: false, state: { terminated } };
}

/** Reports whether a container lacks what its configuration names. */
export function isMisconfigured({ state }: ContainerStatus): boolean {
  return state?.waiting?.reason === "CreateContainerConfigError";
}

const IMAGE_REASONS = ["ErrImageNeverPull", "ErrImagePull", "ImagePullBackOff", "InvalidImageName"];

function cannotStart(status: ContainerStatus): boolean {
  return (
    (isMisconfigured(status) && status.lastState === undefined) ||
    isCreated(status) ||
    IMAGE_REASONS.includes(status.state?.waiting?.reason ?? "")
  );
}

// For the first time.
function isCreated({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting?.reason === "ContainerCreating" && lastState === undefined;
}
