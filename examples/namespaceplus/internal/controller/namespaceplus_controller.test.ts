import { reconcileContext } from "@kubescaffold/envtest";
import { isNotFound } from "@kubescaffold/k8s";
import { Namespace, ResourceQuota } from "@kubescaffold/k8s/core/v1";
import { retry } from "@kubescaffold/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { NamespacePlus, type NamespacePlusSpec } from "../../api/v1/namespaceplus_types.ts";
import { OWNER_LABEL } from "./namespaceplus_children.ts";
import { FINALIZER, NamespacePlusReconciler, QUOTA_NAME } from "./namespaceplus_controller.ts";
import { startSuite, type Suite } from "./suite.ts";

describe("NamespacePlus controller", () => {
  let suite: Suite;
  let count = 0;
  let key = { name: "" };

  beforeAll(async () => {
    suite = await startSuite();
  });

  afterAll(() => suite?.stop());

  // Each test uses its own Namespace, because deletion takes time in a real cluster.
  beforeEach(() => {
    count += 1;
    key = { name: `plus-${String(count)}` };
  });

  async function create(spec: NamespacePlusSpec): Promise<NamespacePlus> {
    const created = await suite.client.create(NamespacePlus.create({ metadata: key, spec }));
    await reconcile();
    return created;
  }

  // Reconciles like the manager, until there is nothing left to do.
  async function reconcile(times = 2): Promise<void> {
    const reconciler = new NamespacePlusReconciler(suite.client);
    for (let turn = 0; turn < times; turn += 1) {
      await reconciler.reconcile({ ...key, namespace: "" }, reconcileContext());
    }
  }

  async function change(spec: NamespacePlusSpec): Promise<void> {
    const owner = await suite.client.get(NamespacePlus, key);
    await suite.client.update({ ...owner, spec });
    await reconcile();
  }

  const namespace = (): Promise<Namespace> => suite.client.get(Namespace, key);
  const quota = (): Promise<ResourceQuota> =>
    suite.client.get(ResourceQuota, { name: QUOTA_NAME, namespace: key.name });
  const ready = async (): Promise<object | undefined> =>
    (await suite.client.get(NamespacePlus, key)).status?.conditions?.find(({ type }) => type === "Ready");

  it("creates a Namespace and a ResourceQuota, and owns both without a finalizer", async () => {
    const { metadata } = await create({ labels: { team: "harbour" }, quota: { pods: "10", "requests.cpu": "2000m" } });
    const reference = { kind: "NamespacePlus", name: key.name, uid: metadata.uid, controller: true };
    expect((await namespace()).metadata).toMatchObject({
      labels: { team: "harbour", [OWNER_LABEL]: metadata.uid },
      ownerReferences: [reference],
    });
    expect(await quota()).toMatchObject({
      metadata: { ownerReferences: [reference] },
      spec: { hard: { pods: "10", "requests.cpu": "2" } },
    });
    expect((await suite.client.get(NamespacePlus, key)).metadata.finalizers).toBeUndefined();
    expect(await ready()).toMatchObject({ status: "True", reason: "AsSpecified", observedGeneration: 1 });
  });

  it("writes nothing if there is no difference", async () => {
    await create({ labels: { team: "harbour" }, quota: { "requests.memory": "4096Mi" } });
    const versions = async (): Promise<readonly (string | undefined)[]> =>
      [await namespace(), await quota(), await suite.client.get(NamespacePlus, key)].map(
        ({ metadata }) => metadata.resourceVersion,
      );
    const before = await versions();
    await reconcile();
    expect(await versions()).toEqual(before);
  });

  it("reverts changes to its fields, and keeps all others", async () => {
    await create({ labels: { team: "harbour" }, quota: { pods: "10" } });
    const found = await namespace();
    const labels = { ...found.metadata.labels, team: "pirates", theirs: "stays" };
    await suite.client.update({ ...found, metadata: { ...found.metadata, labels } });
    // The controller of quotas writes their status meanwhile.
    await retry.retryOnConflict(retry.defaultRetry, async () => {
      await suite.client.update({ ...(await quota()), spec: { hard: { pods: "99" } } });
    });
    await reconcile();
    expect((await namespace()).metadata.labels).toMatchObject({ team: "harbour", theirs: "stays" });
    expect((await quota()).spec?.hard).toEqual({ pods: "10" });
    await suite.client.delete(await quota());
    await reconcile();
    expect((await quota()).spec?.hard).toEqual({ pods: "10" });
  });

  it("removes labels and limits that are removed from the spec", async () => {
    await create({ labels: { team: "harbour", tide: "low" }, quota: { pods: "10" } });
    await change({ labels: { tide: "high" } });
    expect((await namespace()).metadata.labels).toMatchObject({ tide: "high" });
    expect((await namespace()).metadata.labels).not.toHaveProperty("team");
    await expect(quota()).rejects.toSatisfy(isNotFound);
  });

  it("does not change an existing Namespace, unless adopt is set", async () => {
    await suite.client.create(Namespace.create({ metadata: { ...key, labels: { theirs: "yes" } } }));
    await create({ labels: { team: "harbour" } });
    expect((await namespace()).metadata.labels).not.toHaveProperty("team");
    expect(await ready()).toMatchObject({ status: "False", reason: "NamespaceTaken" });
    await change({ labels: { team: "harbour" }, adopt: true });
    expect((await namespace()).metadata.labels).toMatchObject({ team: "harbour", theirs: "yes" });
    expect(await ready()).toMatchObject({ status: "True" });
  });

  it("retains and releases a Namespace with the policy Retain", async () => {
    await create({ labels: { team: "harbour" }, deletionPolicy: "Retain" });
    expect((await namespace()).metadata.ownerReferences ?? []).toEqual([]);
    const owner = await suite.client.get(NamespacePlus, key);
    expect(owner.metadata.finalizers).toEqual([FINALIZER]);
    await suite.client.delete(owner);
    await reconcile(1);
    await expect(suite.client.get(NamespacePlus, key)).rejects.toSatisfy(isNotFound);
    expect((await namespace()).metadata.labels).toMatchObject({ team: "harbour" });
    expect((await namespace()).metadata.labels).not.toHaveProperty(OWNER_LABEL);
  });

  it("updates the finalizer and the owner reference when the policy changes", async () => {
    await create({});
    await change({ deletionPolicy: "Retain" });
    await reconcile();
    expect((await namespace()).metadata.ownerReferences ?? []).toEqual([]);
    await change({ deletionPolicy: "Delete" });
    await reconcile();
    expect((await namespace()).metadata.ownerReferences).toMatchObject([{ name: key.name }]);
    expect((await suite.client.get(NamespacePlus, key)).metadata.finalizers ?? []).toEqual([]);
  });

  it("reports rejected requests", async () => {
    await suite.client.create(NamespacePlus.create({ metadata: key, spec: { labels: { "no label": "" } } }));
    await expect(reconcile()).rejects.toThrow(/no label/u);
    expect(await ready()).toMatchObject({ status: "False", reason: "Refused" });
  });
});
