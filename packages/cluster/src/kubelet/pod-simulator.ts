import {
  type ApiObject,
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type IpFamily,
  type KeyedWorker,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { type GroupResource, isConflict, isNotFound, objectKey, toTime } from "@kubescaffold/k8s";
import type { ContainerStatus, Node, Pod, PodStatus, Volume } from "@kubescaffold/k8s/core/v1";

import { kubeletUser } from "../controllers/kubelet-user.ts";
import { eventWriter } from "../controllers/workload/event-writer.ts";
import { hasEnded, isFinal, NODES, PODS, readStored } from "../controllers/workload/workload-objects.ts";
import type { ContainerRuntime, InitProgress } from "./containers/container-runtime.ts";
import { creatingStatus } from "./containers/container-statuses.ts";
import { imageProblem, type NamedImage } from "./containers/images/image-problems.ts";
import { readinessOf } from "./node-defaults.ts";
import { PodAddresses } from "./pod-addresses.ts";
import { rejectionOf } from "./pod-admission.ts";
import { PodAllocations } from "./pod-allocations.ts";
import { conditionsOfOthers } from "./pod-conditions.ts";
import { endAfterDeadline, endDeleted, isOfJob, stopContainers } from "./pod-end.ts";
import { PodFailures, type UnusableImage } from "./pod-failures.ts";
import { resizeConditions, resizeEvents } from "./pod-resize.ts";
import {
  addressFields,
  containerStatus,
  endedStatus,
  initializingStatus,
  isMisconfigured,
  podPhase,
  podStatus,
} from "./pod-status.ts";

const CONFIG_MAPS = { group: "", resource: "configmaps" } as const;
const SECRETS = { group: "", resource: "secrets" } as const;

// Containers have the objects as files.
const MOUNTABLE: readonly GroupResource[] = [CONFIG_MAPS, SECRETS];

/** What a simulator of pods needs. */
interface SimulatorParts {
  readonly containers: ContainerRuntime;
  readonly families: readonly IpFamily[];
}

/** Returns what creates the controller that runs the containers of pods on simulated nodes, reports their status, and takes deleted ones away, as the kubelets would. */
export function podSimulator(
  containers: ContainerRuntime,
): (context: ServerContext, self: ControllerIdentity, parts: Pick<SimulatorParts, "families">) => InProcessController {
  return (context, self, { families }) => createController(context, self, { containers, families });
}

function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { containers, families }: SimulatorParts,
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
    name: self.name,
    context,
    watches: [PODS, NODES, ...MOUNTABLE],
    keysOf: ({ groupResource, object, previous, kind }) => {
      if (isMountable(groupResource)) {
        const isUnused = containers.isEmpty && !work.failures.hasUnmounted;
        return isUnused ? [] : podsThatMount(context, groupResource, object);
      }
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
    await endDeleted(work, { pod, key, kubelet }, worker);
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
    work.failures.waiting(pod, unusableImages(work, containers), (delayMs) => worker.addAfter(key, delayMs));
  const unmounted = work.containers.mountProblems(located, work.context.objects);
  const hasSandbox = unmounted.size === 0;
  await work.failures.reportMounts(pod, unmounted);
  const started = hasSandbox
    ? work.containers.syncInit(located, work.context.objects, () => worker.add(key))
    : withoutSandbox(pod);
  const blocked = (pod.spec?.initContainers ?? []).filter(({ name }) => name === started.blockedBy);
  const init = { ...started, statuses: new Map([...started.statuses, ...pulling(blocked)]) };
  const simulated =
    init.blockedBy === undefined && hasSandbox
      ? await statusesOf(work, { pod: located, key, kubelet }, worker)
      : waiting(pod);
  if (simulated === undefined) return;
  const ephemeral =
    init.blockedBy === undefined && hasSandbox
      ? new Map([
          ...work.containers.syncEphemeral(located, work.context.objects, () => worker.add(key)),
          ...pulling(pod.spec?.ephemeralContainers ?? []),
        ])
      : new Map<string, ContainerStatus>();
  // What it lacks may be created later.
  if (!hasSandbox || [...init.statuses.values(), ...simulated.values()].some(isMisconfigured))
    worker.addAfter(key, MISCONFIGURED_RETRY_MS);
  const time = toTime(work.context.clock.now());
  const containers = work.containers.containersOf(pod.metadata.uid ?? "");
  const outdated = containers.filter(({ isReplaced }) => isReplaced).map(({ spec }) => spec);
  const progress = { pod, allocation, isRestarting: outdated.length > 0 };
  const next = podPhase(pod, init, simulated);
  const hasRunning = containers.some(({ isRunning }) => isRunning);
  const resize = resizeConditions(progress, time);
  const observed = { pod: allocation.pod, resize, outdated, next, hasRunning, hasSandbox };
  const { release } = work.context;
  const status = podStatus({ ...observed, release, hostAddresses, addresses, time, init, ephemeral }, simulated);
  // The hooks of its containers connect to the address in the status, so that events come later.
  if (status !== undefined) await kubelet.update({ ...target, subresource: "status" }, { ...pod, status } as never);
  await work.failures.reportEvents(pod, containers);
  await work.failures.write(pod, resizeEvents(progress));
  if (status !== undefined) await work.failures.report(pod, status);
  // Sidecars do not outlive the others.
  if (isFinal(next)) work.containers.finish(pod);
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
  const conditions = conditionsOfOthers(pod);
  const status: PodStatus = { ...pod.status, phase: "Failed", ...rejection, startTime, conditions };
  await kubelet.update({ ...PODS, ...objectKey(pod), subresource: "status" }, { ...pod, status } as never);
  const host = node.metadata.name ?? "";
  const { reason, message } = rejection;
  const text = message.replace("Pod was rejected: ", "");
  await eventWriter(context, kubeletUser(host), "kubelet").write(pod, { type: "Warning", reason, message: text, host });
  return true;
}

function unusableImages(
  { containers: { images } }: PodWork,
  containers: readonly NamedImage[],
): readonly UnusableImage[] {
  return containers.flatMap((container) => {
    const problem = imageProblem(container, images.find(container.image ?? ""));
    return problem === undefined ? [] : [{ container, problem }];
  });
}

function waiting({ spec }: Pod): ReadonlyMap<string, ContainerStatus> {
  const hasInit = (spec?.initContainers ?? []).length > 0;
  return new Map(
    (spec?.containers ?? []).map((container) => [
      container.name,
      hasInit ? initializingStatus(container) : creatingStatus(container, { restartCount: 0 }),
    ]),
  );
}

function withoutSandbox({ spec }: Pod): InitProgress {
  const [first] = spec?.initContainers ?? [];
  const statuses = new Map(first === undefined ? [] : [[first.name, initializingStatus(first)]]);
  return { statuses, blockedBy: first?.name, hasFailed: false };
}

// Starts the containers of a pod; returns the statuses of the simulated ones, unless the pod was ended.
async function statusesOf(
  work: PodWork,
  { pod, key, kubelet }: { readonly pod: Pod; readonly key: string; readonly kubelet: InternalClient },
  worker: KeyedWorker,
): Promise<ReadonlyMap<string, ContainerStatus> | undefined> {
  const fault = work.containers.faults.faultOf(pod);
  const failed = await work.failures.statuses({ pod, fault, kubelet }, (delayMs) => worker.addAfter(key, delayMs));
  if (failed === "ended") {
    await stopContainers(work, pod);
    return undefined;
  }
  const sync = (): ReadonlyMap<string, ContainerStatus> =>
    work.containers.sync(pod, work.context.objects, () => worker.add(key));
  if (fault?.kind === "crash-loop" || fault?.kind === "oom") {
    sync();
    await work.containers.crashed(pod.metadata.uid ?? "");
  }
  const unusable = unusableImages(work, pod.spec?.containers ?? []);
  const defined =
    failed ?? new Map([...sync(), ...work.failures.waiting(pod, unusable, (ms) => worker.addAfter(key, ms))]);
  return fault === undefined && isOfJob(pod) ? withEnded(work, pod, defined) : defined;
}

const MISCONFIGURED_RETRY_MS = 1000;
const REJECTION_MS = 1000;

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

function isMountable({ group, resource }: GroupResource): boolean {
  return MOUNTABLE.some((each) => each.group === group && each.resource === resource);
}

// The keys of the pods that have an object as a volume, or as a part of one.
function podsThatMount(
  { objects }: ServerContext,
  { resource }: GroupResource,
  { metadata }: ApiObject,
): readonly string[] {
  const pods = objects.list(PODS, metadata.namespace) as readonly Pod[];
  const isSource = ({ configMap, secret, projected }: Volume): boolean =>
    resource === CONFIG_MAPS.resource
      ? configMap?.name === metadata.name ||
        (projected?.sources ?? []).some((source) => source.configMap?.name === metadata.name)
      : secret?.secretName === metadata.name ||
        (projected?.sources ?? []).some((source) => source.secret?.name === metadata.name);
  return pods.filter(({ spec }) => spec?.volumes?.some(isSource) === true).map((pod) => keyOf(objectKey(pod)));
}
