import type { ControllerRevision, DaemonSet, DaemonSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES, PODS } from "./node-cluster.ts";

const SETS = "/apis/apps/v1/namespaces/default/daemonsets";
const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const LABELS = { app: "agent" };

let tools: NodeCluster;

beforeEach(() => {
  tools = new NodeCluster();
});

afterEach(async () => tools.cluster.close());

async function createSet(spec: object = {}, podSpec: object = {}, annotations: object = {}): Promise<void> {
  const template = {
    metadata: { labels: LABELS, annotations },
    spec: { containers: [{ name: "main", image: "main:1" }], ...podSpec },
  };
  await tools.done(
    tools.admin.post(SETS, {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name: "agent" },
      spec: { selector: { matchLabels: LABELS }, template, ...spec },
    }),
  );
}

async function setImage(image: string): Promise<void> {
  const template = { spec: { containers: [{ name: "main", image }] } };
  await tools.done(tools.admin.patch(`${SETS}/agent`, { spec: { template } }));
}

async function status(): Promise<DaemonSetStatus | undefined> {
  return ((await tools.admin.get(`${SETS}/agent`)).body as unknown as DaemonSet).status;
}

async function list<T>(path: string): Promise<readonly T[]> {
  return ((await tools.admin.get(path)).body as { readonly items: readonly T[] }).items;
}

async function pods(): Promise<readonly Pod[]> {
  return await list<Pod>(PODS);
}

describe("the daemon set controller", () => {
  it("runs one pod on each node, also on nodes that come later, and on cordoned ones", async () => {
    await createSet();
    await tools.createNode("second");
    await tools.done(tools.admin.patch(`${NODES}/second`, { spec: { unschedulable: true } }));
    await tools.createNode("tainted", { taints: [{ key: "k", effect: "NoSchedule" }] });
    expect(new Set((await pods()).map(({ spec }) => spec?.nodeName))).toEqual(new Set(["node-0", "second"]));
    expect(await status()).toMatchObject({ desiredNumberScheduled: 2, numberReady: 2, numberAvailable: 2 });
    await tools.done(tools.admin.delete(`${NODES}/second`));
    expect(await status()).toMatchObject({ desiredNumberScheduled: 1, currentNumberScheduled: 1 });
  });

  it("counts pods as available after minReadySeconds, and updates as many as may be unavailable", async () => {
    for (const name of ["b", "c", "d"]) await tools.createNode(name);
    await createSet({ minReadySeconds: 10, updateStrategy: { rollingUpdate: { maxUnavailable: "50%" } } });
    expect(await status()).toMatchObject({ numberReady: 4, numberUnavailable: 4 });
    await tools.advance(10);
    expect(await status()).toMatchObject({ numberReady: 4, numberAvailable: 4 });
    await setImage("main:2");
    expect(await status()).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2 });
    for (let round = 0; round < 2; round += 1) await tools.advance(10);
    expect(await status()).toMatchObject({ updatedNumberScheduled: 4, numberAvailable: 4 });
  });

  it("replaces failed pods, later each time", async () => {
    // The test writes the status of the pods.
    await createSet({}, {}, { "kubescaffold.dev/simulate": "manual" });
    const fail = async (): Promise<void> => {
      const [pod] = await pods();
      await tools.done(
        tools.admin.patch(`${PODS}/${pod?.metadata.name ?? ""}/status`, { status: { phase: "Failed" } }),
      );
    };
    await fail();
    expect((await pods())[0]?.status?.phase).toBe("Pending");
    await fail();
    expect((await pods())[0]?.status?.phase).toBe("Failed");
    await tools.advance(1);
    expect((await pods())[0]?.status?.phase).toBe("Pending");
    const texts = await tools.events("agent");
    expect(
      texts.filter((text) => text.startsWith("FailedDaemonPod: Found failed daemon pod default/agent-")),
    ).toHaveLength(2);
  });

  it("keeps as many revisions as it should, and gives one that comes back the next number", async () => {
    await createSet({ revisionHistoryLimit: 1 });
    for (const image of ["main:2", "main:3", "main:2"]) {
      await setImage(image);
      await tools.advance(31);
    }
    const revisions = await list<ControllerRevision>(REVISIONS);
    expect(new Set(revisions.map(({ revision }) => revision))).toEqual(new Set([3, 4]));
    const [pod] = await pods();
    const hash = pod?.metadata.labels?.["controller-revision-hash"];
    expect(revisions.find(({ revision }) => revision === 4)?.metadata.name).toBe(`agent-${hash ?? ""}`);
  });

  it("adopts pods that match, and lets those go that no longer do", async () => {
    await tools.createPod("own", { nodeName: "node-0" }, { labels: LABELS });
    await createSet({ updateStrategy: { type: "OnDelete" } });
    expect((await pods()).map(({ metadata }) => metadata.name)).toEqual(["own"]);
    await tools.done(tools.admin.patch(`${PODS}/own`, { metadata: { labels: { app: "other" } } }));
    expect(await pods()).toHaveLength(2);
    expect((await tools.pod("own")).metadata.ownerReferences ?? []).toEqual([]);
  });

  it("deletes pods where a NoExecute taint no longer tolerates them, and keeps those of unreachable nodes", async () => {
    await createSet();
    await tools.report("node-0", "Unknown");
    await tools.advance(600);
    expect((await pods())[0]?.metadata.deletionTimestamp).toBeUndefined();
    await tools.report("node-0", "True");
    await tools.done(tools.admin.patch(`${NODES}/node-0`, { spec: { taints: [{ key: "k", effect: "NoExecute" }] } }));
    await tools.advance(31);
    expect(await pods()).toEqual([]);
  });
});

it("counts a collision for a revision whose name another set's revision has", async () => {
  await createSet();
  const [revision] = await list<ControllerRevision>(REVISIONS);
  const name = revision?.metadata.name ?? "";
  await tools.done(tools.admin.delete(`${SETS}/agent`));
  const other = {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { name },
    data: { other: 1 },
    revision: 1,
  };
  expect(await tools.admin.post(REVISIONS, other)).toMatchObject({ status: 201 });
  await createSet();
  expect(await status()).toMatchObject({ collisionCount: 1, numberReady: 1 });
  const names = (await list<ControllerRevision>(REVISIONS)).map(({ metadata }) => metadata.name);
  expect(names).toHaveLength(2);
});
