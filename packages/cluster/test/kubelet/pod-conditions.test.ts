import type { PodCondition } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, PODS } from "../controllers/nodes/node-cluster.ts";

let tools: NodeCluster;

beforeEach(() => {
  tools = new NodeCluster();
});

afterEach(async () => tools.cluster.close());

async function conditionsOf(name: string): Promise<readonly string[]> {
  const { conditions = [] } = (await tools.pod(name)).status ?? {};
  return conditions.map(({ type, status, reason }) => [type, status, reason].filter(Boolean).join(" "));
}

async function settled(name: string, phase: string): Promise<void> {
  await expect.poll(async () => (await tools.pod(name)).status?.phase).toBe(phase);
}

// Reports a condition, as the controller of a readiness gate does.
async function report(status: string): Promise<void> {
  const pod = await tools.pod("p");
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "example.com/gate");
  const conditions = [...others, { type: "example.com/gate", status }] as PodCondition[];
  await tools.done(tools.admin.put(`${PODS}/p/status`, { ...pod, status: { ...pod.status, conditions } }));
}

describe("the conditions of a pod", () => {
  it("have the generation of the pod that they are about", async () => {
    await tools.createPod("p");
    await tools.done(tools.admin.patch(`${PODS}/p`, { spec: { activeDeadlineSeconds: 1000 } }));
    const { conditions = [] } = (await tools.pod("p")).status ?? {};
    expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2, 2, 2]);
  });

  it("wait for the readiness gates", async () => {
    await tools.createPod("p", { readinessGates: [{ conditionType: "example.com/gate" }] });
    expect(await tools.conditionOf("p", "Ready")).toBe(
      'False ReadinessGatesNotReady corresponding condition of pod readiness gate "example.com/gate" does not exist.',
    );
    expect(await tools.conditionOf("p", "ContainersReady")).toBe("True");
    await report("False");
    expect(await tools.conditionOf("p", "Ready")).toBe(
      'False ReadinessGatesNotReady the status of pod readiness gate "example.com/gate" is not "True", but False',
    );
    await report("True");
    expect(await tools.conditionOf("p", "Ready")).toBe("True");
    expect(await tools.conditionOf("p", "example.com/gate")).toBe("True");
  });

  it("tell how the pod has ended", async () => {
    tools.cluster.images.define("done:*", () => 0);
    tools.cluster.images.define("failed:*", () => 1);
    for (const [image, phase, reason] of [
      ["done", "Succeeded", "PodCompleted"],
      ["failed", "Failed", "PodFailed"],
    ] as const) {
      await tools.createPod(image, { restartPolicy: "Never", containers: [{ name: "main", image: `${image}:1` }] });
      await settled(image, phase);
      expect(await conditionsOf(image)).toEqual([
        "PodReadyToStartContainers False PodSandboxNotReady",
        phase === "Succeeded" ? "Initialized True PodCompleted" : "Initialized True",
        `Ready False ${reason}`,
        `ContainersReady False ${reason}`,
        "PodScheduled True",
      ]);
    }
  });
});

it.each([
  ["1.36", "False"],
  ["1.37", "False PodSandboxNotReady no pod sandbox exists"],
])("reports Pods of Kubernetes %s whose volumes cannot be set up", async (kubernetesVersion, condition) => {
  await tools.cluster.close();
  tools = new NodeCluster(kubernetesVersion);
  tools.cluster.images.define("app:*", () => 0);
  const volumes = [{ name: "key", secret: { secretName: "none" } }];
  const volumeMounts = [{ name: "key", mountPath: "/key" }];
  await tools.createPod("p", { volumes, containers: [{ name: "main", image: "app:1", volumeMounts }] });
  expect(await tools.conditionOf("p", "PodReadyToStartContainers")).toBe(condition);
  // The Pod starts when the Secret is created, without the time of a retry.
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "none" } };
  await tools.done(tools.admin.post("/api/v1/namespaces/default/secrets", secret));
  await expect
    .poll(async () => (await tools.pod("p")).status?.containerStatuses?.[0]?.state?.waiting?.reason)
    .not.toBe("ContainerCreating");
});

it("gives no reason why an ended pod has no sandbox before 1.37", async () => {
  await tools.cluster.close();
  tools = new NodeCluster("1.36");
  tools.cluster.images.define("done:*", () => 0);
  await tools.createPod("p", { restartPolicy: "Never", containers: [{ name: "main", image: "done:1" }] });
  await settled("p", "Succeeded");
  expect(await tools.conditionOf("p", "PodReadyToStartContainers")).toBe("False");
});

describe("the init containers of a pod", () => {
  it("wait for an image that cannot be pulled, and write events", async () => {
    tools.cluster.images.define("missing:*", { isMissing: true });
    await tools.createPod("p", { initContainers: [{ name: "init", image: "missing:1" }] });
    const { phase, initContainerStatuses, containerStatuses } = (await tools.pod("p")).status ?? {};
    expect([phase, initContainerStatuses?.[0]?.state?.waiting?.reason]).toEqual(["Pending", "ErrImagePull"]);
    expect(containerStatuses?.[0]?.state?.waiting?.reason).toBe("PodInitializing");
    await tools.advance(2);
    expect((await tools.pod("p")).status?.initContainerStatuses?.[0]?.state?.waiting?.reason).toBe("ImagePullBackOff");
    const { body } = await tools.admin.get("/api/v1/events?fieldSelector=reason=Pulling");
    expect(body).toMatchObject({ items: [{ involvedObject: { fieldPath: "spec.initContainers{init}" } }] });
  });

  it("do not hold back what has started when a sidecar is restarted", async () => {
    let fail = (): void => undefined;
    tools.cluster.images.define("side:*", async () => {
      await new Promise<void>((resolve) => (fail = resolve));
      return 1;
    });
    await tools.createPod("p", { initContainers: [{ name: "side", image: "side:1", restartPolicy: "Always" }] });
    await settled("p", "Running");
    fail();
    await expect.poll(async () => await tools.conditionOf("p", "Ready")).toContain("[side]");
    const { phase, containerStatuses } = (await tools.pod("p")).status ?? {};
    expect([phase, containerStatuses?.[0]?.ready]).toEqual(["Running", true]);
    expect(await tools.conditionOf("p", "Initialized")).toBe("True");
    await tools.advance(0);
    await expect.poll(async () => await tools.conditionOf("p", "Ready")).toBe("True");
    fail();
  });
});

it("reports ephemeral containers whose image cannot be pulled", async () => {
  tools.cluster.images.define("missing:*", { isMissing: true });
  await tools.createPod("p");
  const ephemeralContainers = [{ name: "debugger", image: "missing:1" }];
  await tools.done(tools.admin.patch(`${PODS}/p/ephemeralcontainers`, { spec: { ephemeralContainers } }));
  const [status] = (await tools.pod("p")).status?.ephemeralContainerStatuses ?? [];
  expect(status).toMatchObject({ ready: false, state: { waiting: { reason: "ErrImagePull" } } });
});
