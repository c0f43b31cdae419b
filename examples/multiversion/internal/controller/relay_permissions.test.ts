import path from "node:path";

import { Environment, installOperator } from "@kubescaffold/envtest";
import { isForbidden } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import { type Client, createClient, createManager, createRecordingLogger } from "@kubescaffold/runtime";
import { readOperatorManifests } from "@kubescaffold/runtime/operator-project";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { Relay } from "../../api/v1/relay_types.ts";
import { Relay as RelayV1alpha1 } from "../../api/v1alpha1/relay_types.ts";
import { Relay as RelayV1beta1 } from "../../api/v1beta1/relay_types.ts";
import { setupRelayWebhookWithManager } from "../webhook/v1/relay_webhook.ts";
import { RelayReconciler } from "./relay_controller.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const WAIT = { timeout: 20_000, interval: 50 };

// Runs the whole manager, including webhooks, with only the permissions in config/rbac, on any test backend.
describe("the manager with its role", () => {
  const key = { name: "relay-sample", namespace: "default" };
  const environment = new Environment({
    crdDirectoryPaths: [path.join(ROOT, "config", "crd", "bases")],
    webhooks: { paths: [path.join(ROOT, "config", "webhook")] },
  });
  const logger = createRecordingLogger(0);
  const stopping = new AbortController();
  let admin: Client;
  let manager: Client;
  let running: Promise<void>;

  beforeAll(async () => {
    admin = createClient(await environment.start());
    const operator = await readOperatorManifests(ROOT);
    await installOperator(admin, operator);
    const account = { namespace: operator.namespace, name: operator.serviceAccountName };
    const config = await environment.addServiceAccount(account);
    manager = createClient(config);
    // Roles take effect after a short delay.
    await vi.waitFor(() => manager.list(Relay), WAIT);
    const { host, port, certDirectory } = environment.webhookServing;
    const mgr = await createManager(config, {
      logger,
      leaderElection: false,
      metrics: { bindAddress: "0" },
      webhook: { host, port, certDir: certDirectory },
    });
    await new RelayReconciler(mgr.getClient()).setupWithManager(mgr);
    setupRelayWebhookWithManager(mgr);
    running = mgr.start(stopping.signal);
    await Promise.race([mgr.getWebhookServer().listening, running]);
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await environment.stop();
  });

  it("reconciles a v1alpha1 object, and reports the status in each version", async () => {
    await admin.create(RelayV1alpha1.create({ metadata: key, spec: { target: "[2001:db8::1]:443", size: 2 } }));
    await vi.waitFor(async () => {
      const { status } = await admin.get(RelayV1alpha1, key);
      expect(status?.conditions?.map(({ type }) => type)).toEqual(["Available"]);
    }, WAIT);
    const deployment = await admin.get(Deployment, key);
    expect(deployment.spec?.replicas).toBe(2);
    expect(deployment.spec?.template.spec?.containers[0]?.args).toContain("TCP:[2001:db8::1]:443");
    expect(deployment.metadata.ownerReferences).toMatchObject([{ apiVersion: "network.demo/v1", kind: "Relay" }]);
    expect((await admin.get(Service, key)).spec?.ports).toMatchObject([{ port: 443 }]);
    expect((await admin.get(Relay, key)).status).toEqual((await admin.get(RelayV1beta1, key)).status);
  });

  it("reconciles changes in any version", async () => {
    const old = await admin.get(RelayV1beta1, key);
    await admin.update({ ...old, spec: { ...old.spec, target: "db:5432", replicas: 3, idleSeconds: 30 } });
    await vi.waitFor(async () => {
      const { spec } = await admin.get(Deployment, key);
      expect(spec?.replicas).toBe(3);
      expect(spec?.template.spec?.containers[0]?.args).toEqual(expect.arrayContaining(["-T", "30", "TCP:db:5432"]));
    }, WAIT);
    // The Service keeps its port: v1beta1 has no field for it, but the annotation preserves it.
    expect((await admin.get(Service, key)).spec?.ports).toMatchObject([{ port: 443 }]);
  });

  it("records events, and has all required permissions", async () => {
    await vi.waitFor(async () => {
      const { items } = await admin.list(Event, { namespace: key.namespace });
      expect(items.map(({ reason }) => reason)).toEqual(
        expect.arrayContaining(["DeploymentCreated", "ServiceCreated", "DeploymentUpdated"]),
      );
    }, WAIT);
    expect(logger.records.map(({ error }) => String(error)).filter((text) => text.includes("forbidden"))).toEqual([]);
  });

  it("has no unused permissions", async () => {
    await expect(manager.delete(await admin.get(Deployment, key))).rejects.toSatisfy(isForbidden);
    await expect(manager.delete(await admin.get(Relay, key))).rejects.toSatisfy(isForbidden);
    const relay = await admin.get(RelayV1alpha1, key);
    await expect(manager.update({ ...relay, spec: { ...relay.spec, size: 1 } })).rejects.toSatisfy(isForbidden);
  });
});
