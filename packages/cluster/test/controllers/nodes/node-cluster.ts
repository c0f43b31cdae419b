import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import type { Node, Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";

import { type Answer, requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

export const NODES = "/api/v1/nodes";
export const PODS = "/api/v1/namespaces/default/pods";

/** A cluster with simulated workloads on a clock of the test, and shorthands for tests of nodes. */
export class NodeCluster {
  readonly clock = new FakeClock();
  readonly cluster: EmbeddedCluster;
  readonly admin: Requests;

  constructor(kubernetesVersion: string = KUBERNETES_MINOR) {
    this.cluster = createEmbeddedCluster({ clock: this.clock, workloadSimulation: true, kubernetesVersion });
    this.admin = requestsOf(this.cluster.config);
    this.cluster.server.start();
  }

  async settle(): Promise<void> {
    await this.cluster.server.idle();
  }

  async advance(seconds: number): Promise<void> {
    this.clock.step(seconds * 1000);
    await this.settle();
  }

  /** Sends a request that must succeed, and waits for the controllers. */
  async done(answer: Promise<Answer>): Promise<Answer["body"]> {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`a request of the test failed: ${JSON.stringify(body)}`);
    await this.settle();
    return body;
  }

  async createNode(
    name: string,
    {
      resources,
      labels = {},
      ...spec
    }: { readonly resources?: object; readonly labels?: object; readonly taints?: object[] } = {},
  ): Promise<void> {
    const status = resources === undefined ? {} : { status: { capacity: resources } };
    const metadata = { name, labels };
    await this.done(this.admin.post(NODES, { apiVersion: "v1", kind: "Node", metadata, spec, ...status }));
  }

  async createPod(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    await this.done(
      this.admin.post(PODS, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, ...metadata },
        spec: { containers: [{ name: "main", image: "main:1" }], ...spec },
      }),
    );
  }

  async node(name: string): Promise<Node> {
    return (await this.admin.get(`${NODES}/${name}`)).body as unknown as Node;
  }

  async pod(name: string): Promise<Pod> {
    return (await this.admin.get(`${PODS}/${name}`)).body as unknown as Pod;
  }

  async nodeOf(name: string): Promise<string | undefined> {
    return (await this.pod(name)).spec?.nodeName;
  }

  /** Returns what the condition of a pod says, or nothing without it. */
  async conditionOf(name: string, wanted: string): Promise<string | undefined> {
    const found = (await this.pod(name)).status?.conditions?.find(({ type }) => type === wanted);
    if (found === undefined) return undefined;
    return [found.status, found.reason, found.message].filter((each) => each !== undefined).join(" ");
  }

  /** Reports a condition of a node, as its kubelet does. */
  async report(name: string, status: "True" | "False" | "Unknown", type = "Ready"): Promise<void> {
    const known = (await this.node(name)).status?.conditions ?? [];
    const conditions = [...known.filter((each) => each.type !== type), { type, status }];
    await this.done(this.admin.patch(`${NODES}/${name}/status`, { status: { conditions } }));
  }

  /** Lists the reasons and messages of the events about an object. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = (await this.admin.get(`/api/v1/events?fieldSelector=involvedObject.name=${name}`)).body as {
      readonly items: readonly { readonly reason: string; readonly message: string }[];
    };
    return items.map(({ reason, message }) => `${reason}: ${message}`);
  }
}

/** Returns a container that requests resources. */
export function requesting(requests: object): object {
  return { containers: [{ name: "main", image: "main:1", resources: { requests } }] };
}
