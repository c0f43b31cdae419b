import { isConflict, isNotFound, objectKey } from "@kubescaffold/k8s";
import type { ContainerStatus, Node, Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import { toTime } from "../../clock/clock.ts";
import type { ContainerRuntime } from "../../containers/container-runtime.ts";
import type { InProcessController, InternalClient, ServerContext } from "../../pipeline/server-context.ts";
import type { IpFamily } from "../../resources/built-in/rules/core/service-ranges.ts";
import { numberOf } from "../../resources/fields.ts";
import { keyOf, splitKey } from "../../storage/object-key.ts";
import type { KeyedWorker } from "../keyed-worker.ts";
import { kubeletUser } from "../kubelet-user.ts";
import { hasEnded } from "../scheduler/cluster-nodes.ts";
import { storeController } from "../store-controller.ts";
import { eventWriter } from "../workload/event-writer.ts";
import { controllerOf, NODES, PODS, readStored } from "../workload/workload-objects.ts";
import { isMountable, MOUNTABLE, podsThatMount } from "./mounted-objects.ts";
import { readinessOf } from "./node-defaults.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { rejectionOf } from "./pod-admission.ts";
import { PodAllocations } from "./pod-allocations.ts";
import { podConditions } from "./pod-conditions.ts";
import { type NamedImage, PodFailures } from "./pod-failures.ts";
import { resizeConditions, resizeEvents } from "./pod-resize.ts";
import {
  addressFields,
  containerStatus,
  endedStatus,
  initializingStatus,
  isMisconfigured,
  killedStatus,
  podStatus,
} from "./pod-status.ts";

/** Runs the containers of pods on simulated nodes, reports their status, and takes deleted ones away, as the kubelets would. */
export function podSimulator(
  context: ServerContext,
  containers: ContainerRuntime,
  families: readonly IpFamily[],
): InProcessController {
  const work: PodWork = {
    context,
    containers,
    kubelets: new Map(),
    addresses: new PodAddresses(families),
    failures: new PodFailures(context),
    allocations: new PodAllocations(),
    deferred: new Set(),
  };
  return storeController({
    name: "pod-simulator",
    context,
    watches: [PODS, NODES, ...MOUNTABLE],
    keysOf: ({ groupResource, object, previous, kind }) => {
      if (isMountable(groupResource)) return containers.isEmpty ? [] : podsThatMount(context, groupResource, object);
      if (groupResource.resource === "nodes") {
        const isBack = readinessOf(object) !== readinessOf(previous);
        return isBack && kind !== "deleted" ? podsOn(context, object.metadata.name ?? "") : [];
      }
      const key = keyOf(objectKey(object));
      if (kind !== "deleted") return [key, ...work.deferred];
      forget(work, object.metadata.uid ?? "");
      work.deferred.delete(key);
      return [...work.deferred];
    },
    initialKeys: () => {
      work.addresses.remember(context.objects.list(PODS));
      return context.objects.list(PODS).map((object) => keyOf(objectKey(object)));
    },
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

function forget({ addresses, containers, failures, allocations }: PodWork, uid: string): void {
  addresses.release(uid);
  containers.remove(uid);
  failures.forget(uid);
  allocations.forget(uid);
}

interface PodWork {
  readonly context: ServerContext;
  readonly containers: ContainerRuntime;
  /** The clients of the nodes, by their name. */
  readonly kubelets: Map<string, InternalClient>;
  readonly addresses: PodAddresses;
  readonly failures: PodFailures;
  readonly allocations: PodAllocations;
  /** The keys of pods whose resize waits for others to make room. */
  readonly deferred: Set<string>;
}

function podsOn({ objects }: ServerContext, node: string): readonly string[] {
  const pods = objects.list(PODS) as unknown as readonly Pod[];
  return pods.filter(({ spec }) => spec?.nodeName === node).map((pod) => keyOf(objectKey(pod)));
}

// Returns the client of the node of a pod, unless the node does not exist or cannot be reached.
function kubeletOf({ context, kubelets }: PodWork, node: Node | undefined): InternalClient | undefined {
  const readiness = readinessOf(node);
  if (node === undefined || readiness === undefined || readiness === "Unknown") return undefined;
  const { name = "" } = node.metadata;
  const client = kubelets.get(name) ?? context.clientFor(kubeletUser(name));
  kubelets.set(name, client);
  return client;
}

async function syncPod(work: PodWork, key: string, worker: KeyedWorker): Promise<void> {
  const pod = readStored<Pod>(work.context, PODS, splitKey(key));
  if (pod === undefined) return;
  const node = readStored<Node>(work.context, NODES, { namespace: "", name: pod.spec?.nodeName ?? "" });
  const kubelet = kubeletOf(work, node);
  if (node === undefined || kubelet === undefined) return;
  const { namespace = "", name = "" } = pod.metadata;
  const target = { ...PODS, namespace, name };
  if (pod.metadata.deletionTimestamp !== undefined) {
    const isHeld = (pod.metadata.finalizers ?? []).length > 0 && pod.metadata.deletionGracePeriodSeconds === 0;
    const { uid = "", deletionGracePeriodSeconds: grace } = pod.metadata;
    const hasStopped = work.containers.terminate(uid, grace === undefined ? undefined : numberOf(grace)) || isHeld;
    await work.failures.reportEvents(pod, work.containers.containersOf(uid));
    if (!hasStopped && !isOverdue(work, pod, key, worker)) return;
    if ((await reportEnd(work, kubelet, pod)) || isHeld) return;
    await kubelet.delete(target, { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 });
    return;
  }
  // What runs on a node that is not ready goes on, but nothing starts.
  if (readinessOf(node) !== "True") return;
  const fault = work.containers.faults.faultOf(pod);
  if (fault?.kind === "manual" || hasEnded(pod)) return;
  if (await isRejected(work, { pod, node, kubelet }, (delayMs) => worker.addAfter(key, delayMs))) return;
  if (await endAfterDeadline(work, { pod, key, kubelet }, worker)) return;
  const allocation = work.allocations.allocate(pod, node, () => work.context.objects.list(PODS));
  if (allocation.refusal?.reason === "Deferred") work.deferred.add(key);
  else work.deferred.delete(key);
  const [hostAddresses, addresses] = [work.addresses.ofHost(node), work.addresses.of(pod, node)];
  // Containers get the addresses of their Pod before its first status.
  const located = { ...allocation.pod, status: { ...pod.status, ...addressFields(hostAddresses, addresses) } };
  work.containers.refreshFiles(located, work.context.objects);
  const pulling = (containers: readonly NamedImage[]): ReadonlyMap<string, ContainerStatus> =>
    work.failures.pulling(pod, missingImages(work, containers), (delayMs) => worker.addAfter(key, delayMs));
  const started = work.containers.syncInit(located, work.context.objects, () => worker.add(key));
  const blocked = (pod.spec?.initContainers ?? []).filter(({ name }) => name === started.blockedBy);
  const init = { ...started, statuses: new Map([...started.statuses, ...pulling(blocked)]) };
  const simulated =
    init.blockedBy === undefined ? await statusesOf(work, { pod: located, key, kubelet }, worker) : waiting(pod);
  if (simulated === undefined) return;
  const ephemeral =
    init.blockedBy === undefined
      ? new Map([
          ...work.containers.syncEphemeral(located, work.context.objects, () => worker.add(key)),
          ...pulling(pod.spec?.ephemeralContainers ?? []),
        ])
      : new Map<string, ContainerStatus>();
  // What it lacks may be created later.
  if ([...init.statuses.values(), ...simulated.values()].some(isMisconfigured))
    worker.addAfter(key, MISCONFIGURED_RETRY_MS);
  const time = toTime(work.context.clock.now());
  const containers = work.containers.containersOf(pod.metadata.uid ?? "");
  const outdated = containers.filter(({ isReplaced }) => isReplaced).map(({ spec }) => spec);
  const progress = { pod, allocation, isRestarting: outdated.length > 0 };
  const observed = { pod: allocation.pod, resize: resizeConditions(progress, time), outdated };
  const status = podStatus({ ...observed, hostAddresses, addresses, time, init, ephemeral }, simulated);
  await work.failures.reportEvents(pod, containers);
  await work.failures.write(pod, resizeEvents(progress));
  if (status === undefined) return;
  await kubelet.update({ ...target, subresource: "status" }, { ...pod, status } as never);
  await work.failures.report(pod, status);
  // Sidecars do not outlive the others.
  if (status.phase === "Succeeded" || status.phase === "Failed") work.containers.terminate(pod.metadata.uid ?? "");
}

// Reports whether the kubelet rejects a pod that does not fit on its node. As in a real cluster, this takes some time: pods that are replaced at once would
// otherwise be created and rejected forever, without time passing.
async function isRejected(
  { context }: PodWork,
  { pod, node, kubelet }: { readonly pod: Pod; readonly node: Node; readonly kubelet: InternalClient },
  later: (delayMs: number) => void,
): Promise<boolean> {
  const rejection = rejectionOf(pod, node, () => context.objects.list(PODS));
  if (rejection === undefined) return false;
  const remainingMs = Date.parse(pod.metadata.creationTimestamp ?? "") + REJECTION_MS - context.clock.now();
  if (remainingMs > 0) {
    later(remainingMs);
    return true;
  }
  const startTime = toTime(context.clock.now());
  const status: PodStatus = { ...pod.status, phase: "Failed", ...rejection, startTime };
  await kubelet.update({ ...PODS, ...objectKey(pod), subresource: "status" }, { ...pod, status } as never);
  const host = node.metadata.name ?? "";
  const { reason, message } = rejection;
  const text = message.replace("Pod was rejected: ", "");
  await eventWriter(context, kubeletUser(host), "kubelet").write(pod, { type: "Warning", reason, message: text, host });
  return true;
}

// Fails a pod whose active deadline is over; reports whether it did.
async function endAfterDeadline(
  work: PodWork,
  { pod, key, kubelet }: { readonly pod: Pod; readonly key: string; readonly kubelet: InternalClient },
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

function missingImages({ containers: { images } }: PodWork, containers: readonly NamedImage[]): readonly NamedImage[] {
  return containers.filter(({ image = "" }) => images.find(image)?.isMissing === true);
}

function waiting(pod: Pod): ReadonlyMap<string, ContainerStatus> {
  return new Map((pod.spec?.containers ?? []).map((container) => [container.name, initializingStatus(container)]));
}

// Starts the containers of a pod; returns the statuses of the simulated ones, unless the pod was ended.
async function statusesOf(
  work: PodWork,
  { pod, key, kubelet }: { readonly pod: Pod; readonly key: string; readonly kubelet: InternalClient },
  worker: KeyedWorker,
): Promise<ReadonlyMap<string, ContainerStatus> | undefined> {
  const fault = work.containers.faults.faultOf(pod);
  const failed = await work.failures.statuses({ pod, fault, kubelet }, (delayMs) => worker.addAfter(key, delayMs));
  if (failed === "ended") return undefined;
  const sync = (): ReadonlyMap<string, ContainerStatus> =>
    work.containers.sync(pod, work.context.objects, () => worker.add(key));
  if (fault?.kind === "crash-loop" || fault?.kind === "oom") {
    sync();
    await work.containers.crashed(pod.metadata.uid ?? "");
  }
  const missing = missingImages(work, pod.spec?.containers ?? []);
  const defined =
    failed ?? new Map([...sync(), ...work.failures.pulling(pod, missing, (ms) => worker.addAfter(key, ms))]);
  return fault === undefined && isOfJob(pod) ? withEnded(work, pod, defined) : defined;
}

const MISCONFIGURED_RETRY_MS = 1000;
const REJECTION_MS = 1000;

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
        endedStatus(containerStatus(container, { time, pod }), time),
    ]),
  );
}

// A pod that its Job still has to count must say how it ended. Reports whether it was told now.
async function reportEnd(work: PodWork, kubelet: InternalClient, pod: Pod): Promise<boolean> {
  const { namespace = "", name = "", uid = "", finalizers = [] } = pod.metadata;
  const phase = pod.status?.phase;
  if (!isOfJob(pod) || finalizers.length === 0 || phase === "Succeeded" || phase === "Failed") return false;
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
