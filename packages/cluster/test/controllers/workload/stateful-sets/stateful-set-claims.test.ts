import type { StatefulSetPersistentVolumeClaimRetentionPolicy } from "@kubescaffold/k8s/apps/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { CLAIMS, PODS, SETS, StatefulSetCluster } from "./stateful-set-fixtures.ts";

const DATA = {
  metadata: { name: "data", labels: { tier: "db" } },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

let test: StatefulSetCluster;

beforeEach(async () => {
  test = new StatefulSetCluster();
  await createStorageClass();
});

afterEach(async () => test.cluster.close());

async function createStorageClass(): Promise<void> {
  const metadata = { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
  await test.admin.post("/apis/storage.k8s.io/v1/storageclasses", { metadata, provisioner: "disk.example.com" });
}

async function createSet(policy: StatefulSetPersistentVolumeClaimRetentionPolicy = {}): Promise<void> {
  await test.createSet({ volumeClaimTemplates: [DATA], persistentVolumeClaimRetentionPolicy: policy });
}

/** Returns the kinds and names of the owners of each claim by its name. */
async function owners(): Promise<Readonly<Record<string, readonly string[]>>> {
  const claims = await test.claims();
  return Object.fromEntries(
    claims.map(({ metadata }) => [
      metadata.name ?? "",
      (metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`),
    ]),
  );
}

describe("claims of a stateful set", () => {
  it("are created for each pod, which has them as volumes", async () => {
    await createSet();
    expect(await test.claims()).toMatchObject([
      { metadata: { name: "data-web-0", labels: { app: "web", tier: "db" } }, spec: DATA.spec },
      { metadata: { name: "data-web-1" } },
    ]);
    const [pod] = await test.pods();
    expect(pod?.spec?.volumes?.[0]).toEqual({ name: "data", persistentVolumeClaim: { claimName: "data-web-0" } });
    expect(await test.events()).toContain(
      "Normal SuccessfulCreate: Create Claim data-web-0 Pod web-0 in StatefulSet web success",
    );
  });

  it("stay when the set is scaled or deleted, and are used again", async () => {
    await createSet();
    const uids = (await test.claims()).map(({ metadata }) => metadata.uid);
    await test.patchSet({ spec: { replicas: 1 } });
    await test.admin.delete(`${SETS}/web`);
    await test.settle();
    expect(await owners()).toEqual({ "data-web-0": [], "data-web-1": [] });
    await createSet();
    expect((await test.claims()).map(({ metadata }) => metadata.uid)).toEqual(uids);
  });

  it("belong to the set when they are deleted with it", async () => {
    await createSet({ whenDeleted: "Delete" });
    expect(await owners()).toEqual({ "data-web-0": ["StatefulSet web"], "data-web-1": ["StatefulSet web"] });
    await test.patchSet({ spec: { replicas: 1 } });
    expect(Object.keys(await owners())).toEqual(["data-web-0", "data-web-1"]);
    await test.admin.delete(`${SETS}/web`);
    await test.settle();
    expect(await owners()).toEqual({});
  });

  it("go with the pods that a scaled set no longer wants, and are new when it wants them again", async () => {
    await createSet({ whenScaled: "Delete" });
    expect(await owners()).toEqual({ "data-web-0": [], "data-web-1": [] });
    const uid = (await test.claims())[1]?.metadata.uid;
    await test.patchSet({ spec: { replicas: 1 } });
    expect(await owners()).toEqual({ "data-web-0": [] });
    await test.patchSet({ spec: { replicas: 2 } });
    expect(await test.podNames()).toEqual(["web-0", "web-1"]);
    expect((await test.claims())[1]?.metadata.uid).not.toBe(uid);
  });

  it("belong to the pod while it goes, and to the set until then, when both delete them", async () => {
    await createSet({ whenScaled: "Delete", whenDeleted: "Delete" });
    expect(await owners()).toEqual({ "data-web-0": ["StatefulSet web"], "data-web-1": ["StatefulSet web"] });
    await test.admin.patch(`${PODS}/web-1`, { metadata: { finalizers: ["example.com/hold"] } });
    await test.patchSet({ spec: { replicas: 1 } });
    expect(await owners()).toEqual({ "data-web-0": ["StatefulSet web"], "data-web-1": ["Pod web-1"] });
    await test.admin.patch(`${PODS}/web-1`, { metadata: { finalizers: null } });
    await test.settle();
    expect(await owners()).toEqual({ "data-web-0": ["StatefulSet web"] });
  });

  it("change owners when the retention policy changes", async () => {
    await createSet({ whenDeleted: "Delete" });
    await test.patchSet({ spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain" } } });
    expect(await owners()).toEqual({ "data-web-0": [], "data-web-1": [] });
  });

  it("keep another controller, which an event reports", async () => {
    const controller = { apiVersion: "v1", kind: "ConfigMap", name: "keeper", uid: "keeper-1", controller: true };
    const created = await test.admin.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "keeper" } });
    const { uid } = (created.body as { readonly metadata: { readonly uid: string } }).metadata;
    await test.admin.post(CLAIMS, {
      ...DATA,
      metadata: { name: "data-web-0", ownerReferences: [{ ...controller, uid }] },
    });
    await createSet({ whenDeleted: "Delete" });
    expect(await owners()).toEqual({ "data-web-0": ["ConfigMap keeper"], "data-web-1": ["StatefulSet web"] });
    expect((await test.events()).filter((event) => event.includes("ConflictingController"))[0]).toBe(
      "Warning ConflictingController: PersistentVolumeClaim data-web-0 has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim",
    );
  });

  it("that are being deleted hold their pod up", async () => {
    await test.admin.post(CLAIMS, { ...DATA, metadata: { name: "data-web-0", finalizers: ["example.com/hold"] } });
    await test.admin.delete(`${CLAIMS}/data-web-0`);
    await createSet();
    expect(await test.podNames()).toEqual([]);
    expect(await test.events()).toContain(
      "Warning FailedCreate: Create Pod web-0 in StatefulSet web failed error: pvc data-web-0 is being deleted",
    );
    await test.admin.patch(`${CLAIMS}/data-web-0`, { metadata: { finalizers: null } });
    await test.advance(10);
    expect(await test.podNames()).toEqual(["web-0", "web-1"]);
  });
});
