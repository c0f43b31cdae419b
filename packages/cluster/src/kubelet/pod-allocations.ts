import { compareQuantities } from "@kubescaffold/k8s";
import type { Container, ContainerStatus, Node, Pod, PodSpec, ResourceRequirements } from "@kubescaffold/k8s/core/v1";

import { amountsOf, podRequests } from "../scheduler/pod-requests.ts";
import { lastingContainers } from "./containers/restart-policy.ts";
import { lackingResource, nodeWith, podsBeside } from "./pod-admission.ts";

type Resources = ReadonlyMap<string, ResourceRequirements | undefined>;

/** Why a node does not resize a pod: never, or not until others make room. */
interface Refusal {
  readonly reason: "Infeasible" | "Deferred";
  readonly message: string;
}

/** What a node has decided about the resources of a pod. */
export interface Allocation {
  /** The pod with the resources that its containers have. */
  readonly pod: Pod;
  /** Whether the resources have just changed. */
  readonly isResized: boolean;
  /** Why they are not those that the pod asks for. */
  readonly refusal: Refusal | undefined;
}

const RESIZABLE = ["cpu", "memory"] as const;

/** The resources that nodes have allocated to the containers of their pods, which a resize changes if it fits, as a kubelet does. */
export class PodAllocations {
  // By the uid of the pod and the name of the container.
  readonly #allocated = new Map<string, Resources>();

  forget(uid: string): void {
    this.#allocated.delete(uid);
  }

  /** Returns a pod with the resources that it has, not those that it asks for. */
  allocated(pod: Pod): Pod {
    const resources = this.#allocated.get(pod.metadata.uid ?? "") ?? reportedResources(pod);
    return resources === undefined ? pod : withResources(pod, resources);
  }

  /** Allocates what a pod asks for, if its node has it beside the others of its pods. */
  allocate(pod: Pod, node: Node, pods: () => readonly Pod[]): Allocation {
    const { uid = "" } = pod.metadata;
    const former = this.allocated(pod);
    const isResized = !isSame(former, pod);
    const refusal = isResized ? this.#refusal(pod, node, pods()) : undefined;
    if (refusal !== undefined) return { pod: former, isResized: false, refusal };
    this.#allocated.set(uid, new Map(lastingContainers(pod).map(({ name, resources }) => [name, resources])));
    return { pod, isResized, refusal: undefined };
  }

  #refusal(pod: Pod, node: Node, pods: readonly Pod[]): Refusal | undefined {
    const requests = podRequests(pod);
    const allocatable = amountsOf(node.status?.allocatable);
    for (const resource of ["memory", "cpu"]) {
      const [requested, capacity] = [requests.get(resource) ?? 0, allocatable.get(resource)];
      if (capacity === undefined || requested <= capacity) continue;
      const amounts = `${resource}, requested: ${String(requested)}, capacity: ${String(capacity)}`;
      return { reason: "Infeasible", message: `Node didn't have enough capacity: ${amounts}` };
    }
    const others = podsBeside(pod, pods).map((each) => this.allocated(each));
    const message = lackingResource(pod, nodeWith(node, others))?.message;
    return message === undefined ? undefined : { reason: "Deferred", message };
  }
}

// What a server before this one has allocated.
function reportedResources({ status }: Pod): Resources | undefined {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const known = statuses.filter(({ resources }) => resources !== undefined);
  return known.length === 0 ? undefined : new Map(known.map((each) => [each.name, allocatedResources(each)]));
}

function allocatedResources({ resources = {}, allocatedResources: requests }: ContainerStatus): ResourceRequirements {
  return { ...resources, ...(requests === undefined ? {} : { requests }) };
}

function withResources(pod: Pod, resources: Resources): Pod {
  const resized = (container: Container): Container => {
    const allocated = resources.get(container.name);
    if (!resources.has(container.name) || hasSame(container.resources, allocated)) return container;
    const { claims } = container.resources ?? {};
    return { ...container, resources: { ...(claims === undefined ? {} : { claims }), ...allocated } };
  };
  const { containers = [], initContainers } = pod.spec ?? {};
  const isKept = lastingContainers(pod).every((each) => resized(each) === each);
  if (isKept) return pod;
  const spec: PodSpec = {
    ...pod.spec,
    containers: containers.map((each) => resized(each)),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map((each) => resized(each)) }),
  };
  return { ...pod, spec };
}

function isSame(former: Pod, pod: Pod): boolean {
  const before = lastingContainers(former);
  return lastingContainers(pod).every(({ resources }, index) => hasSame(before[index]?.resources, resources));
}

function hasSame(left: ResourceRequirements | undefined, right: ResourceRequirements | undefined): boolean {
  if (left === right) return true;
  return (["requests", "limits"] as const).every((list) =>
    RESIZABLE.every((name) => isEqual(left?.[list]?.[name], right?.[list]?.[name])),
  );
}

function isEqual(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return compareQuantities(left, right) === 0;
}
