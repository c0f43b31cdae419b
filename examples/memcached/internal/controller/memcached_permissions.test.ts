import { readFileSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { isForbidden } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import { ClusterRole, ClusterRoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { type Client, createClient, createManager } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { Memcached } from "../../api/v1alpha1/memcached_types.ts";
import { MemcachedReconciler } from "./memcached_controller.ts";

const PROJECT = path.join(import.meta.dirname, "../..");
const ROLE = path.join(PROJECT, "config", "rbac", "role.yaml");
const ACCOUNT = { namespace: "default", name: "controller-manager" };
const TIMEOUT = { timeout: 20_000 };

// Runs the manager with only the permissions in config/rbac/role.yaml, on any test backend.
describe("the manager with its role", () => {
  const key = { name: "memcached-sample", namespace: "default" };
  const environment = new Environment({ crdDirectoryPaths: [path.join(PROJECT, "config", "crd", "bases")] });
  const stopping = new AbortController();
  let admin: Client;
  let manager: Client;
  let running: Promise<void>;

  beforeAll(async () => {
    admin = createClient(await environment.start());
    const [role] = readYamlDocuments(readFileSync(ROLE, "utf8"), { file: ROLE });
    await admin.create(role as unknown as ClusterRole);
    await admin.create(
      ClusterRoleBinding.create({
        metadata: { name: "manager-rolebinding" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "manager-role" },
        subjects: [{ kind: "ServiceAccount", ...ACCOUNT }],
      }),
    );
    const config = await environment.addServiceAccount(ACCOUNT);
    manager = createClient(config);
    // Roles take effect after a short delay.
    await vi.waitFor(() => manager.list(Memcached, { namespace: key.namespace }), TIMEOUT);
    const mgr = await createManager(config, { metrics: { bindAddress: "0" }, leaderElection: false });
    await new MemcachedReconciler(mgr.getClient()).setupWithManager(mgr);
    running = mgr.start(stopping.signal);
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await environment.stop();
  });

  it("reconciles an object, updates its status, and records events", async () => {
    await admin.create(Memcached.create({ metadata: key, spec: { size: 3 } }));
    await vi.waitFor(async () => {
      const { status } = await admin.get(Memcached, key);
      expect(status?.conditions?.map(({ type }) => type)).toEqual(["Available", "Progressing", "Degraded"]);
      const { items } = await admin.list(Event, { namespace: key.namespace });
      expect(items.map(({ reason }) => reason)).toEqual(
        expect.arrayContaining(["DeploymentCreated", "ServiceCreated"]),
      );
    }, TIMEOUT);
    expect((await admin.get(Deployment, key)).spec?.replicas).toBe(3);
    expect((await admin.get(Service, key)).spec?.ports).toMatchObject([{ port: 11_211 }]);
  });

  it("reverts changes by others", async () => {
    const deployment = await admin.get(Deployment, key);
    await admin.update({ ...deployment, spec: { ...deployment.spec!, replicas: 9 } });
    await vi.waitFor(async () => expect((await admin.get(Deployment, key)).spec?.replicas).toBe(3), TIMEOUT);
  });

  it("has no unused permissions", async () => {
    const deployment = await admin.get(Deployment, key);
    await expect(manager.delete(deployment)).rejects.toSatisfy(isForbidden);
    await expect(manager.delete(await admin.get(Memcached, key))).rejects.toSatisfy(isForbidden);
    await expect(manager.list(ClusterRole)).rejects.toSatisfy(isForbidden);
  });
});
