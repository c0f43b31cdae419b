import { KUBERNETES_VERSION } from "@kubescaffold/k8s";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES, PODS } from "./node-cluster.ts";

let tools: NodeCluster;

beforeEach(() => {
  tools = new NodeCluster();
});

afterEach(async () => tools.cluster.close());

async function taints(name: string): Promise<readonly string[]> {
  return ((await tools.node(name)).spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
}

describe("simulated nodes", () => {
  it("exist from the start, ready and with room for many pods", async () => {
    const node = await tools.node("node-0");
    expect(node).toMatchObject({
      metadata: { labels: { "kubernetes.io/hostname": "node-0", "kubernetes.io/os": "linux" } },
      status: { allocatable: { pods: "1M" }, nodeInfo: { kubeletVersion: `v${KUBERNETES_VERSION}+embedded` } },
    });
    expect(node.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      "MemoryPressure=False",
      "DiskPressure=False",
      "PIDPressure=False",
      "Ready=True",
    ]);
  });

  it("become ready when they are created, with their own resources, and lose the taint of new nodes", async () => {
    await tools.createNode("small", { resources: { cpu: "2", memory: "4Gi", pods: "3" } });
    expect(await tools.node("small")).toMatchObject({
      status: {
        addresses: [
          { type: "InternalIP", address: "172.18.0.3" },
          { type: "Hostname", address: "small" },
        ],
        allocatable: { cpu: "2", memory: "4Gi", pods: "3" },
      },
    });
    expect(await taints("small")).toEqual([]);
    expect(await tools.events("small")).toEqual([
      "RegisteredNode: Node small event: Registered Node small in Controller",
    ]);
  });

  it("keep the status that a test wrote when it created them", async () => {
    const status = { conditions: [{ type: "Ready", status: "False", reason: "Broken" }] };
    await tools.done(tools.admin.post(NODES, { apiVersion: "v1", kind: "Node", metadata: { name: "broken" }, status }));
    expect((await tools.node("broken")).status?.conditions).toMatchObject([{ type: "Ready", reason: "Broken" }]);
    expect(await taints("broken")).toEqual([
      "node.kubernetes.io/not-ready:NoSchedule",
      "node.kubernetes.io/not-ready:NoExecute",
    ]);
  });

  it("take their pods along when they are deleted", async () => {
    await tools.createNode("gone");
    await tools.createPod("p", { nodeSelector: { "kubernetes.io/hostname": "gone" } });
    expect(await tools.nodeOf("p")).toBe("gone");
    await tools.done(tools.admin.delete(`${NODES}/gone`));
    expect(await tools.admin.get(`${PODS}/p`)).toMatchObject({ status: 404 });
    expect(await tools.events("gone")).toContain("RemovingNode: Node gone event: Removing Node gone from Controller");
  });

  it("mark a held pod as failed when they are deleted", async () => {
    await tools.createNode("gone");
    await tools.createPod(
      "p",
      { nodeSelector: { "kubernetes.io/hostname": "gone" } },
      { finalizers: ["example.com/hold"] },
    );
    await tools.done(tools.admin.delete(`${NODES}/gone`));
    expect((await tools.pod("p")).status?.phase).toBe("Failed");
    expect(await tools.conditionOf("p", "DisruptionTarget")).toBe("True DeletionByPodGC PodGC: node no longer exists");
  });

  it("may appear later than their pods, which go after 40 seconds without them", async () => {
    await tools.createPod("early", { nodeName: "later" });
    await tools.createPod("lost", { nodeName: "never" });
    await tools.advance(39);
    expect((await tools.pod("early")).status?.phase).toBe("Pending");
    await tools.createNode("later");
    await tools.advance(1);
    expect((await tools.pod("early")).status?.phase).toBe("Running");
    expect(await tools.admin.get(`${PODS}/lost`)).toMatchObject({ status: 404 });
  });

  it("keep running pods while they are not ready, until these no longer tolerate it", async () => {
    await tools.createNode("ill", { labels: { row: "ill" } });
    const nodeSelector = { row: "ill" };
    await tools.createPod("p", { nodeSelector });
    await tools.createPod("loyal", { nodeSelector, tolerations: [{ operator: "Exists" }] });
    await tools.report("ill", "False");
    expect(await taints("ill")).toEqual([
      "node.kubernetes.io/not-ready:NoSchedule",
      "node.kubernetes.io/not-ready:NoExecute",
    ]);
    await tools.advance(299);
    expect((await tools.pod("p")).metadata.deletionTimestamp).toBeUndefined();
    await tools.advance(1);
    expect(await tools.events("p")).toContain("TaintManagerEviction: Marking for deletion Pod default/p");
    await tools.advance(30);
    expect(await tools.admin.get(`${PODS}/p`)).toMatchObject({ status: 404 });
    expect(await tools.conditionOf("loyal", "Ready")).toBe("True");
  });

  it("forget an eviction when they are ready in time", async () => {
    await tools.createPod("p");
    await tools.report("node-0", "False");
    await tools.advance(200);
    await tools.report("node-0", "True");
    expect(await taints("node-0")).toEqual([]);
    await tools.advance(200);
    expect((await tools.pod("p")).metadata.deletionTimestamp).toBeUndefined();
    expect(await tools.events("p")).toContain("TaintManagerEviction: Cancelling deletion of Pod default/p");
  });

  it("leave their pods terminating and not ready while they are unreachable, and finish when they are back", async () => {
    await tools.createPod("p");
    await tools.createPod("other");
    await tools.report("node-0", "Unknown");
    expect(await tools.conditionOf("p", "Ready")).toBe("False");
    expect(await tools.events("p")).toContain("NodeNotReady: Node is not ready");
    expect(await tools.events("node-0")).toContain("NodeNotReady: Node node-0 status is now: NodeNotReady");
    await tools.done(tools.admin.delete(`${PODS}/p`));
    await tools.advance(60);
    expect((await tools.pod("p")).metadata.deletionTimestamp).toBeDefined();
    await tools.report("node-0", "True");
    expect(await tools.admin.get(`${PODS}/p`)).toMatchObject({ status: 404 });
    expect(await tools.conditionOf("other", "Ready")).toBe("True");
  });

  it("release terminating pods when they are out of service", async () => {
    await tools.createPod("p");
    await tools.report("node-0", "Unknown");
    await tools.done(tools.admin.delete(`${PODS}/p`));
    const { taints: present = [] } = (await tools.node("node-0")).spec ?? {};
    const outOfService = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };
    await tools.done(tools.admin.patch(`${NODES}/node-0`, { spec: { taints: [...present, outOfService] } }));
    expect(await tools.admin.get(`${PODS}/p`)).toMatchObject({ status: 404 });
  });

  it("evict pods that do not tolerate a new taint at once, and others after their time", async () => {
    await tools.createPod("plain");
    const maintenance = { key: "maintenance", operator: "Exists", effect: "NoExecute" };
    await tools.createPod("patient", { tolerations: [{ ...maintenance, tolerationSeconds: 60 }] });
    await tools.done(
      tools.admin.patch(`${NODES}/node-0`, { spec: { taints: [{ key: "maintenance", effect: "NoExecute" }] } }),
    );
    expect(await tools.admin.get(`${PODS}/plain`)).toMatchObject({ status: 404 });
    await tools.advance(59);
    expect((await tools.pod("patient")).metadata.deletionTimestamp).toBeUndefined();
    await tools.advance(1);
    expect(await tools.admin.get(`${PODS}/patient`)).toMatchObject({ status: 404 });
  });

  it("are tainted by pressure and by cordon", async () => {
    await tools.report("node-0", "True", "DiskPressure");
    await tools.done(tools.admin.patch(`${NODES}/node-0`, { spec: { unschedulable: true } }));
    expect(await taints("node-0")).toEqual([
      "node.kubernetes.io/disk-pressure:NoSchedule",
      "node.kubernetes.io/unschedulable:NoSchedule",
    ]);
    await tools.report("node-0", "False", "DiskPressure");
    await tools.done(tools.admin.patch(`${NODES}/node-0`, { spec: { unschedulable: false } }));
    expect(await taints("node-0")).toEqual([]);
  });
});
