import type { InternalClient, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { toTime } from "@kubescaffold/k8s";
import type { Container, ContainerStatus, Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import { kubeletUser } from "../controllers/kubelet-user.ts";
import { eventWriter } from "../controllers/workload/event-writer.ts";
import { PODS } from "../controllers/workload/workload-objects.ts";
import { podText, waitingStatus } from "./containers/container-statuses.ts";
import type { SimulatedContainer } from "./containers/container.ts";
import { type ImageProblem, type NamedImage, pullError } from "./containers/images/image-problems.ts";
import { FAULT_NAMES, SIMULATE_ANNOTATION, type SimulatedFault } from "./containers/pod-faults.ts";
import type { ContainerEvent } from "./containers/probes/probes.ts";
import { pullEvents } from "./containers/start-events.ts";
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
/** A container whose image cannot be used. */
export interface UnusableImage {
  readonly container: Pick<Container, "image" | "name">;
  readonly problem: ImageProblem;
}

/** Simulates the failures of pods that are not those of a process: images that cannot be used, and evictions. */
export class PodFailures {
  readonly #context: ServerContext;
  // When pods were seen first, by their uid.
  readonly #since = new Map<string, number>();
  // Why volumes could not be set up, as it was reported, by the uid of the pod.
  readonly #mounts = new Map<string, ReadonlyMap<string, string>>();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  forget(uid: string): void {
    this.#since.delete(uid);
    this.#mounts.delete(uid);
  }

  /** Returns the statuses of the containers of a pod that fails in this way, undefined for other pods, and `ended` after an eviction. */
  async statuses(failing: FailingPod, later: (delayMs: number) => void): Promise<Statuses | "ended" | undefined> {
    const { pod, fault } = failing;
    const { uid = "" } = pod.metadata;
    const now = this.#context.clock.now();
    const since = this.#since.get(uid) ?? now;
    switch (fault?.kind) {
      case "image-pull-error": {
        const unusable = (pod.spec?.containers ?? []).map((container) => ({
          container,
          problem: { reason: "ErrImagePull", message: pullError(container.image ?? "") } as const,
        }));
        return this.waiting(pod, unusable, later);
      }
      case "unknown": {
        const message = `unknown value "${fault.text}" of the annotation ${SIMULATE_ANNOTATION}: use one of ${FAULT_NAMES}`;
        return new Map(
          (pod.spec?.containers ?? []).map((container) => [
            container.name,
            waitingStatus(container, "CreateContainerConfigError", message),
          ]),
        );
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

  /** Returns the statuses of containers that wait for their images. */
  waiting(pod: Pod, unusable: readonly UnusableImage[], later: (delayMs: number) => void): Statuses {
    const { uid = "" } = pod.metadata;
    const now = this.#context.clock.now();
    return new Map(
      unusable.map(({ container, problem: { reason, message } }) => {
        if (reason !== "ErrImagePull") return [container.name, waitingStatus(container, reason, message)];
        const since = this.#since.get(uid) ?? now;
        this.#since.set(uid, since);
        const state = pullState(now - since);
        later(state.remainingMs);
        const text =
          state.reason === reason
            ? message
            : `Back-off pulling image "${container.image ?? ""}": ErrImagePull: ${message}`;
        return [container.name, waitingStatus(container, state.reason, text)];
      }),
    );
  }

  /** Whether any pod waits for the contents of its volumes. */
  get hasUnmounted(): boolean {
    return this.#mounts.size > 0;
  }

  /** Writes the events of volumes that cannot be set up, each once. */
  async reportMounts(pod: Pod, problems: ReadonlyMap<string, string>): Promise<void> {
    const { uid = "" } = pod.metadata;
    const reported = this.#mounts.get(uid);
    if (problems.size > 0) this.#mounts.set(uid, problems);
    else this.#mounts.delete(uid);
    const fresh = [...problems].filter(([volume, problem]) => reported?.get(volume) !== problem);
    await this.write(
      pod,
      fresh.map(([volume, problem]) => ({
        type: "Warning",
        reason: "FailedMount",
        message: `MountVolume.SetUp failed for volume "${volume}" : ${problem}`,
      })),
    );
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
    const conditions = podConditions(pod, { phase: "Failed", release: this.#context.release }, time);
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
    const { release } = this.#context;
    const conditions = [disruption, ...podConditions(pod, { phase: "Failed", release }, time)];
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

function specOf({ spec }: Pod, name: string): NamedImage {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
  return all.find((each) => each.name === name) ?? { name };
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
      return [...pullEvents(specOf(pod, name)), { type: "Warning", reason: "Failed", message: `Error: ${message}` }];
    case "ErrImageNeverPull":
    case "InvalidImageName":
      return [
        { type: "Warning", reason: reason === "InvalidImageName" ? "InspectFailed" : reason, message },
        { type: "Warning", reason: "Failed", message: `Error: ${reason}` },
      ];
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
