import type { TestManager } from "@kubescaffold/envtest";
import { findCondition, ignoreNotFound, isNotFound } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Service } from "@kubescaffold/k8s/core/v1";
import { Ingress } from "@kubescaffold/k8s/networking/v1";
import { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";
import { patch } from "@kubescaffold/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { Website, type WebsiteSpec } from "../../api/v1/website_types.ts";
import { startSuite, type Suite } from "./suite.ts";
import { setupWebsiteController } from "./website_controller.ts";
import { PAGES_ANNOTATION } from "./website_dependents.ts";

// The manager runs with the permissions of its markers. No Pods run: the tests report the status of the Deployment.
describe("Website controller", () => {
  let suite: Suite;
  let manager: TestManager;
  let count = 0;
  let key = { name: "", namespace: "default" };

  beforeAll(async () => {
    suite = await startSuite();
    manager = await suite.startManager(setupWebsiteController);
  });

  afterAll(async () => {
    await manager?.stop();
    await suite?.stop();
  });

  beforeEach(() => {
    count += 1;
    key = { ...key, name: `website-${String(count)}` };
  });

  afterEach(async () => {
    const website = await ignoreNotFound(suite.client.get(Website, key));
    if (website !== undefined) await suite.client.delete(website);
  });

  async function createWebsite(spec: Partial<WebsiteSpec> = {}): Promise<void> {
    await suite.client.create(
      Website.create({ metadata: key, spec: { pages: { "index.html": "<h1>Hello</h1>" }, ...spec } }),
    );
    await manager.eventually(() => suite.client.get(Deployment, key));
  }

  async function change(spec: Partial<WebsiteSpec>): Promise<void> {
    const website = await suite.client.get(Website, key);
    await suite.client.patch({ ...website, spec: { ...website.spec, ...spec } }, patch.mergeFrom(website));
  }

  /** Reports the Pods of the Deployment as ready, as the cluster does. */
  async function startPods(): Promise<void> {
    const deployment = await suite.client.get(Deployment, key);
    const replicas = deployment.spec?.replicas ?? 0;
    const observedGeneration = deployment.metadata.generation ?? 0;
    const status = { observedGeneration, replicas, readyReplicas: replicas, availableReplicas: replicas };
    await suite.client.status().update({ ...deployment, status });
  }

  async function untilReady(expected: object): Promise<void> {
    await manager.eventually(async () => {
      const { status } = await suite.client.get(Website, key);
      expect(findCondition(status?.conditions, "Ready")).toMatchObject(expected);
    });
  }

  it("creates the objects of a Website, which controls them", async () => {
    await createWebsite();
    await manager.eventually(async () => {
      for (const kind of [ConfigMap, Deployment, Service]) {
        const { metadata } = await suite.client.get(kind, key);
        expect(metadata.ownerReferences).toMatchObject([{ kind: "Website", name: key.name, controller: true }]);
      }
    });
    await expect(suite.client.get(PodDisruptionBudget, key)).rejects.toSatisfy(isNotFound);
    await expect(suite.client.get(Ingress, key)).rejects.toSatisfy(isNotFound);
  });

  it("is Ready when its Pods are", async () => {
    await createWebsite({ replicas: 2 });
    await untilReady({ status: "False", message: "deployment is not ready" });
    await startPods();
    await untilReady({ status: "True", reason: "DependentsReady" });
    expect((await suite.client.get(Website, key)).status).toMatchObject({ readyReplicas: 2 });
  });

  it("publishes the host when the Pods are ready", async () => {
    await createWebsite({ host: "www.example.com" });
    await untilReady({ status: "False", message: "deployment is not ready; ingress waits for deployment" });
    await expect(suite.client.get(Ingress, key)).rejects.toSatisfy(isNotFound);
    await startPods();
    await untilReady({ status: "True" });
    expect((await suite.client.get(Ingress, key)).spec?.rules).toMatchObject([{ host: "www.example.com" }]);
    expect((await suite.client.get(Website, key)).status?.url).toBe("http://www.example.com/");
  });

  it("deletes the Ingress and its URL when the host is removed", async () => {
    await createWebsite({ host: "www.example.com" });
    await startPods();
    await untilReady({ status: "True" });
    const website = await suite.client.get(Website, key);
    const { host: _host, ...spec } = website.spec;
    await suite.client.patch({ ...website, spec }, patch.mergeFrom(website));
    await manager.eventually(async () => {
      await expect(suite.client.get(Ingress, key)).rejects.toSatisfy(isNotFound);
      expect((await suite.client.get(Website, key)).status).not.toHaveProperty("url");
    });
  });

  it("has a PodDisruptionBudget while there are several Pods", async () => {
    await createWebsite({ replicas: 3 });
    await manager.eventually(() => suite.client.get(PodDisruptionBudget, key));
    await change({ replicas: 1 });
    await manager.eventually(async () => {
      await expect(suite.client.get(PodDisruptionBudget, key)).rejects.toSatisfy(isNotFound);
    });
  });

  it("starts new Pods for new pages", async () => {
    await createWebsite();
    const version = async (): Promise<string | undefined> =>
      (await suite.client.get(Deployment, key)).spec?.template.metadata?.annotations?.[PAGES_ANNOTATION];
    const before = await version();
    await change({ pages: { "index.html": "<h1>Hello again</h1>" } });
    await manager.eventually(async () => expect(await version()).not.toBe(before));
  });

  it("restores its fields, and keeps those of others", async () => {
    await createWebsite();
    const deployment = await suite.client.get(Deployment, key);
    const changed = { ...deployment.spec!, replicas: 7, minReadySeconds: 5 };
    await suite.client.patch({ ...deployment, spec: changed }, patch.mergeFrom(deployment));
    await manager.eventually(async () => {
      expect((await suite.client.get(Deployment, key)).spec).toMatchObject({ replicas: 1, minReadySeconds: 5 });
    });
  });

  it("reports objects that the API server refuses", async () => {
    await suite.client.create(Website.create({ metadata: key, spec: { pages: { "no/file": "" } } }));
    await untilReady({ status: "False", reason: "ReconcileFailed", message: expect.stringContaining("no/file") });
    await change({ pages: { "index.html": "" } });
    await untilReady({ reason: "DependentsNotReady" });
  });
});
