import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";

interface Pod {
  readonly metadata: object;
  readonly spec: object;
  readonly status: {
    readonly podIP: string;
    readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function run(name: string, metadata: object = {}): Promise<Pod> {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [{ name: "c", image: "busybox:1" }] },
  };
  expect(await admin.post(PODS, pod)).toMatchObject({ status: 201 });
  await cluster.server.idle();
  return (await admin.get(`${PODS}/${name}`)).body as unknown as Pod;
}

function conditions({ status }: Pod): Readonly<Record<string, string>> {
  return Object.fromEntries(status.conditions.map((condition) => [condition.type, condition.status]));
}

describe("the pod simulator", () => {
  it("binds a pod to its node and reports it running and ready", async () => {
    const pod = await run("p");
    expect(pod).toMatchObject({
      spec: { nodeName: "node-0" },
      status: {
        phase: "Running",
        podIP: "10.244.0.2",
        containerStatuses: [{ name: "c", image: "busybox:1", ready: true, restartCount: 0, state: { running: {} } }],
      },
    });
    expect(conditions(pod)).toEqual({
      PodScheduled: "True",
      PodReadyToStartContainers: "True",
      Initialized: "True",
      ContainersReady: "True",
      Ready: "True",
    });
  });

  it("runs ephemeral containers, so that kubectl debug does not wait for them", async () => {
    await run("p");
    const debugger1 = { name: "debugger", image: "busybox:1", stdin: true, tty: true };
    const patch = { spec: { ephemeralContainers: [debugger1] } };
    expect(await admin.patch(`${PODS}/p/ephemeralcontainers`, patch)).toMatchObject({ status: 200 });
    await cluster.server.idle();
    const { status } = (await admin.get(`${PODS}/p`)).body as unknown as Pod;
    expect(status).toMatchObject({
      containerStatuses: [{ name: "c" }],
      ephemeralContainerStatuses: [{ name: "debugger", image: "busybox:1", ready: false, state: { running: {} } }],
    });
  });

  it("gives every pod its own address, and reuses those of deleted pods", async () => {
    expect([(await run("a")).status.podIP, (await run("b")).status.podIP]).toEqual(["10.244.0.2", "10.244.0.3"]);
    await admin.delete(`${PODS}/a`);
    await cluster.server.idle();
    expect((await run("c")).status.podIP).toBe("10.244.0.2");
  });

  it("fails as the annotation says, and recovers without it", async () => {
    const annotations = { "kubescaffold.dev/simulate": "CrashLoopBackOff" };
    const crashing = await run("p", { annotations });
    expect(crashing).toMatchObject({
      status: {
        phase: "Running",
        containerStatuses: [
          { ready: false, started: false, restartCount: 1, state: { waiting: { reason: "CrashLoopBackOff" } } },
        ],
      },
    });
    expect(conditions(crashing)).toMatchObject({ Ready: "False", ContainersReady: "False", Initialized: "True" });
    await admin.patch(`${PODS}/p`, { metadata: { annotations: { "kubescaffold.dev/simulate": null } } });
    await cluster.server.idle();
    const recovered = (await admin.get(`${PODS}/p`)).body as unknown as Pod;
    expect(conditions(recovered)).toMatchObject({ Ready: "True" });
    expect(conditions(await run("slow", { annotations: { "kubescaffold.dev/simulate": "NeverReady" } }))).toMatchObject(
      {
        Ready: "False",
      },
    );
  });

  it("takes deleted pods away, once their finalizers are gone", async () => {
    await run("p", { finalizers: ["example.com/hold"] });
    await admin.delete(`${PODS}/p`);
    await cluster.server.idle();
    expect(await admin.get(`${PODS}/p`)).toMatchObject({ status: 200 });
    await admin.patch(`${PODS}/p`, { metadata: { finalizers: null } });
    await cluster.server.idle();
    expect(await admin.get(`${PODS}/p`)).toMatchObject({ status: 404 });
  });
});
