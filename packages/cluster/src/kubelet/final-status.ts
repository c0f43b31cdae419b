import type { Container, ContainerStatus, Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import { isSidecar } from "./containers/restart-policy.ts";
import { type ConditionSource, mergedConditions, podConditions } from "./pod-conditions.ts";
import { initializingStatus, killedStatus } from "./pod-status.ts";

// The state of a container that a kubelet cannot find any more, or that has never started.
const UNKNOWN = {
  exitCode: 137,
  reason: "ContainerStatusUnknown",
  message: "The container could not be located when the pod was terminated",
} as const;

/**
 * Returns the last status of a deleted pod, as a kubelet reports it before the pod is removed: containers that still run are killed, those that have never
 * started have failed, and the phase follows from the exit codes.
 */
export function finalStatus(
  pod: Pod,
  simulated: readonly ContainerStatus[],
  { release, time }: Pick<ConditionSource, "release"> & { readonly time: string },
): PodStatus {
  const stopped = (container: NamedContainer, reported: readonly ContainerStatus[] = []): ContainerStatus => {
    const isOf = ({ name }: ContainerStatus): boolean => name === container.name;
    const status = simulated.find(isOf) ?? reported.find(isOf) ?? initializingStatus(container);
    return status.state?.running === undefined ? status : killedStatus(status, time);
  };
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  const init = located(initContainers.map((container) => stopped(container, initContainerStatuses)));
  const isInitialized = hasInitialized(initContainers, { init, main: containerStatuses ?? [] });
  const main = containers
    .map((container) => stopped(container, containerStatuses))
    .map((status) => (isInitialized ? ended(status) : status));
  const ephemeral = ephemeralContainers.map((container) => stopped(container, ephemeralContainerStatuses));
  const phase = main.every(({ state }) => state?.terminated?.exitCode === 0) ? "Succeeded" : "Failed";
  return {
    ...pod.status,
    observedGeneration: pod.metadata.generation ?? 1,
    phase,
    conditions: mergedConditions(pod.status?.conditions ?? [], podConditions(pod, { release, phase }, time)),
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: main,
    ...(ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: ephemeral }),
  };
}

type NamedContainer = Pick<Container, "name" | "image">;

function ended(status: ContainerStatus): ContainerStatus {
  if (status.state?.terminated !== undefined) return status;
  return { ...status, ready: false, started: false, state: { terminated: { ...UNKNOWN } } };
}

// Init containers that are followed by one that has started have ended.
function located(statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const last = statuses.findLastIndex(({ state, lastState }) => hasStarted(state) || hasStarted(lastState));
  return statuses.map((status, index) => (index <= last ? ended(status) : status));
}

function hasStarted(state: ContainerStatus["state"]): boolean {
  return state?.running !== undefined || state?.terminated !== undefined;
}

function hasInitialized(
  containers: readonly Container[],
  { init, main }: { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] },
): boolean {
  if (containers.length === 0 || main.some(({ state, lastState }) => hasStarted(state) || hasStarted(lastState)))
    return true;
  const [container, status] = [containers.at(-1), init.at(-1)];
  if (container !== undefined && isSidecar(container)) return status?.started === true;
  return [status?.state, status?.lastState].some((state) => state?.terminated?.exitCode === 0);
}
