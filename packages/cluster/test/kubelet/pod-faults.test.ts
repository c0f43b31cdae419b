import { once } from "node:events";

import type { ContainerStatus } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PodFaultError } from "../../src/kubelet/containers/pod-faults.ts";
import { NodeCluster, PODS } from "../controllers/nodes/node-cluster.ts";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";

let tools: NodeCluster;

beforeEach(() => {
  tools = new NodeCluster();
});

afterEach(async () => tools.cluster.close());

async function create(fault: string, spec: object = {}): Promise<void> {
  await tools.createPod("p", spec, { annotations: { "kubescaffold.dev/simulate": fault } });
}

async function container(): Promise<ContainerStatus | undefined> {
  return (await tools.pod("p")).status?.containerStatuses?.[0];
}

// A process ends some turns after it starts, and clocks of tests stand still.
async function eventually(expected: object): Promise<void> {
  await expect
    .poll(async () => {
      await tools.advance(0);
      return await container();
    })
    .toMatchObject(expected);
}

describe("faults of simulated pods", () => {
  it("let containers crash, and restart them after waits that double", async () => {
    await create("crash-loop");
    await eventually({ restartCount: 1, state: { waiting: { reason: "CrashLoopBackOff" } } });
    const { metadata } = await tools.pod("p");
    const name = `p_default(${metadata.uid ?? ""})`;
    expect(await container()).toMatchObject({
      ready: false,
      started: false,
      state: { waiting: { message: `back-off 10s restarting failed container=main pod=${name}` } },
      lastState: { terminated: { exitCode: 1, reason: "Error" } },
    });
    expect((await tools.pod("p")).status?.phase).toBe("Running");
    expect(await tools.conditionOf("p", "Ready")).toBe(
      "False ContainersNotReady containers with unready status: [main]",
    );
    expect(await tools.events("p")).toContain(`BackOff: Back-off restarting failed container main in pod ${name}`);
    await tools.advance(9);
    await eventually({ restartCount: 1 });
    await tools.advance(1);
    await eventually({
      restartCount: 2,
      state: { waiting: { message: expect.stringContaining("back-off 20s ") as string } },
    });
  });

  it("end a pod that is not restarted", async () => {
    await create("crash-loop", { restartPolicy: "Never" });
    await eventually({ restartCount: 0, state: { terminated: { exitCode: 1, reason: "Error" } } });
    expect((await tools.pod("p")).status?.phase).toBe("Failed");
  });

  it("kill containers that use too much memory", async () => {
    await create("oom");
    await eventually({ restartCount: 1, lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } } });
    expect(await container()).toMatchObject({ state: { waiting: { reason: "CrashLoopBackOff" } } });
  });

  it("refuse images, and pull them again after waits that double", async () => {
    await create("image-pull-error");
    const error =
      'rpc error: code = NotFound desc = failed to pull and unpack image "main:1": failed to resolve reference "main:1": main:1: not found';
    expect(await container()).toMatchObject({ state: { waiting: { reason: "ErrImagePull", message: error } } });
    expect((await tools.pod("p")).status?.phase).toBe("Pending");
    await tools.advance(2);
    const backOff = `Back-off pulling image "main:1": ErrImagePull: ${error}`;
    expect(await container()).toMatchObject({ state: { waiting: { reason: "ImagePullBackOff", message: backOff } } });
    await tools.advance(8);
    expect(await container()).toMatchObject({ state: { waiting: { reason: "ErrImagePull" } } });
    await tools.advance(19);
    expect(await container()).toMatchObject({ state: { waiting: { reason: "ImagePullBackOff" } } });
    await tools.advance(1);
    expect(await container()).toMatchObject({ state: { waiting: { reason: "ErrImagePull" } } });
    expect(new Set(await tools.events("p"))).toEqual(
      new Set([
        "Scheduled: Successfully assigned default/p to node-0",
        'Pulling: Pulling image "main:1"',
        `Failed: Failed to pull image "main:1": ${error}`,
        "Failed: Error: ErrImagePull",
        'BackOff: Back-off pulling image "main:1"',
        "Failed: Error: ImagePullBackOff",
      ]),
    );
  });

  it("are those of an image that is missing, for its containers alone", async () => {
    tools.cluster.images.define("typo:*", { isMissing: true });
    const containers = [
      { name: "main", image: "main:1" },
      { name: "wrong", image: "typo:1" },
    ];
    await tools.createPod("p", { containers });
    const status = (await tools.pod("p")).status;
    expect(status?.phase).toBe("Pending");
    expect(status?.containerStatuses).toMatchObject([
      { name: "main", ready: true, state: { running: {} } },
      { name: "wrong", ready: false, state: { waiting: { reason: "ErrImagePull" } } },
    ]);
    await tools.advance(2);
    expect((await tools.pod("p")).status?.containerStatuses?.[1]).toMatchObject({
      state: { waiting: { reason: "ImagePullBackOff" } },
    });
  });

  it("start containers late", async () => {
    await create("slow-start=1m30s");
    expect(await container()).toMatchObject({ ready: false, started: false, state: { running: {} } });
    await tools.advance(89);
    expect(await tools.conditionOf("p", "Ready")).toContain("False");
    await tools.advance(1);
    expect(await container()).toMatchObject({ ready: true, started: true });
    expect(await tools.conditionOf("p", "Ready")).toBe("True");
  });

  it("evict a running pod, which stays failed", async () => {
    tools.cluster.images.define("*", async ({ signal }) => {
      await once(signal, "abort");
    });
    await create("evicted");
    expect(await tools.conditionOf("p", "Ready")).toBe("True");
    await tools.advance(10);
    const { status } = await tools.pod("p");
    expect(status).toMatchObject({ phase: "Failed", reason: "Evicted" });
    expect(status?.containerStatuses?.[0]).toMatchObject({ state: { terminated: { exitCode: 137 } } });
    expect(await tools.conditionOf("p", "DisruptionTarget")).toContain(
      "True TerminationByKubelet The node was low on resource",
    );
    expect((await tools.events("p")).some((text) => text.startsWith("Evicted: The node was low on resource"))).toBe(
      true,
    );
    expect(await tools.events("p")).toContain("Killing: Stopping container main");
    await tools.advance(60);
    expect((await tools.pod("p")).status?.phase).toBe("Failed");
  });

  it("name the faults when one is unknown", async () => {
    await create("crash");
    expect(await container()).toMatchObject({
      state: { waiting: { message: expect.stringContaining("use one of crash-loop, evicted") as string } },
    });
    expect(() => tools.cluster.pods.simulate({}, "slow-start=soon")).toThrow(PodFaultError);
  });

  it("end when the annotation is removed", async () => {
    await create("never-ready");
    expect(await container()).toMatchObject({ ready: false, started: true });
    await tools.done(
      tools.admin.patch(`${PODS}/p`, { metadata: { annotations: { "kubescaffold.dev/simulate": null } } }),
    );
    expect(await container()).toMatchObject({ ready: true });
    expect(await tools.conditionOf("p", "Ready")).toBe("True");
  });

  it("let a Job fail twice, and then succeed", async () => {
    tools.cluster.pods.simulate({ labels: { "batch.kubernetes.io/job-name": "migrate" } }, "crash-loop", { times: 2 });
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "migrate:1" }] } };
    await tools.done(
      tools.admin.post(JOBS, {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "migrate" },
        spec: { template },
      }),
    );
    const status = async () => {
      await tools.advance(5);
      return (await tools.admin.get(`${JOBS}/migrate`)).body["status"];
    };
    await expect.poll(status).toMatchObject({ failed: 1 });
    await expect
      .poll(status)
      .toMatchObject({ failed: 2, succeeded: 1, conditions: [{ type: "SuccessCriteriaMet" }, { type: "Complete" }] });
  });

  it("keep the second pod of a stateful set from being ready", async () => {
    const stop = tools.cluster.pods.simulate({ name: "db-1" }, "never-ready");
    const labels = { app: "db" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "db:1" }] } };
    const spec = { replicas: 3, serviceName: "db", selector: { matchLabels: labels }, template };
    await tools.done(
      tools.admin.post(SETS, { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "db" }, spec }),
    );
    expect((await tools.admin.get(`${SETS}/db`)).body["status"]).toMatchObject({ replicas: 2, readyReplicas: 1 });
    stop();
    await tools.done(tools.admin.delete(`${PODS}/db-1`));
    await expect
      .poll(async () => (await tools.admin.get(`${SETS}/db`)).body["status"])
      .toMatchObject({ replicas: 3, readyReplicas: 3 });
  });
});
