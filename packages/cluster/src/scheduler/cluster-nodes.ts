import type { Node, Pod } from "@kubescaffold/k8s/core/v1";

import { hasEnded } from "../controllers/workload/workload-objects.ts";
import { type Amounts, amountsOf, podRequests, scoredRequests } from "./pod-requests.ts";

/** A pod on a node, or one that shall be. */
export interface PodOnNode {
  readonly pod: Pod;
  readonly requests: Amounts;
  readonly scored: Amounts;
}

/** Returns a pod with its requests. */
export function withRequests(pod: Pod): PodOnNode {
  return { pod, requests: podRequests(pod), scored: scoredRequests(pod) };
}

/** A node with its pods that have not ended, and their requests. */
export class NodeWithPods {
  readonly node: Node;
  readonly name: string;
  readonly allocatable: Amounts;
  readonly #pods: Map<string, PodOnNode>;
  readonly #requested = new Map<string, number>();
  readonly #scored = new Map<string, number>();

  constructor(node: Node, pods: Iterable<PodOnNode>) {
    this.node = node;
    this.name = node.metadata.name ?? "";
    this.allocatable = amountsOf(node.status?.allocatable);
    this.#pods = new Map();
    for (const each of pods) this.add(each);
  }

  get pods(): Iterable<PodOnNode> {
    return this.#pods.values();
  }

  get podCount(): number {
    return this.#pods.size;
  }

  /** Returns the sum of the requests of the pods. */
  requested(resource: string): number {
    return this.#requested.get(resource) ?? 0;
  }

  /** Returns the sum that counts in scores. */
  scored(resource: string): number {
    return this.#scored.get(resource) ?? 0;
  }

  add(added: PodOnNode): void {
    const uid = added.pod.metadata.uid ?? "";
    this.remove(uid);
    this.#pods.set(uid, added);
    this.#count(added, 1);
  }

  remove(uid: string): void {
    const removed = this.#pods.get(uid);
    if (removed === undefined) return;
    this.#pods.delete(uid);
    this.#count(removed, -1);
  }

  /** Returns a copy with other pods. */
  withPods(pods: Iterable<PodOnNode>): NodeWithPods {
    return new NodeWithPods(this.node, pods);
  }

  #count({ requests, scored }: PodOnNode, sign: 1 | -1): void {
    for (const [sums, amounts] of [
      [this.#requested, requests],
      [this.#scored, scored],
    ] as const) {
      for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0) + sign * amount);
    }
  }
}

/** The nodes of a cluster and their pods, kept as objects change. */
export class ClusterNodes {
  readonly #nodes = new Map<string, NodeWithPods>();
  // Pods whose node does not exist.
  readonly #strays = new Map<string, Map<string, PodOnNode>>();

  /** The nodes in the order of their creation. */
  get all(): readonly NodeWithPods[] {
    return [...this.#nodes.values()];
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(name: string): NodeWithPods | undefined {
    return this.#nodes.get(name);
  }

  setNode(node: Node): void {
    const name = node.metadata.name ?? "";
    const pods = this.#nodes.get(name)?.pods ?? this.#strays.get(name)?.values() ?? [];
    this.#nodes.set(name, new NodeWithPods(node, pods));
    this.#strays.delete(name);
  }

  removeNode(name: string): void {
    const removed = this.#nodes.get(name);
    if (removed === undefined) return;
    this.#nodes.delete(name);
    if (removed.podCount === 0) return;
    this.#strays.set(name, new Map(Array.from(removed.pods, (each) => [each.pod.metadata.uid ?? "", each])));
  }

  /** Counts a pod on its node as long as it has not ended. */
  setPod(pod: Pod): void {
    const name = pod.spec?.nodeName ?? "";
    if (name === "") return;
    if (hasEnded(pod)) {
      this.removePod(pod);
      return;
    }
    const counted = withRequests(pod);
    const node = this.#nodes.get(name);
    if (node !== undefined) {
      node.add(counted);
      return;
    }
    const strays = this.#strays.get(name) ?? new Map<string, PodOnNode>();
    this.#strays.set(name, strays.set(pod.metadata.uid ?? "", counted));
  }

  removePod({ metadata, spec }: Pod): void {
    const [name, uid] = [spec?.nodeName ?? "", metadata.uid ?? ""];
    this.#nodes.get(name)?.remove(uid);
    const strays = this.#strays.get(name);
    strays?.delete(uid);
    if (strays?.size === 0) this.#strays.delete(name);
  }
}
