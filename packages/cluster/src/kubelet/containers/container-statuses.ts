import { toTime } from "@kubescaffold/k8s";
import type {
  Container,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  Pod,
} from "@kubescaffold/k8s/core/v1";

import type { Instance } from "./container-instance.ts";
import { backOffMs } from "./restart-policy.ts";

// As much of the output as kubelets report.
const MESSAGE_LINES = 80;
const MESSAGE_BYTES = 2048;
const OWN_MESSAGE_BYTES = 4096;

/** Returns the status of a container that cannot start. */
export function waitingStatus(
  { name, image = "" }: Pick<Container, "name" | "image">,
  reason: string,
  message: string,
): ContainerStatus {
  return {
    name,
    image,
    imageID: "",
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason, message } },
  };
}

/** Returns the status of a container that is being created. */
export function creatingStatus(
  { name, image = "" }: Pick<Container, "name" | "image">,
  { restartCount, last }: { readonly restartCount: number; readonly last?: ContainerStateTerminated | undefined },
): ContainerStatus {
  return {
    name,
    image,
    imageID: "",
    ready: false,
    started: false,
    restartCount,
    ...(last === undefined ? {} : { lastState: { terminated: last } }),
    state: { waiting: { reason: "ContainerCreating" } },
  };
}

/** Returns how a run has ended; the reason is `Completed` or `Error` unless there is another one. */
export function terminatedState(
  instance: Instance,
  {
    spec,
    exitReason = "Error",
    containerID,
  }: { readonly spec: Container; readonly exitReason: string | undefined; readonly containerID: string },
): ContainerStateTerminated {
  const { startedAt, startError, exit = { code: 0, at: startedAt } } = instance;
  if (startError !== undefined)
    return {
      exitCode: exit.code,
      reason: "StartError",
      message: startError,
      startedAt: toTime(0),
      finishedAt: toTime(exit.at),
      containerID,
    };
  return {
    exitCode: exit.code,
    reason: exit.code === 0 ? "Completed" : exitReason,
    startedAt: toTime(startedAt),
    finishedAt: toTime(exit.at),
    ...terminationMessage(instance, exit.code, spec),
    containerID,
  };
}

// The message that was set, or else the end of the output of a container that failed, if its policy says so.
function terminationMessage(
  { log, terminationMessage: message }: Instance,
  code: number,
  { terminationMessagePolicy }: Container,
): { readonly message?: string } {
  const own = Buffer.from(message).subarray(0, OWN_MESSAGE_BYTES);
  if (own.length > 0) return { message: own.toString("utf8") };
  if (code === 0 || terminationMessagePolicy !== "FallbackToLogsOnError") return {};
  const lines = log.lines().slice(-MESSAGE_LINES);
  const output = Buffer.concat(lines.map(({ bytes }) => bytes)).subarray(-MESSAGE_BYTES);
  return output.length === 0 ? {} : { message: output.toString("utf8") };
}

/** Returns why a container waits that ends again and again. */
export function crashLoop({ name }: Container, pod: Pod, restarts: number): ContainerStateWaiting {
  return {
    reason: "CrashLoopBackOff",
    message: `back-off ${backOffText(restarts)} restarting failed container=${name} pod=${podText(pod)}`,
  };
}

/** Names a Pod as kubelets do in messages. */
export function podText({ metadata }: Pod): string {
  return `${metadata.name ?? ""}_${metadata.namespace ?? ""}(${metadata.uid ?? ""})`;
}

function backOffText(restarts: number): string {
  const seconds = backOffMs(restarts) / 1000;
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${String(seconds)}s` : `${String(minutes)}m${String(seconds % 60)}s`;
}
