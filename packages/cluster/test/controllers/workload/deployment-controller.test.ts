import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";
import { deploymentOf } from "./workload-fixtures.ts";

const APPS = "/apis/apps/v1/namespaces/default";
const CORE = "/api/v1/namespaces/default";
const SIMULATE = "kubescaffold.dev/simulate";

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock, workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

async function deploy(spec: object = {}): Promise<void> {
  expect(await admin.post(`${APPS}/deployments`, deploymentOf(spec))).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function change(spec: object): Promise<void> {
  expect(await admin.patch(`${APPS}/deployments/web`, { spec })).toMatchObject({ status: 200 });
  await cluster.server.idle();
}

function template(image: string, annotations: object = {}): object {
  return { template: { metadata: { annotations }, spec: { containers: [{ name: "c", image }] } } };
}

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: object;
  };
  readonly spec: { readonly replicas: number };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

async function list(path: string): Promise<readonly Stored[]> {
  return ((await admin.get(path)).body as { readonly items: readonly Stored[] }).items;
}

async function deployment(): Promise<Stored> {
  return (await admin.get(`${APPS}/deployments/web`)).body as unknown as Stored;
}

async function reasonOf(type: string): Promise<string | undefined> {
  return (await deployment()).status.conditions?.find((condition) => condition.type === type)?.reason;
}

async function events(): Promise<readonly string[]> {
  const { items } = (await admin.get(`${CORE}/events`)).body as {
    readonly items: readonly { readonly reason: string; readonly message: string }[];
  };
  return items.map(({ reason, message }) => `${reason}: ${message.replaceAll(/-[a-z0-9]+\b/gu, "-x")}`);
}

describe("the deployment controller", () => {
  it("makes a replica set whose pods become ready, and says so", async () => {
    await deploy();
    expect(await deployment()).toMatchObject({
      metadata: { generation: 1, annotations: { "deployment.kubernetes.io/revision": "1" } },
      status: { observedGeneration: 1, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 },
    });
    expect([await reasonOf("Available"), await reasonOf("Progressing")]).toEqual([
      "MinimumReplicasAvailable",
      "NewReplicaSetAvailable",
    ]);
    const [set] = await list(`${APPS}/replicasets`);
    const hash = set?.metadata.labels["pod-template-hash"];
    expect(set?.metadata.name).toBe(`web-${String(hash)}`);
    const pods = await list(`${CORE}/pods`);
    expect(pods).toHaveLength(3);
    for (const pod of pods) {
      expect(pod.metadata.name).toMatch(new RegExp(`^web-${String(hash)}-[a-z0-9]{5}$`, "u"));
      expect(pod.metadata.labels).toEqual({ app: "web", "pod-template-hash": hash });
    }
    expect(await events()).toContain("ScalingReplicaSet: Scaled up replica set web-x from 0 to 3");
  });

  it("rolls a changed template out, and back to the set that had it before", async () => {
    await deploy();
    const [first] = await list(`${APPS}/replicasets`);
    await change(template("busybox:2"));
    const sizes = async (): Promise<readonly number[]> =>
      (await list(`${APPS}/replicasets`)).map(({ spec }) => spec.replicas).toSorted((left, right) => left - right);
    expect(await sizes()).toEqual([0, 3]);
    expect(await deployment()).toMatchObject({
      metadata: { annotations: { "deployment.kubernetes.io/revision": "2" } },
    });
    await change(template("busybox:1"));
    expect(await sizes()).toEqual([0, 3]);
    const back = (await list(`${APPS}/replicasets`)).find(({ spec }) => spec.replicas === 3);
    expect(back?.metadata).toMatchObject({
      name: first?.metadata.name,
      annotations: { "deployment.kubernetes.io/revision": "3", "deployment.kubernetes.io/revision-history": "1" },
    });
  });

  it("keeps as many old sets as the history may have", async () => {
    await deploy({ revisionHistoryLimit: 1 });
    for (const tag of ["2", "3", "4"]) await change(template(`busybox:${tag}`));
    expect(await list(`${APPS}/replicasets`)).toHaveLength(2);
  });

  it("scales while it is paused, and rolls out when it is resumed", async () => {
    await deploy();
    await change({ paused: true, replicas: 2, ...template("busybox:2") });
    expect(await reasonOf("Progressing")).toBe("DeploymentPaused");
    expect((await list(`${APPS}/replicasets`)).map(({ spec }) => spec.replicas)).toEqual([2]);
    await change({ paused: false });
    expect(await deployment()).toMatchObject({ status: { updatedReplicas: 2, replicas: 2 } });
    expect(await list(`${APPS}/replicasets`)).toHaveLength(2);
    expect(await reasonOf("Progressing")).toBe("NewReplicaSetAvailable");
  });

  it("takes all pods down before it makes new ones where they are recreated", async () => {
    await deploy({ strategy: { type: "Recreate" } });
    await change(template("busybox:2"));
    const scalings = (await events()).filter((event) => event.startsWith("ScalingReplicaSet"));
    expect(scalings.toSorted()).toEqual([
      "ScalingReplicaSet: Scaled down replica set web-x from 3 to 0",
      "ScalingReplicaSet: Scaled up replica set web-x from 0 to 3",
      "ScalingReplicaSet: Scaled up replica set web-x from 0 to 3",
    ]);
    expect(await deployment()).toMatchObject({ status: { replicas: 3, availableReplicas: 3 } });
  });

  it("stops at what is never ready, keeps the old pods, and misses its deadline", async () => {
    await deploy({ progressDeadlineSeconds: 60 });
    await change(template("busybox:2", { [SIMULATE]: "NeverReady" }));
    expect(await deployment()).toMatchObject({ status: { replicas: 4, updatedReplicas: 1, availableReplicas: 3 } });
    expect([await reasonOf("Available"), await reasonOf("Progressing")]).toEqual([
      "MinimumReplicasAvailable",
      "ReplicaSetUpdated",
    ]);
    clock.step(62_000);
    await cluster.server.idle();
    expect(await reasonOf("Progressing")).toBe("ProgressDeadlineExceeded");
  });
});

describe("a name that another replica set has", () => {
  it("is avoided by a counted collision", async () => {
    await deploy();
    const [former] = await list(`${APPS}/replicasets`);
    const { metadata, spec } = former ?? { metadata: { name: "" }, spec: {} };
    await admin.delete(`${APPS}/deployments/web`);
    await cluster.server.idle();
    const stranger = {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: metadata.name },
      spec: { ...spec, replicas: 0 },
    };
    expect(await admin.post(`${APPS}/replicasets`, withoutTheLabels(stranger))).toMatchObject({ status: 201 });
    await deploy();
    expect((await deployment()).status).toMatchObject({ collisionCount: 1, readyReplicas: 3 });
    expect((await list(`${APPS}/replicasets`)).filter(({ spec: { replicas } }) => replicas === 3)).toHaveLength(1);
  });
});

// The deployment must not adopt it.
function withoutTheLabels(set: object): object {
  return JSON.parse(JSON.stringify(set).replaceAll('"app":"web"', '"app":"other"')) as object;
}
