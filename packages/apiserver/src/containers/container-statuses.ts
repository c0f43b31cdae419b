import type {
  Container,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  Pod,
} from "@kubescaffold/k8s/core/v1";

// The delays of a kubelet: the first restart is immediate.
const FIRST_BACK_OFF_MS = 10_000;
const LONGEST_BACK_OFF_MS = 300_000;

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

/** Returns how long a container waits that was restarted this often. */
export function backOffMs(restarts: number): number {
  return restarts === 0 ? 0 : Math.min(FIRST_BACK_OFF_MS * 2 ** (restarts - 1), LONGEST_BACK_OFF_MS);
}

function backOffText(restarts: number): string {
  const seconds = backOffMs(restarts) / 1000;
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${String(seconds)}s` : `${String(minutes)}m${String(seconds % 60)}s`;
}
