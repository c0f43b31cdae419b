import { reconcileContext } from "@kubescaffold/envtest";
import { ignoreNotFound, isNotFound } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { Guestbook } from "../../api/v1/guestbook_types.ts";
import { FINALIZER, GuestbookReconciler } from "./guestbook_controller.ts";
import { startSuite, type Suite } from "./suite.ts";

describe("Guestbook controller", () => {
  const key = { name: "test-resource", namespace: "default" };
  let suite: Suite;

  beforeAll(async () => {
    suite = await startSuite();
  });

  afterAll(() => suite?.stop());

  beforeEach(async () => {
    await suite.client.create(
      Guestbook.create({ metadata: key, spec: { size: 2, image: "registry.k8s.io/guestbook:v3" } }),
    );
  });

  afterEach(async () => {
    const guestbook = await ignoreNotFound(suite.client.get(Guestbook, key));
    if (guestbook !== undefined) await suite.client.delete(guestbook);
    await reconcile(1);
    await expect(suite.client.get(Guestbook, key)).rejects.toSatisfy(isNotFound);
  });

  // Reconciles like the manager, until there is nothing left to do.
  async function reconcile(times = 2): Promise<void> {
    const reconciler = new GuestbookReconciler(suite.client);
    for (let turn = 0; turn < times; turn += 1) {
      await reconciler.reconcile(key, reconcileContext());
    }
  }

  it("creates a Deployment and a Service with its size, image, and port, and owns both", async () => {
    await reconcile();
    const deployment = await suite.client.get(Deployment, key);
    expect(deployment.spec?.replicas).toBe(2);
    expect(deployment.spec?.template.spec?.containers).toMatchObject([
      { image: "registry.k8s.io/guestbook:v3", ports: [{ containerPort: 8080 }] },
    ]);
    const service = await suite.client.get(Service, key);
    expect(service.spec?.ports).toMatchObject([{ port: 8080, targetPort: "http" }]);
    for (const child of [deployment, service]) {
      expect(child.metadata.ownerReferences).toMatchObject([{ kind: "Guestbook", name: key.name, controller: true }]);
    }
  });

  it("writes nothing if there is no difference", async () => {
    await reconcile();
    const before = await suite.client.get(Deployment, key);
    const guestbook = await suite.client.get(Guestbook, key);
    await reconcile();
    expect((await suite.client.get(Deployment, key)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect((await suite.client.get(Guestbook, key)).metadata.resourceVersion).toBe(guestbook.metadata.resourceVersion);
  });

  it("reverts changes to its Deployment", async () => {
    await reconcile();
    const deployment = await suite.client.get(Deployment, key);
    await suite.client.update({ ...deployment, spec: { ...deployment.spec!, replicas: 7 } });
    await reconcile();
    expect((await suite.client.get(Deployment, key)).spec?.replicas).toBe(2);
  });

  it("is not Available before its Pods are", async () => {
    await reconcile();
    const { status } = await suite.client.get(Guestbook, key);
    expect(status?.conditions).toMatchObject([{ type: "Available", status: "False", reason: "PodsNotAvailable" }]);
  });

  it("deletes the Service before the object is deleted", async () => {
    await reconcile();
    await suite.client.delete(await suite.client.get(Guestbook, key));
    expect((await suite.client.get(Guestbook, key)).metadata.finalizers).toEqual([FINALIZER]);
    await reconcile(1);
    await expect(suite.client.get(Service, key)).rejects.toSatisfy(isNotFound);
    await expect(suite.client.get(Guestbook, key)).rejects.toSatisfy(isNotFound);
  });
});
