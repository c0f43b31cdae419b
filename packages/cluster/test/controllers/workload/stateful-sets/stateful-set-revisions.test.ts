import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PODS, REVISIONS, SETS, StatefulSetCluster } from "./stateful-set-fixtures.ts";

let test: StatefulSetCluster;

beforeEach(() => {
  test = new StatefulSetCluster();
});

afterEach(async () => test.cluster.close());

async function deletePod(name: string): Promise<void> {
  await test.admin.delete(`${PODS}/${name}`);
  await test.settle();
}

describe("revisions of a stateful set", () => {
  it("keep the template as a patch, with the labels of the pods and the annotations of the set", async () => {
    const set = await test.createSet({}, { annotations: { "kubernetes.io/change-cause": "first" } });
    const [revision] = await test.revisions();
    const hash = revision?.metadata.labels?.["controller.kubernetes.io/hash"] ?? "";
    expect(revision).toMatchObject({
      metadata: {
        name: `web-${hash}`,
        labels: { app: "web" },
        annotations: { "kubernetes.io/change-cause": "first" },
        ownerReferences: [{ kind: "StatefulSet", name: "web", controller: true }],
      },
      revision: 1,
    });
    expect(revision?.data).toEqual({ spec: { template: { ...set.spec?.template, $patch: "replace" } } });
  });

  it("move the pods from the highest ordinal to the lowest, one at a time", async () => {
    await test.createSet({ replicas: 3 }, { isManual: true });
    for (const name of ["web-0", "web-1", "web-2"]) await test.report(name, "Running");
    await test.setImage("busybox:2");
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:1", "web-2": "busybox:2" });
    const [first, second] = await test.revisions();
    expect(await test.status()).toMatchObject({
      currentReplicas: 2,
      updatedReplicas: 1,
      currentRevision: first?.metadata.name,
      updateRevision: second?.metadata.name,
    });
    await test.report("web-2", "Running");
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:2", "web-2": "busybox:2" });
    await test.report("web-1", "Running");
    await test.report("web-0", "Running");
    expect(await test.images()).toEqual({ "web-0": "busybox:2", "web-1": "busybox:2", "web-2": "busybox:2" });
    expect(await test.status()).toMatchObject({
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: second?.metadata.name,
      updateRevision: second?.metadata.name,
    });
  });

  it("leave pods below the partition as they are, also when they are replaced", async () => {
    await test.createSet({ replicas: 3, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } });
    await test.setImage("busybox:2");
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:1", "web-2": "busybox:2" });
    await deletePod("web-0");
    await deletePod("web-2");
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:1", "web-2": "busybox:2" });
    const { currentRevision, updateRevision } = (await test.status()) ?? {};
    expect(currentRevision).not.toBe(updateRevision);
    await test.patchSet({ spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    expect(await test.images()).toEqual({ "web-0": "busybox:2", "web-1": "busybox:2", "web-2": "busybox:2" });
    expect(await test.status()).toMatchObject({ currentRevision: updateRevision, updateRevision });
  });

  it("count the partition from the first ordinal", async () => {
    const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
    await test.createSet({ ordinals: { start: 5 }, updateStrategy });
    await test.setImage("busybox:2");
    expect(await test.images()).toEqual({ "web-5": "busybox:1", "web-6": "busybox:2" });
  });

  it("move one pod at a time whatever maxUnavailable says in 1.35, as its feature gate is off", async () => {
    await test.cluster.close();
    test = new StatefulSetCluster("1.35");
    const updateStrategy = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } };
    const set = await test.createSet({ updateStrategy, podManagementPolicy: "Parallel" }, { isManual: true });
    expect(set.spec?.updateStrategy).toEqual({ type: "RollingUpdate", rollingUpdate: { partition: 0 } });
    await test.patchSet({ spec: { updateStrategy } });
    await test.setImage("busybox:2");
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:2" });
  });

  it("wait for pods to be deleted when the strategy is OnDelete", async () => {
    await test.createSet({ updateStrategy: { type: "OnDelete" } });
    await test.setImage("busybox:2");
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:1" });
    expect(await test.status()).toMatchObject({ currentReplicas: 2 });
    expect(await test.status()).not.toHaveProperty("updatedReplicas");
    await deletePod("web-0");
    expect(await test.images()).toEqual({ "web-0": "busybox:2", "web-1": "busybox:1" });
    expect(await test.status()).toMatchObject({ currentReplicas: 1, updatedReplicas: 1 });
  });

  it("are used again, with the next number, when an earlier template returns", async () => {
    await test.createSet();
    const [first] = await test.revisions();
    await test.setImage("busybox:2");
    await test.setImage("busybox:1");
    const revisions = await test.revisions();
    expect(revisions.map(({ revision }) => revision)).toEqual([2, 3]);
    expect(revisions[1]?.metadata.uid).toBe(first?.metadata.uid);
    expect(await test.status()).toMatchObject({ updateRevision: first?.metadata.name });
  });

  it("are brought back by the patch that they keep, as kubectl rollout undo does", async () => {
    await test.createSet();
    const [first] = await test.revisions();
    await test.setImage("busybox:2");
    const admin = test.cluster.server.context.clientFor({ name: "admin", groups: ["system:masters"] });
    const target = { group: "apps", version: "v1", resource: "statefulsets", namespace: "default", name: "web" };
    await admin.patch(target, { contentType: "application/strategic-merge-patch+json", body: first?.data });
    await test.settle();
    expect(await test.images()).toEqual({ "web-0": "busybox:1", "web-1": "busybox:1" });
    expect((await test.revisions()).map(({ metadata }) => metadata.name).at(-1)).toBe(first?.metadata.name);
  });

  it("are deleted from the oldest on when more than the limit are unused", async () => {
    await test.createSet({ revisionHistoryLimit: 1 });
    for (const tag of ["2", "3", "4"]) await test.setImage(`busybox:${tag}`);
    expect((await test.revisions()).map(({ revision }) => revision)).toEqual([3, 4]);
    await test.patchSet({ spec: { revisionHistoryLimit: 0 } });
    expect((await test.revisions()).map(({ revision }) => revision)).toEqual([4]);
  });

  it("get another name when theirs is taken, and count the collision", async () => {
    await test.createSet({ replicas: 0 });
    const [{ metadata, data } = { metadata: {}, data: {} }] = await test.revisions();
    await test.admin.delete(`${SETS}/web`);
    await test.settle();
    await test.admin.post(REVISIONS, {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: { name: metadata.name },
      data: { ...data, other: true },
      revision: 1,
    });
    await test.createSet({ replicas: 0 });
    expect(await test.status()).toMatchObject({ collisionCount: 1 });
    expect((await test.status())?.updateRevision).not.toBe(metadata.name);
  });

  it("are adopted when nobody controls them", async () => {
    await test.createSet();
    await test.admin.delete(`${SETS}/web`, { propagationPolicy: "Orphan" });
    await test.settle();
    const [orphan] = await test.revisions();
    const pods = await test.pods();
    expect(orphan?.metadata).not.toHaveProperty("ownerReferences");
    const { metadata } = await test.createSet();
    expect((await test.revisions()).map((revision) => revision.metadata.uid)).toEqual([orphan?.metadata.uid]);
    expect((await test.revisions())[0]?.metadata.ownerReferences).toMatchObject([{ uid: metadata.uid }]);
    expect((await test.pods()).map((pod) => pod.metadata.uid)).toEqual(pods.map((pod) => pod.metadata.uid));
    expect(await test.status()).toMatchObject({ replicas: 2, updatedReplicas: 2 });
  });
});
