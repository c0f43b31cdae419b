import {
  claimNames,
  keyOf,
  type ObjectReader,
  type ServerContext,
  splitKey,
  type StoreEvent,
  storedLabelsMatcher,
} from "@kubescaffold/apiserver/cluster-api";
import { type GroupResource, objectKey } from "@kubescaffold/k8s";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Service } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate } from "@kubescaffold/k8s/resource/v1";
import type { CSIDriver, CSIStorageCapacity, StorageClass } from "@kubescaffold/k8s/storage/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { PERSISTENT_VOLUMES, STORAGE_CLASSES } from "../controllers/volumes/volume-resources.ts";
import {
  controllerOf,
  hasEnded,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PODS,
  readStored,
} from "../controllers/workload/workload-objects.ts";
import { ClusterNodes, type NodeWithPods, withRequests } from "./cluster-nodes.ts";
import { type Placement, type PlacementLookups, placePod } from "./placement.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";

/** The scheduler that Pods name by default. */
const SCHEDULER_NAME = "default-scheduler";

type Failure = Extract<Placement, { readonly kind: "none" }>;

interface Unschedulable {
  readonly priority: number;
  /** Whether the removal of other pods may help. */
  readonly isHelpedByRemoval: boolean;
  /** Whether other pods may attract it. */
  readonly isHelpedByArrival: boolean;
  /** Whether changes of volumes may help. */
  readonly hasClaims: boolean;
  /** Whether changes of claims of devices may help. */
  readonly hasDeviceClaims: boolean;
  /** Whether it is not tried until the claims that it names exist. */
  readonly isHeld: boolean;
}

/** What the scheduler knows of the cluster; it is rebuilt when the controller starts. */
export class SchedulerState {
  readonly queue: SchedulingQueue = new SchedulingQueue();
  /** How often the placement of a pod failed in a row. */
  readonly failures: Map<string, number> = new Map<string, number>();
  readonly #context: ServerContext;
  readonly #nodes = new ClusterNodes();
  readonly #unschedulable = new Map<string, Unschedulable>();
  // Pods for which others were removed, by their key.
  readonly #nominated = new Map<string, Pod>();
  // Pods that wait for their volumes, with their node.
  readonly #assumed = new Map<string, Pod>();
  #start = 0;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  load(): void {
    const { objects } = this.#context;
    for (const node of objects.list(NODES) as unknown as readonly Node[]) this.#nodes.setNode(node);
    for (const pod of objects.list(PODS) as unknown as readonly Pod[]) this.#setPod(keyOf(objectKey(pod)), pod);
  }

  observe({ kind, groupResource, object, previous, key }: StoreEvent): void {
    if (groupResource.resource === "nodes") this.#observeNode(kind, object, previous);
    else if (groupResource.resource === "pods") {
      this.#observePod(key, kind === "deleted" ? undefined : object, previous);
    } else if (groupResource.group === DEVICE_CLASSES.group) {
      this.#retryAll(({ hasDeviceClaims }) => hasDeviceClaims);
    } else if (kind !== "modified" || !deepEqual(bindingOf(object), bindingOf(previous))) {
      this.#retryAll(({ hasClaims }) => hasClaims);
    }
  }

  /** Puts a pod into the queue again. */
  retry(key: string): void {
    const pod = readStored<Pod>(this.#context, PODS, splitKey(key));
    if (pod !== undefined && isSchedulable(pod) && !this.#assumed.has(key))
      this.queue.add(key, pod.spec?.priority ?? 0);
  }

  /** Finds the node for a pod. */
  place(pod: Pod): Placement {
    const nodes = this.#viewFor(pod);
    this.#start += 1;
    return placePod(withRequests(pod), nodes, this.lookupsFor(pod), this.#start);
  }

  /** Returns what reads the objects that the placement of a pod depends on. */
  lookupsFor(pod: Pod): PlacementLookups {
    const { objects, release } = this.#context;
    const { namespace = "" } = pod.metadata;
    return {
      release,
      labelsOf: (name: string) => objects.get(NAMESPACES, { namespace: "", name })?.metadata.labels ?? {},
      claim: (name: string) =>
        readStored<PersistentVolumeClaim>(this.#context, PERSISTENT_VOLUME_CLAIMS, { namespace, name }),
      volume: (name: string) =>
        readStored<PersistentVolume>(this.#context, PERSISTENT_VOLUMES, { namespace: "", name }),
      volumes: () => objects.list(PERSISTENT_VOLUMES),
      storageClass: (name: string) => readStored<StorageClass>(this.#context, STORAGE_CLASSES, { namespace: "", name }),
      storageDriver: (name: string) => readStored<CSIDriver>(this.#context, STORAGE_DRIVERS, { namespace: "", name }),
      storageCapacities: () => objects.list(STORAGE_CAPACITIES) as unknown as readonly CSIStorageCapacity[],
      budgets: () => objects.list(BUDGETS),
      defaultSelector: () => defaultSelector(objects, pod),
      resourceClaim: (name: string) => readStored<ResourceClaim>(this.#context, RESOURCE_CLAIMS, { namespace, name }),
      resourceClaimTemplate: (name: string) =>
        readStored<ResourceClaimTemplate>(this.#context, RESOURCE_CLAIM_TEMPLATES, { namespace, name }),
      deviceClass: (name: string) => readStored<DeviceClass>(this.#context, DEVICE_CLASSES, { namespace: "", name }),
    };
  }

  /** Remembers a pod that no node is suitable for. */
  keep(key: string, pod: Pod, failure: Failure): void {
    const { affinity, topologySpreadConstraints = [] } = pod.spec ?? {};
    const isHelpedByArrival = affinity?.podAffinity !== undefined || topologySpreadConstraints.length > 0;
    const { isHelpedByRemoval } = failure;
    this.#unschedulable.set(key, { ...waitingOf(pod), isHelpedByRemoval, isHelpedByArrival, isHeld: false });
  }

  /** Remembers a pod that is not tried before the claims of devices that it names exist. */
  hold(key: string, pod: Pod): void {
    const withoutHelp = { isHelpedByRemoval: false, isHelpedByArrival: false, hasClaims: false };
    this.#unschedulable.set(key, { ...waitingOf(pod), ...withoutHelp, isHeld: true });
  }

  /** Counts a pod on the node that it will be bound to. */
  assume(key: string, pod: Pod, node: string): void {
    const assumed = { ...pod, spec: { containers: [], ...pod.spec, nodeName: node } };
    this.#forget(key);
    this.#assumed.set(key, assumed);
    this.#nodes.setPod(assumed);
  }

  /** Leaves the room of a pod to others that is not bound after all. */
  release(key: string): void {
    if (this.#dropAssumed(key)) this.#retryAll(({ isHelpedByRemoval }) => isHelpedByRemoval);
  }

  #observeNode(kind: StoreEvent["kind"], node: Node, previous: Node | undefined): void {
    if (kind === "deleted") this.#nodes.removeNode(node.metadata.name ?? "");
    else this.#nodes.setNode(node);
    const isSame =
      kind === "modified" &&
      deepEqual(node.spec, previous?.spec) &&
      deepEqual(node.metadata.labels, previous?.metadata.labels) &&
      deepEqual(node.status?.allocatable, previous?.status?.allocatable);
    if (!isSame) this.#retryAll(({ isHeld }) => !isHeld);
  }

  #observePod(key: string, pod: Pod | undefined, previous: Pod | undefined): void {
    const assumed = this.#assumed.get(key);
    if (assumed !== undefined) {
      if (pod !== undefined && pod.metadata.uid === assumed.metadata.uid && isSchedulable(pod)) return;
      if (pod !== undefined && isOnNode(pod)) this.#dropAssumed(key);
      else this.release(key);
    }
    const wasOnNode = previous !== undefined && isOnNode(previous);
    const isNow = pod !== undefined && isOnNode(pod);
    if (previous !== undefined && pod?.metadata.uid !== previous.metadata.uid) this.#nodes.removePod(previous);
    if (pod === undefined) this.#forget(key);
    else if (previous === undefined || wasOnNode || isNow || isChanged(pod, previous)) this.#setPod(key, pod);
    else this.#nominate(key, pod);
    if (wasOnNode && !isNow) this.#retryAll(({ isHelpedByRemoval }) => isHelpedByRemoval);
    const hasOtherLabels = wasOnNode && isNow && !deepEqual(pod.metadata.labels, previous.metadata.labels);
    if ((isNow && !wasOnNode) || hasOtherLabels) this.#retryAll(({ isHelpedByArrival }) => isHelpedByArrival);
  }

  #setPod(key: string, pod: Pod): void {
    if ((pod.spec?.nodeName ?? "") !== "") {
      this.#nodes.setPod(pod);
      this.#forget(key);
      return;
    }
    this.#forget(key);
    if (!isSchedulable(pod)) return;
    this.#nominate(key, pod);
    this.queue.add(key, pod.spec?.priority ?? 0);
  }

  #dropAssumed(key: string): boolean {
    const assumed = this.#assumed.get(key);
    if (assumed === undefined) return false;
    this.#assumed.delete(key);
    this.#nodes.removePod(assumed);
    return true;
  }

  #nominate(key: string, pod: Pod): void {
    if ((pod.status?.nominatedNodeName ?? "") === "") this.#nominated.delete(key);
    else this.#nominated.set(key, pod);
  }

  #forget(key: string): void {
    this.queue.remove(key);
    this.#unschedulable.delete(key);
    this.#nominated.delete(key);
  }

  #retryAll(isHelped: (pod: Unschedulable) => boolean): void {
    for (const [key, pod] of this.#unschedulable) {
      if (!isHelped(pod)) continue;
      this.#unschedulable.delete(key);
      this.queue.add(key, pod.priority);
    }
  }

  // A pod must leave the room to others that are at least as important and were promised it.
  #viewFor(pod: Pod): readonly NodeWithPods[] {
    const promised = [...this.#nominated.values()].filter(
      ({ metadata, spec }) => metadata.uid !== pod.metadata.uid && (spec?.priority ?? 0) >= (pod.spec?.priority ?? 0),
    );
    if (promised.length === 0) return this.#nodes.all;
    return this.#nodes.all.map((node) => {
      const others = promised.filter(({ status }) => status?.nominatedNodeName === node.name);
      return others.length === 0 ? node : node.withPods([...node.pods, ...others.map((each) => withRequests(each))]);
    });
  }
}

const RESOURCE_CLAIMS = { group: "resource.k8s.io", resource: "resourceclaims" } as const;
const RESOURCE_CLAIM_TEMPLATES = { group: "resource.k8s.io", resource: "resourceclaimtemplates" } as const;
const DEVICE_CLASSES = { group: "resource.k8s.io", resource: "deviceclasses" } as const;
const STORAGE_DRIVERS = { group: "storage.k8s.io", resource: "csidrivers" } as const;
const STORAGE_CAPACITIES = { group: "storage.k8s.io", resource: "csistoragecapacities" } as const;
/** The resources of volumes that scheduling depends on. */
export const VOLUME_RESOURCES: readonly GroupResource[] = [
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  STORAGE_CLASSES,
  STORAGE_DRIVERS,
  STORAGE_CAPACITIES,
];
/** The resources of devices that scheduling depends on. */
export const DEVICE_RESOURCES: readonly GroupResource[] = [RESOURCE_CLAIMS, RESOURCE_CLAIM_TEMPLATES, DEVICE_CLASSES];

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const BUDGETS = { group: "policy", resource: "poddisruptionbudgets" } as const;

/** Reports whether a pod waits for this scheduler. */
export function isSchedulable(pod: Pod): boolean {
  const { metadata, spec } = pod;
  return (
    (spec?.nodeName ?? "") === "" &&
    (spec?.schedulerName ?? SCHEDULER_NAME) === SCHEDULER_NAME &&
    (spec?.schedulingGates ?? []).length === 0 &&
    metadata.deletionTimestamp === undefined &&
    !hasEnded(pod)
  );
}

function waitingOf(pod: Pod): Pick<Unschedulable, "priority" | "hasClaims" | "hasDeviceClaims"> {
  const { priority = 0, resourceClaims = [] } = pod.spec ?? {};
  return { priority, hasClaims: claimNames(pod).length > 0, hasDeviceClaims: resourceClaims.length > 0 };
}

function isOnNode(pod: Pod): boolean {
  return (pod.spec?.nodeName ?? "") !== "" && !hasEnded(pod);
}

// What the scheduler looks at of a claim, a volume, or a class.
function bindingOf(object: PersistentVolume | PersistentVolumeClaim | StorageClass | undefined): unknown {
  if (object === undefined || !("spec" in object)) return object;
  const { metadata, spec, status } = object as PersistentVolume;
  return { annotations: metadata.annotations, deleted: metadata.deletionTimestamp, spec, phase: status?.phase };
}

// The reports of the scheduler itself are no reason to try again.
function isChanged(pod: Pod, previous: Pod): boolean {
  return (
    !deepEqual(pod.spec, previous.spec) ||
    !deepEqual(pod.metadata.labels, previous.metadata.labels) ||
    pod.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp
  );
}

const SERVICES = { group: "", resource: "services" } as const;

const OWNERS: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  ReplicaSet: { group: "apps", resource: "replicasets" },
  StatefulSet: { group: "apps", resource: "statefulsets" },
  ReplicationController: { group: "", resource: "replicationcontrollers" },
};

// The selector of the pods that belong together with a pod: those of its services and its controller; undefined without any.
function defaultSelector(objects: ObjectReader, pod: Pod): LabelSelector | undefined {
  const { namespace = "" } = pod.metadata;
  const matchLabels: Record<string, string> = {};
  for (const { spec } of objects.list(SERVICES, namespace) as unknown as readonly Service[]) {
    const selector = spec?.selector ?? {};
    const isSelecting = Object.keys(selector).length > 0 && storedLabelsMatcher(selector)(pod.metadata.labels);
    if (isSelecting) Object.assign(matchLabels, selector);
  }
  const owner = controllerOf(pod);
  const resource = OWNERS[owner?.kind ?? ""];
  const found = resource === undefined ? undefined : objects.get(resource, { namespace, name: owner?.name ?? "" });
  const selector = (found?.["spec"] as { readonly selector?: LabelSelector } | undefined)?.selector;
  const isPlain = owner?.kind === "ReplicationController";
  const ofOwner = isPlain ? { matchLabels: selector as Record<string, string> | undefined } : selector;
  Object.assign(matchLabels, ofOwner?.matchLabels);
  const matchExpressions = (ofOwner as LabelSelector | undefined)?.matchExpressions ?? [];
  return Object.keys(matchLabels).length + matchExpressions.length === 0
    ? undefined
    : { matchLabels, matchExpressions };
}
