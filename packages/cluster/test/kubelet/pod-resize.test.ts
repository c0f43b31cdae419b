import { once } from "node:events";

import type { Pod } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { NodeCluster, PODS, requesting } from "../controllers/nodes/node-cluster.ts";

let nodes: NodeCluster;

beforeEach(() => startNodes());

afterEach(async () => nodes.cluster.close());

async function startNodes(kubernetesVersion?: string): Promise<void> {
  nodes = new NodeCluster(kubernetesVersion);
  await nodes.done(nodes.admin.patch("/api/v1/nodes/node-0", { spec: { unschedulable: true } }));
  await nodes.createNode("small", { resources: { cpu: "2", memory: "2Gi", pods: "10" } });
}

async function resize(
  name: string,
  resources: object,
  list: "containers" | "initContainers" = "containers",
): Promise<void> {
  const pod = await nodes.pod(name);
  const [container, ...others] = pod.spec?.[list] ?? [];
  const spec = { ...pod.spec, [list]: [{ ...container, resources }, ...others] };
  await nodes.done(nodes.admin.put(`${PODS}/${name}/resize`, { ...pod, spec }));
}

function statusOf({ status }: Pod): object | undefined {
  const { allocatedResources, resources, restartCount } = status?.containerStatuses?.[0] ?? {};
  return { allocatedResources, resources, restartCount };
}

describe("a resize", () => {
  it("changes the resources of a running container, with events", async () => {
    await nodes.createPod("p", requesting({ cpu: "1" }));
    await resize("p", { requests: { cpu: "1500m" } });
    const pod = await nodes.pod("p");
    expect(statusOf(pod)).toEqual({
      allocatedResources: { cpu: "1500m" },
      resources: { requests: { cpu: "1500m" } },
      restartCount: 0,
    });
    expect(pod.status?.observedGeneration).toBe(2);
    const summary = '{"containers":[{"name":"main","resources":{"requests":{"cpu":"1500m"}}}],"generation":2}';
    expect(await nodes.events("p")).toEqual(
      expect.arrayContaining([
        `ResizeStarted: Pod resize started: ${summary}`,
        `ResizeCompleted: Pod resize completed: ${summary}`,
      ]),
    );
    expect(await nodes.conditionOf("p", "PodResizeInProgress")).toBeUndefined();
  });

  it("beyond the capacity of the node is refused", async () => {
    await nodes.createPod("p", requesting({ cpu: "1" }));
    await expect(resize("p", { requests: { cpu: "3" } })).rejects.toThrow("enough allocatable resources: cpu");
  });

  it("beyond the capacity of the node is infeasible until 1.36, until it is taken back", async () => {
    await nodes.cluster.close();
    await startNodes("1.35");
    await nodes.createPod("p", requesting({ cpu: "1" }));
    await resize("p", { requests: { cpu: "3" } });
    const message = "Node didn't have enough capacity: cpu, requested: 3000, capacity: 2000";
    expect(await nodes.conditionOf("p", "PodResizePending")).toBe(`True Infeasible ${message}`);
    expect(statusOf(await nodes.pod("p"))).toMatchObject({ allocatedResources: { cpu: "1" } });
    const [event] = (await nodes.events("p")).filter((text) => text.startsWith("ResizeInfeasible"));
    expect(event).toBe(
      `ResizeInfeasible: Pod resize Infeasible: {"containers":[{"name":"main","resources":{"requests":{"cpu":"3"}}}],"generation":2,"error":"${message}"}`,
    );
    await resize("p", { requests: { cpu: "1" } });
    expect(await nodes.conditionOf("p", "PodResizePending")).toBeUndefined();
    expect(statusOf(await nodes.pod("p"))).toMatchObject({ resources: { requests: { cpu: "1" } } });
    expect((await nodes.events("p")).filter((text) => text.startsWith("ResizeStarted"))).toEqual([]);
  });

  it("waits for room on the node", async () => {
    await nodes.createPod("a", requesting({ cpu: "1" }));
    await nodes.createPod("b", requesting({ cpu: "1" }));
    await resize("a", { requests: { cpu: "1500m" } });
    const message = "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000";
    expect(await nodes.conditionOf("a", "PodResizePending")).toBe(`True Deferred ${message}`);
    await resize("b", { requests: { cpu: "500m" } });
    expect(await nodes.conditionOf("a", "PodResizePending")).toBeUndefined();
    expect(statusOf(await nodes.pod("a"))).toMatchObject({ allocatedResources: { cpu: "1500m" } });
    await resize("b", { requests: { cpu: "1" } });
    expect(await nodes.conditionOf("b", "PodResizePending")).toContain("Deferred");
    await nodes.done(nodes.admin.delete(`${PODS}/a?gracePeriodSeconds=0`));
    expect(await nodes.conditionOf("b", "PodResizePending")).toBeUndefined();
    expect(statusOf(await nodes.pod("b"))).toMatchObject({ allocatedResources: { cpu: "1" } });
  });

  it("restarts containers whose policy says so", async () => {
    const runs: (string | undefined)[] = [];
    nodes.cluster.images.define("main:*", async ({ files, signal }) => {
      runs.push(files.get("/sys/fs/cgroup/cpu.max")?.toString("utf8"));
      await once(signal, "abort");
    });
    const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
    const resources = { limits: { cpu: "1", memory: "1Gi" } };
    await nodes.createPod("p", { containers: [{ name: "main", image: "main:1", resizePolicy, resources }] });
    await resize("p", { limits: { cpu: "1", memory: "1500Mi" }, requests: { cpu: "1", memory: "1500Mi" } });
    expect(runs).toEqual(["100000 100000\n"]);
    await resize("p", { limits: { cpu: "1500m", memory: "1500Mi" }, requests: { cpu: "1500m", memory: "1500Mi" } });
    await vi.waitFor(() => expect(runs).toEqual(["100000 100000\n", "150000 100000\n"]));
    await nodes.settle();
    expect(statusOf(await nodes.pod("p"))).toEqual({
      allocatedResources: { cpu: "1500m", memory: "1500Mi" },
      resources: { limits: { cpu: "1500m", memory: "1500Mi" }, requests: { cpu: "1500m", memory: "1500Mi" } },
      restartCount: 1,
    });
    expect(await nodes.events("p")).toContain("Killing: Container main resize requires restart");
  });

  it("is in progress until the container has stopped", async () => {
    let release = (): void => undefined;
    nodes.cluster.images.define("main:*", async ({ signal }) => {
      await once(signal, "abort");
      await new Promise<void>((resolve) => (release = resolve));
    });
    const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
    const resources = { requests: { cpu: "1" } };
    await nodes.createPod("p", { containers: [{ name: "main", image: "main:1", resizePolicy, resources }] });
    await resize("p", { requests: { cpu: "500m" } });
    expect(await nodes.conditionOf("p", "PodResizeInProgress")).toBe("True");
    expect(statusOf(await nodes.pod("p"))).toMatchObject({
      allocatedResources: { cpu: "500m" },
      resources: { requests: { cpu: "1" } },
      restartCount: 0,
    });
    release();
    await vi.waitFor(async () => expect(await nodes.conditionOf("p", "PodResizeInProgress")).toBeUndefined());
    await nodes.settle();
    expect(statusOf(await nodes.pod("p"))).toMatchObject({
      resources: { requests: { cpu: "500m" } },
      restartCount: 1,
    });
    expect((await nodes.events("p")).map((text) => text.split(":")[0])).toEqual(
      expect.arrayContaining(["ResizeStarted", "ResizeCompleted"]),
    );
  });

  it("restarts containers without a definition, too", async () => {
    const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
    const resources = { requests: { cpu: "1" } };
    await nodes.createPod("p", { containers: [{ name: "main", image: "main:1", resizePolicy, resources }] });
    await resize("p", { requests: { cpu: "500m" } });
    expect(statusOf(await nodes.pod("p"))).toMatchObject({ allocatedResources: { cpu: "500m" }, restartCount: 1 });
  });

  it("changes sidecars", async () => {
    const sidecar = {
      name: "side",
      image: "side:1",
      restartPolicy: "Always",
      resources: { requests: { cpu: "100m" } },
    };
    await nodes.createPod("p", { initContainers: [sidecar] });
    await resize("p", { requests: { cpu: "200m" } }, "initContainers");
    expect((await nodes.pod("p")).status?.initContainerStatuses?.[0]).toMatchObject({
      allocatedResources: { cpu: "200m" },
      resources: { requests: { cpu: "200m" } },
    });
  });
});
