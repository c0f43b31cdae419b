import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES, PODS, requesting } from "../controllers/nodes/node-cluster.ts";

const PREEMPTION = "preemption:";

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.done(tools.admin.delete(`${NODES}/node-0`));
});

afterEach(async () => tools.cluster.close());

describe("the scheduler", () => {
  it("leaves pods pending without nodes, and schedules them when one appears", async () => {
    await tools.createPod("p");
    expect(await tools.conditionOf("p", "PodScheduled")).toBe(
      "False Unschedulable no nodes available to schedule pods",
    );
    expect(await tools.events("p")).toEqual(["FailedScheduling: no nodes available to schedule pods"]);
    await tools.createNode("n");
    expect(await tools.nodeOf("p")).toBe("n");
    expect(await tools.events("p")).toContain("Scheduled: Successfully assigned default/p to n");
  });

  it("counts the requests of pods, and tries again when one has ended", async () => {
    await tools.createNode("n", { resources: { cpu: "1", memory: "1Gi", pods: "10" } });
    await tools.createPod("a", requesting({ cpu: "600m" }));
    await tools.createPod("b", requesting({ cpu: "600m" }));
    const message = `0/1 nodes are available: 1 Insufficient cpu. ${PREEMPTION} 0/1 nodes are available: 1 No preemption victims found for incoming pod.`;
    expect(await tools.conditionOf("b", "PodScheduled")).toBe(`False Unschedulable ${message}`);
    await tools.done(tools.admin.patch(`${PODS}/a/status`, { status: { phase: "Succeeded" } }));
    expect(await tools.nodeOf("b")).toBe("n");
  });

  it("writes one event as long as nothing changes", async () => {
    await tools.createNode("n", { resources: { cpu: "1", memory: "1Gi", pods: "10" } });
    await tools.createPod("b", requesting({ cpu: "2" }));
    await tools.createPod("c");
    await tools.done(tools.admin.delete(`${PODS}/c`));
    await tools.done(tools.admin.patch(`${NODES}/n`, { metadata: { labels: { a: "b" } } }));
    expect(await tools.events("b")).toHaveLength(1);
  });

  it("counts sidecars, init containers, and overhead", async () => {
    await tools.createNode("n", { resources: { cpu: "1", memory: "1Gi", pods: "10" } });
    const request = (cpu: string): object => ({ image: "main:1", resources: { requests: { cpu } } });
    const initContainers = [
      { name: "sidecar", restartPolicy: "Always", ...request("300m") },
      { name: "init", ...request("600m") },
    ];
    await tools.createPod("fits", { initContainers, containers: [{ name: "main", ...request("500m") }] });
    expect(await tools.nodeOf("fits")).toBe("n");
    await tools.createPod("next", requesting({ cpu: "101m" }));
    expect(await tools.nodeOf("next")).toBeUndefined();
    await tools.createPod("last", requesting({ cpu: "100m" }));
    expect(await tools.nodeOf("last")).toBe("n");
  });

  it("leaves pods of other schedulers alone, and those with a node", async () => {
    await tools.createNode("n");
    await tools.createPod("other", { schedulerName: "mine" });
    expect((await tools.pod("other")).status?.conditions).toBeUndefined();
    await tools.done(tools.admin.patch(`${NODES}/n`, { spec: { unschedulable: true } }));
    await tools.createPod("fixed", { nodeName: "n" });
    expect((await tools.pod("fixed")).status?.phase).toBe("Running");
  });

  it("prefers nodes by affinity, taints, and free resources, and spreads the pods of a service", async () => {
    for (const name of ["a", "b", "c"])
      await tools.createNode(name, { resources: { cpu: "4", memory: "4Gi", pods: "10" } });
    await tools.done(tools.admin.patch(`${NODES}/a`, { spec: { taints: [{ key: "k", effect: "PreferNoSchedule" }] } }));
    await tools.createPod("big", {
      ...requesting({ cpu: "3", memory: "3Gi" }),
      nodeSelector: { "kubernetes.io/hostname": "b" },
    });
    await tools.createPod("free");
    expect(await tools.nodeOf("free")).toBe("c");
    const preference = { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["b"] }] };
    const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
    await tools.createPod("drawn", { affinity: { nodeAffinity } });
    expect(await tools.nodeOf("drawn")).toBe("b");
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    };
    await tools.done(tools.admin.post("/api/v1/namespaces/default/services", service));
    const tolerations = [{ key: "k", operator: "Exists" }];
    for (const name of ["web-1", "web-2", "web-3"])
      await tools.createPod(name, { tolerations }, { labels: { app: "web" } });
    const nodes = await Promise.all(["web-1", "web-2", "web-3"].map(async (name) => await tools.nodeOf(name)));
    expect(new Set(nodes)).toEqual(new Set(["a", "b", "c"]));
  });

  it("prefers to place pods near and away from others", async () => {
    for (const name of ["a", "b"]) await tools.createNode(name);
    await tools.createPod("db", { nodeSelector: { "kubernetes.io/hostname": "a" } }, { labels: { app: "db" } });
    const podAffinityTerm = { labelSelector: { matchLabels: { app: "db" } }, topologyKey: "kubernetes.io/hostname" };
    const preferredDuringSchedulingIgnoredDuringExecution = [{ weight: 100, podAffinityTerm }];
    await tools.createPod("near", { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution } } });
    await tools.createPod("away", {
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution } },
    });
    expect([await tools.nodeOf("near"), await tools.nodeOf("away")]).toEqual(["a", "b"]);
  });

  it("selects namespaces of affinity terms by their labels", async () => {
    await tools.createNode("a");
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "other", labels: { team: "x" } } };
    await tools.done(tools.admin.post("/api/v1/namespaces", namespace));
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "db", labels: { app: "db" } },
      spec: { containers: [{ name: "c", image: "c" }] },
    };
    await tools.done(tools.admin.post("/api/v1/namespaces/other/pods", pod));
    const term = (team: string): object => ({
      labelSelector: { matchLabels: { app: "db" } },
      namespaceSelector: { matchLabels: { team } },
      topologyKey: "kubernetes.io/hostname",
    });
    const near = (team: string): object => ({
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(team)] } },
    });
    await tools.createPod("found", near("x"));
    await tools.createPod("missed", near("y"));
    expect([await tools.nodeOf("found"), await tools.nodeOf("missed")]).toEqual(["a", undefined]);
  });

  it("places important pods first, and makes room for them", async () => {
    const path = "/apis/scheduling.k8s.io/v1/priorityclasses";
    await tools.done(
      tools.admin.post(path, {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "vip" },
        value: 10,
      }),
    );
    await tools.createPod("plain", requesting({ cpu: "1" }));
    await tools.createPod("vip-1", { ...requesting({ cpu: "1" }), priorityClassName: "vip" });
    await tools.createNode("n", { resources: { cpu: "1", memory: "1Gi", pods: "10" } });
    expect([await tools.nodeOf("plain"), await tools.nodeOf("vip-1")]).toEqual([undefined, "n"]);
    await tools.createNode("m", { resources: { cpu: "1", memory: "1Gi", pods: "10" } });
    expect(await tools.nodeOf("plain")).toBe("m");
    await tools.createPod("vip-2", { ...requesting({ cpu: "1" }), priorityClassName: "vip" });
    expect(await tools.admin.get(`${PODS}/plain`)).toMatchObject({ status: 404 });
    expect(await tools.nodeOf("vip-2")).toBe("m");
    expect((await tools.events("plain")).some((text) => text.startsWith("Preempted: Preempted by pod "))).toBe(true);
  });

  it("retries pods that wait for a claim, a gate, or labels of a node", async () => {
    await tools.createNode("n");
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    await tools.createPod("claim", { volumes });
    await tools.createPod("gated", { schedulingGates: [{ name: "example.com/wait" }] });
    await tools.createPod("picky", { nodeSelector: { disk: "ssd" } });
    expect(await tools.conditionOf("gated", "PodScheduled")).toContain("False SchedulingGated");
    const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    const metadata = { name: "fast" };
    await tools.done(
      tools.admin.post("/apis/storage.k8s.io/v1/storageclasses", { metadata, provisioner: "disk.example.com" }),
    );
    const resources = { requests: { storage: "1Gi" } };
    const spec = { accessModes: ["ReadWriteOnce"], resources, storageClassName: "fast" };
    await tools.done(
      tools.admin.post(claims, { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" }, spec }),
    );
    await tools.done(tools.admin.patch(`${PODS}/gated`, { spec: { schedulingGates: [] } }));
    await tools.done(tools.admin.patch(`${NODES}/n`, { metadata: { labels: { disk: "ssd" } } }));
    expect([await tools.nodeOf("claim"), await tools.nodeOf("gated"), await tools.nodeOf("picky")]).toEqual([
      "n",
      "n",
      "n",
    ]);
  });

  it("continues after a snapshot was restored", async () => {
    await tools.createNode("n", { resources: { cpu: "1", memory: "1Gi", pods: "10" } });
    const before = tools.cluster.server.snapshot();
    await tools.createPod("a", requesting({ cpu: "1" }));
    await tools.cluster.server.restore(before);
    await tools.createPod("b", requesting({ cpu: "1" }));
    expect(await tools.nodeOf("b")).toBe("n");
  });

  it("fills nodes without exceeding them", async () => {
    for (let index = 0; index < 5; index += 1)
      await tools.createNode(`n-${String(index)}`, { resources: { cpu: "40", memory: "10Ti", pods: "100" } });
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { generateName: "p-" }, spec: requesting({ cpu: "1" }) };
    for (let index = 0; index < 200; index += 1) await tools.admin.post(PODS, pod);
    await tools.settle();
    const { items } = (await tools.admin.get(PODS)).body as {
      readonly items: readonly { readonly spec: { readonly nodeName: string } }[];
    };
    const counts = Array.from(
      { length: 5 },
      (_, index) => items.filter(({ spec }) => spec.nodeName === `n-${String(index)}`).length,
    );
    expect(counts).toEqual([40, 40, 40, 40, 40]);
  });
});
