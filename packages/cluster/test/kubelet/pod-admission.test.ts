import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, requesting } from "../controllers/nodes/node-cluster.ts";

let tools: NodeCluster;

beforeEach(() => {
  tools = new NodeCluster();
});

afterEach(async () => tools.cluster.close());

async function verdict(name: string): Promise<object> {
  const { phase, reason, message } = (await tools.pod(name)).status ?? {};
  return { phase, reason, message };
}

describe("the kubelet of a node that a pod names itself", () => {
  it("rejects a pod whose host port is in use", async () => {
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    const containers = [{ name: "main", image: "main:1", ports }];
    await tools.createPod("first", { nodeName: "node-0", containers });
    await tools.createPod("second", { nodeName: "node-0", containers });
    expect(await verdict("second")).toEqual({ phase: "Pending" });
    await tools.advance(1);
    expect(await verdict("first")).toEqual({ phase: "Running" });
    const failure = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
    expect(await verdict("second")).toEqual({
      phase: "Failed",
      reason: "NodePorts",
      message: `Pod was rejected: ${failure}`,
    });
    expect(await tools.events("second")).toEqual([`NodePorts: ${failure}`]);
  });

  it("rejects a pod that its labels or resources do not suit", async () => {
    await tools.createNode("small", { resources: { cpu: "1", memory: "1Gi", pods: "2" } });
    await tools.createPod("elsewhere", { nodeName: "small", nodeSelector: { zone: "a" } });
    await tools.advance(1);
    expect(await verdict("elsewhere")).toMatchObject({
      reason: "NodeAffinity",
      message: "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    });
    await tools.createPod("large", { nodeName: "small", ...requesting({ cpu: "2" }) });
    await tools.advance(1);
    expect(await verdict("large")).toMatchObject({
      reason: "OutOfcpu",
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 2000, used: 0, capacity: 1000",
    });
    await tools.createPod("first", { nodeName: "small" });
    await tools.createPod("second", { nodeName: "small" });
    await tools.createPod("third", { nodeName: "small" });
    await tools.advance(1);
    expect(await verdict("third")).toMatchObject({
      reason: "OutOfpods",
      message: "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 2, capacity: 2",
    });
  });

  it("rejects a pod that sets a parameter of the kernel that is not safe, also a scheduled one", async () => {
    const setting = (name: string): object => ({ securityContext: { sysctls: [{ name, value: "1" }] } });
    await tools.createPod("safe", setting("kernel/shm_rmid_forced"));
    await tools.createPod("unsafe", setting("kernel.msgmax"));
    await tools.advance(1);
    expect(await verdict("safe")).toEqual({ phase: "Running" });
    const message = 'forbidden sysctl: "kernel.msgmax" not allowlisted';
    expect(await verdict("unsafe")).toEqual({
      phase: "Failed",
      reason: "SysctlForbidden",
      message: `Pod was rejected: ${message}`,
    });
    expect(await tools.events("unsafe")).toContain(`SysctlForbidden: ${message}`);
    // A kubelet reports no conditions of pods that it rejects, and it owns that of the scheduler.
    expect((await tools.pod("unsafe")).status).not.toHaveProperty("conditions");
  });

  it("rejects the pods of a set one after another, until one fits", async () => {
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    const podSpec = { nodeName: "node-0", containers: [{ name: "main", image: "main:1", ports }] };
    await tools.createPod("first", podSpec);
    const labels = { app: "web" };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } };
    const set = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "web" },
      spec: { serviceName: "web", ...spec },
    };
    await tools.done(tools.admin.post("/apis/apps/v1/namespaces/default/statefulsets", set));
    const uids = new Set<string | undefined>();
    for (let round = 0; round < 3; round += 1) {
      uids.add((await tools.pod("web-0")).metadata.uid);
      await tools.advance(1);
    }
    expect(uids.size).toBe(3);
    await tools.done(tools.admin.delete("/api/v1/namespaces/default/pods/first"));
    await tools.advance(1);
    expect(await verdict("web-0")).toEqual({ phase: "Running" });
  });
});
