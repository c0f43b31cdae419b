import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { toTime } from "@kubescaffold/k8s";
import type { Container, ContainerStatus, Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import { kubeletUser } from "../controllers/kubelet-user.ts";
import { eventWriter } from "../controllers/workload/event-writer.ts";
import { PODS } from "../controllers/workload/workload-objects.ts";
import { podText, waitingStatus } from "./containers/container-statuses.ts";
import type { SimulatedContainer } from "./containers/container.ts";
import { FAULT_NAMES, SIMULATE_ANNOTATION, type SimulatedFault } from "./containers/pod-faults.ts";
import type { ContainerEvent } from "./containers/probes/probes.ts";
import { podConditions } from "./pod-conditions.ts";
import { containerStatus, killedStatus } from "./pod-status.ts";

const KUBELET = "kubelet";
// A kubelet shows the error until it looks at the pod again.
const PULL_ERROR_MS = 2000;
const FIRST_BACK_OFF_MS = 10_000;
const LONGEST_BACK_OFF_MS = 300_000;
// As often as a kubelet measures what pods use.
const EVICTION_MS = 10_000;

interface FailingPod {
  readonly pod: Pod;
  readonly fault: SimulatedFault | undefined;
  readonly kubelet: InternalClient;
}

type Statuses = ReadonlyMap<string, ContainerStatus>;
/** What is known of a container whose image cannot be pulled. */
export type NamedImage = Pick<Container, "name" | "image">;

/** Simulates the failures of pods that are not those of a process: images that cannot be pulled, and evictions. */
export class PodFailures {
  readonly #context: ServerContext;
  // When pods were seen first, by their uid.
  readonly #since = new Map<string, number>();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  forget(uid: string): void {
    this.#since.delete(uid);
  }

  /** Returns the statuses of the containers of a pod that fails in this way, undefined for other pods, and `ended` after an eviction. */
  async statuses(failing: FailingPod, later: (delayMs: number) => void): Promise<Statuses | "ended" | undefined> {
    const { pod, fault } = failing;
    const { uid = "" } = pod.metadata;
    const now = this.#context.clock.now();
    const since = this.#since.get(uid) ?? now;
    switch (fault?.kind) {
      case "image-pull-error": {
        return this.pulling(pod, pod.spec?.containers ?? [], later);
      }
      case "unknown": {
        const message = `unknown value "${fault.text}" of the annotation ${SIMULATE_ANNOTATION}: use one of ${FAULT_NAMES}`;
        return statusesOf(pod.spec?.containers ?? [], () => ["CreateContainerConfigError", message]);
      }
      case "evicted": {
        this.#since.set(uid, since);
        const remainingMs = since + EVICTION_MS - now;
        if (remainingMs <= 0 && pod.status?.phase === "Running") {
          await this.#evict(failing);
          return "ended";
        }
        later(Math.max(remainingMs, 1));
        return undefined;
      }
      default:
        return undefined;
    }
  }

  /** Returns the statuses of containers whose images cannot be pulled. */
  pulling(pod: Pod, missing: readonly NamedImage[], later: (delayMs: number) => void): Statuses {
    const { uid = "" } = pod.metadata;
    if (missing.length === 0) return new Map();
    const now = this.#context.clock.now();
    const since = this.#since.get(uid) ?? now;
    this.#since.set(uid, since);
    const { reason, remainingMs } = pullState(now - since);
    later(remainingMs);
    return statusesOf(missing, (image) => [reason, pullMessage(reason, image)]);
  }

  /** Writes the events of containers whose state has changed. */
  async report(pod: Pod, status: PodStatus): Promise<void> {
    const node = pod.spec?.nodeName ?? "";
    const events = eventWriter(this.#context, kubeletUser(node), KUBELET);
    const reported = allStatuses(pod.status);
    for (const container of allStatuses(status)) {
      const former = reported.find(({ name }) => name === container.name);
      const reason = container.state?.waiting?.reason;
      const isSame = reason === former?.state?.waiting?.reason && container.restartCount === former?.restartCount;
      if (isSame) continue;
      const fieldPath = fieldPathOf(pod, container.name);
      for (const event of eventsOf(pod, container)) await events.write(pod, { ...event, fieldPath, host: node });
    }
  }

  /** Writes events about a pod. */
  async write(pod: Pod, events: readonly ContainerEvent[]): Promise<void> {
    const host = pod.spec?.nodeName ?? "";
    const writer = eventWriter(this.#context, kubeletUser(host), KUBELET);
    for (const event of events) await writer.write(pod, { ...event, host });
  }

  /** Writes the events of the probes and hooks of containers. */
  async reportEvents(pod: Pod, containers: readonly SimulatedContainer[]): Promise<void> {
    const node = pod.spec?.nodeName ?? "";
    for (const container of containers) {
      const fieldPath = fieldPathOf(pod, container.spec.name);
      for (const event of container.takeEvents()) {
        const events = eventWriter(this.#context, kubeletUser(node), KUBELET);
        await events.write(pod, { ...event, fieldPath, host: node });
      }
    }
  }

  /** Fails a pod whose active deadline is over. */
  async exceedDeadline(pod: Pod, kubelet: InternalClient): Promise<void> {
    const reason = "DeadlineExceeded";
    const message = "Pod was active on the node longer than the specified deadline";
    const time = toTime(this.#context.clock.now());
    const conditions = podConditions(pod, { phase: "Failed" }, time);
    await this.#fail({ pod, kubelet }, { reason, message, conditions, time });
    const node = pod.spec?.nodeName ?? "";
    const events = eventWriter(this.#context, kubeletUser(node), KUBELET);
    await events.write(pod, { type: "Normal", reason, message, host: node });
  }

  async #fail(
    { pod, kubelet }: Pick<FailingPod, "pod" | "kubelet">,
    {
      reason,
      message,
      conditions,
      time,
    }: Required<Pick<PodStatus, "reason" | "message" | "conditions">> & { readonly time: string },
  ): Promise<void> {
    const { namespace = "", name = "" } = pod.metadata;
    const status: PodStatus = {
      ...pod.status,
      phase: "Failed",
      reason,
      message,
      conditions,
      containerStatuses: (pod.spec?.containers ?? []).map((each) => {
        const known = pod.status?.containerStatuses?.find((reported) => reported.name === each.name);
        return killedStatus(known ?? containerStatus(each, { time, pod }), time);
      }),
    };
    await kubelet.update({ ...PODS, namespace, name, subresource: "status" }, { ...pod, status } as never);
  }

  async #evict({ pod, kubelet }: FailingPod): Promise<void> {
    const { generation = 1 } = pod.metadata;
    const time = toTime(this.#context.clock.now());
    const container = pod.spec?.containers[0]?.name ?? "";
    const message = `The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. Container ${container} was using 200Mi, request is 0, has larger consumption of memory. `;
    const disruption = {
      type: "DisruptionTarget",
      status: "True",
      reason: "TerminationByKubelet",
      message,
      observedGeneration: generation,
      lastTransitionTime: time,
    } as const;
    const conditions = [disruption, ...podConditions(pod, { phase: "Failed" }, time)];
    await this.#fail({ pod, kubelet }, { reason: "Evicted", message, conditions, time });
    const node = pod.spec?.nodeName ?? "";
    const events = eventWriter(this.#context, kubeletUser(node), KUBELET);
    await events.write(pod, { type: "Warning", reason: "Evicted", message, host: node });
  }
}

// The error is shown after each attempt; the waits between attempts double.
function pullState(elapsedMs: number): {
  readonly reason: "ErrImagePull" | "ImagePullBackOff";
  readonly remainingMs: number;
} {
  let left = elapsedMs;
  for (let backOffMs = FIRST_BACK_OFF_MS; ; backOffMs = Math.min(2 * backOffMs, LONGEST_BACK_OFF_MS)) {
    if (left < PULL_ERROR_MS) return { reason: "ErrImagePull", remainingMs: PULL_ERROR_MS - left };
    if (left < backOffMs) return { reason: "ImagePullBackOff", remainingMs: backOffMs - left };
    left -= backOffMs;
  }
}

function pullMessage(reason: "ErrImagePull" | "ImagePullBackOff", image: string): string {
  const error = `rpc error: code = NotFound desc = failed to pull and unpack image "${image}": not found`;
  return reason === "ErrImagePull" ? error : `Back-off pulling image "${image}": ErrImagePull: ${error}`;
}

/** Returns the part of a pod that events about a container are about. */
function fieldPathOf({ spec }: Pod, name: string): string {
  const isIn = (containers: readonly { readonly name: string }[] = []): boolean =>
    containers.some((each) => each.name === name);
  const list = isIn(spec?.initContainers)
    ? "initContainers"
    : isIn(spec?.ephemeralContainers)
      ? "ephemeralContainers"
      : "containers";
  return `spec.${list}{${name}}`;
}

function allStatuses(status: PodStatus | undefined): readonly ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}

function statusesOf(
  containers: readonly NamedImage[],
  stateOf: (image: string) => readonly [reason: string, message: string],
): Statuses {
  return new Map(
    containers.map((container) => {
      const [reason, message] = stateOf(container.image ?? "");
      return [container.name, waitingStatus(container, reason, message)];
    }),
  );
}

function eventsOf(pod: Pod, { name, image, state }: ContainerStatus): readonly ContainerEvent[] {
  const { reason, message = "" } = state?.waiting ?? {};
  switch (reason) {
    case "CrashLoopBackOff":
      return [
        {
          type: "Warning",
          reason: "BackOff",
          message: `Back-off restarting failed container ${name} in pod ${podText(pod)}`,
        },
      ];
    case "CreateContainerConfigError":
      return [{ type: "Warning", reason: "Failed", message: `Error: ${message}` }];
    case "ErrImagePull":
      return [
        { type: "Normal", reason: "Pulling", message: `Pulling image "${image}"` },
        { type: "Warning", reason: "Failed", message: `Failed to pull image "${image}": ${message}` },
        { type: "Warning", reason: "Failed", message: "Error: ErrImagePull" },
      ];
    case "ImagePullBackOff":
      return [
        { type: "Normal", reason: "BackOff", message: `Back-off pulling image "${image}"` },
        { type: "Warning", reason: "Failed", message: "Error: ImagePullBackOff" },
      ];
    default:
      return [];
  }
}
