/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import path from "node:path";

import { Environment, reconcileContext } from "@kubescaffold/envtest";
import { gvkOf, ignoreNotFound, isNotFound } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Pod, Service } from "@kubescaffold/k8s/core/v1";
import {
  createClient,
  createManager,
  createPinoLogger,
  type LiveClient,
  type RecordedEvent,
} from "@kubescaffold/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { Memcached } from "../../api/v1alpha1/memcached_types.ts";
import { MemcachedReconciler } from "./memcached_controller.ts";
import { startSuite, type Suite } from "./suite.ts";
import { COMMAND } from "./memcached_workload.ts";

const IMAGE = "memcached:1.4.36-alpine";
const OTHER_IMAGE = "example.com/other:2";

describe("Memcached controller", () => {
  const key = { name: "test-resource", namespace: "default" };
  const other = { name: "test-neighbor", namespace: "default" };
  let suite: Suite;
  let events: RecordedEvent[];

  beforeAll(async () => {
    suite = await startSuite();
  });

  afterAll(() => suite?.stop());

  beforeEach(async () => {
    events = [];
    await suite.client.create(Memcached.create({ metadata: key, spec: { size: 3 } }));
  });

  afterEach(async () => {
    for (const metadata of [key, other]) {
      await ignoreNotFound(suite.client.delete(Memcached.create({ metadata, spec: {} })));
      await ignoreNotFound(suite.client.delete(Deployment.create({ metadata })));
      await ignoreNotFound(suite.client.delete(Service.create({ metadata })));
    }
  });

  // Reconciles once, as the manager does for an event.
  async function reconcile(request = key, image = IMAGE): Promise<void> {
    const recorder = { event: (_: unknown, event: RecordedEvent) => void events.push(event) };
    const reconciler = new MemcachedReconciler(suite.client, { image, recorder });
    await reconciler.reconcile(request, reconcileContext());
  }

  it("runs the image in Pods that the restricted Pod Security Standard admits", async () => {
    await reconcile();
    const { spec, metadata } = await suite.client.get(Deployment, key);
    const [reference] = metadata.ownerReferences ?? [];
    expect(reference).toMatchObject({ kind: "Memcached", name: key.name, controller: true });
    expect(spec?.replicas).toBe(3);
    const podSpec = spec?.template.spec;
    expect(podSpec?.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(podSpec?.automountServiceAccountToken).toBe(false);
    expect(podSpec?.containers).toMatchObject([
      {
        image: IMAGE,
        command: COMMAND,
        ports: [{ containerPort: 11211 }],
        readinessProbe: { tcpSocket: { port: 11211 } },
        livenessProbe: { tcpSocket: { port: 11211 } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
          runAsUser: 1001,
        },
      },
    ]);
    expect(events.map(({ reason }) => reason)).toContain("DeploymentCreated");
  });

  it("exposes the Pods through a Service with the port of the object", async () => {
    const object = await suite.client.get(Memcached, key);
    await suite.client.update({ ...object, spec: { ...object.spec, containerPort: 4711 } });
    await reconcile();
    const service = await suite.client.get(Service, key);
    expect(service.spec).toMatchObject({ ports: [{ port: 4711, targetPort: "tcp" }] });
    const { spec } = await suite.client.get(Deployment, key);
    expect(spec?.template.metadata?.labels).toMatchObject(service.spec?.selector ?? { missing: "selector" });
  });

  it("ignores an object that does not exist", async () => {
    await reconcile({ ...key, name: "gone" });
    expect(events).toEqual([]);
  });

  it("writes nothing if there is no difference", async () => {
    await reconcile();
    const versions = async (): Promise<readonly (string | undefined)[]> => [
      (await suite.client.get(Memcached, key)).metadata.resourceVersion,
      (await suite.client.get(Deployment, key)).metadata.resourceVersion,
    ];
    const before = await versions();
    const statusWriter = vi.spyOn(suite.client, "status");
    await reconcile();
    expect(await versions()).toEqual(before);
    expect(statusWriter).not.toHaveBeenCalled();
    statusWriter.mockRestore();
  });

  it("updates the latest status even if the cache is stale", async () => {
    const before = await suite.client.get(Memcached, key);
    await reconcile();
    const made = await suite.client.get(Deployment, key);
    await suite.client.status().update({ ...made, status: { ...made.status, replicas: 2 } });
    const cached = createClient(suite.config);
    const read = cached.get.bind(cached);
    const stale = vi.spyOn(cached, "get").mockImplementation(async (kind, ...rest) => {
      if (kind === Memcached) return before;
      return await read(kind, ...rest);
    });
    const reconciler = new MemcachedReconciler(cached, { image: IMAGE, reader: suite.client });
    await reconciler.reconcile(key, reconcileContext());
    expect(stale).toHaveBeenCalledWith(Memcached, expect.objectContaining(key));
    expect((await suite.client.get(Memcached, key)).status).toMatchObject({ replicas: 2, observedGeneration: 1 });
  });

  it("reverts changes to its Deployment", async () => {
    await reconcile();
    const before = await suite.client.get(Deployment, key);
    const changed = structuredClone(before);
    changed.spec!.replicas = 7;
    const [container] = changed.spec!.template.spec!.containers;
    Object.assign(container!, { image: OTHER_IMAGE, command: ["sleep"], args: ["1d"] });
    container!.securityContext = { runAsUser: 4711 };
    await suite.client.update(changed);
    await reconcile();
    const { spec } = await suite.client.get(Deployment, key);
    expect(spec?.replicas).toBe(3);
    expect(spec?.template).toEqual(before.spec?.template);
  });

  it("rolls out a new image of the operator or the object, and keeps the selector", async () => {
    await reconcile();
    const before = await suite.client.get(Deployment, key);
    await reconcile(key, "example.com/image@sha256:" + "0".repeat(64));
    const digest = await suite.client.get(Deployment, key);
    expect(digest.spec?.template.spec?.containers[0]?.image).toMatch(/@sha256:0+$/u);
    const object = await suite.client.get(Memcached, key);
    await suite.client.update({ ...object, spec: { ...object.spec, image: OTHER_IMAGE } });
    await reconcile();
    const own = await suite.client.get(Deployment, key);
    expect(own.spec?.template.spec?.containers[0]?.image).toBe(OTHER_IMAGE);
    expect(own.spec?.selector).toEqual(before.spec?.selector);
    expect(own.spec?.template.metadata).toEqual(before.spec?.template.metadata);
  });

  it("selects only the Pods of one object", async () => {
    await suite.client.create(Memcached.create({ metadata: other, spec: {} }));
    await reconcile();
    await reconcile(other);
    const [one, two] = [await suite.client.get(Deployment, key), await suite.client.get(Deployment, other)];
    expect(one.spec?.template.metadata?.labels).toMatchObject(one.spec?.selector.matchLabels ?? {});
    expect(two.spec?.template.metadata?.labels).not.toMatchObject(one.spec?.selector.matchLabels ?? {});
    expect(one.spec?.template.metadata?.labels).not.toMatchObject(two.spec?.selector.matchLabels ?? {});
  });

  it("is not Available before its Pods are", async () => {
    await reconcile();
    const { status } = await suite.client.get(Memcached, key);
    const states = status?.conditions?.map(({ type, status: state }) => [type, state]);
    expect(Object.fromEntries(states ?? [])).toEqual({
      Available: expect.stringMatching(/^(?:Unknown|False)$/u),
      Progressing: "True",
      Degraded: "False",
    });
  });

  it("reports a Deployment that it does not own, and recovers after it is deleted", async () => {
    const theirs = { matchLabels: { theirs: "true" } };
    const template = { metadata: { labels: theirs.matchLabels }, spec: { containers: [{ name: "a", image: "a" }] } };
    await suite.client.create(Deployment.create({ metadata: key, spec: { selector: theirs, template } }));
    await expect(reconcile()).rejects.toThrow(/Deployment .* already exists and is not owned/u);
    expect((await suite.client.get(Deployment, key)).spec?.selector).toEqual(theirs);
    expect((await conditions())["Degraded"]).toBe("True");
    expect(events).toMatchObject([{ type: "Warning", reason: "ReconcileFailed" }]);
    await ignoreNotFound(suite.client.delete(Deployment.create({ metadata: key })));
    await reconcile();
    expect((await conditions())["Degraded"]).toBe("False");
  });

  async function conditions(): Promise<Readonly<Record<string, string>>> {
    const { status } = await suite.client.get(Memcached, key);
    return Object.fromEntries((status?.conditions ?? []).map((each) => [each.type, each.status]));
  }

  it("does not recreate owned objects while it is being deleted", async () => {
    const finalizer = "example.com/wait";
    const object = await suite.client.get(Memcached, key);
    const { finalizers, ...metadata } = object.metadata;
    const waiting = await suite.client.update({ ...object, metadata: { ...metadata, finalizers: [finalizer] } });
    expect(finalizers).toBeUndefined();
    await suite.client.delete(waiting);
    await reconcile();
    await expect(suite.client.get(Deployment, key)).rejects.toSatisfy(isNotFound);
    expect(events).toMatchObject([{ type: "Normal", reason: "Deleting" }]);
    const ending = await suite.client.get(Memcached, key);
    await suite.client.update({ ...ending, metadata: { ...ending.metadata, finalizers: [] } });
  });

  it("rejects names that are not valid label values", async () => {
    const object = Memcached.create({ metadata: { ...key, name: "a".repeat(64) }, spec: {} });
    await expect(suite.client.create(object)).rejects.toThrow(/63/u);
  });
});

// Runs the manager with only the permissions in config/rbac/role.yaml, against the embedded API server with simulated Pods and garbage
// collection.
describe("Memcached controller in a cluster with Pods", () => {
  const manifests = path.join(import.meta.dirname, "../..", "config");
  const environment = new Environment({
    backend: "embedded",
    workloads: true,
    crdDirectoryPaths: [path.join(manifests, "crd", "bases")],
  });
  const stopping = new AbortController();
  let client: LiveClient;
  let running: Promise<void>;

  beforeAll(async () => {
    client = createClient(await environment.start());
    const roles = [path.join(manifests, "rbac", "role.yaml")];
    const config = await environment.addServiceAccount({ namespace: "default", name: "controller-manager" }, { roles });
    const logger = createPinoLogger({ errorsOnly: true, development: true });
    const mgr = await createManager(config, { logger, metrics: { bindAddress: "0" }, leaderElection: false });
    await new MemcachedReconciler(mgr.getClient(), { image: IMAGE }).setupWithManager(mgr);
    running = mgr.start(stopping.signal);
  });

  afterAll(async () => {
    stopping.abort();
    await running;
    await environment.stop();
  });

  it("becomes Available with its own Pods, which are deleted with it", async () => {
    const names = ["first", "second"];
    for (const name of names) {
      const metadata = { name, namespace: "default" };
      await client.create(Memcached.create({ metadata, spec: { size: 2 } }));
    }
    for (const name of names) await vi.waitFor(() => expectAvailable(name), { timeout: 20_000 });
    await vi.waitFor(expectEvents, { timeout: 20_000 });
    for (const name of names) {
      const object = await client.get(Memcached, { name, namespace: "default" });
      const pods = await client.list(Pod, { namespace: "default", labelSelector: object.status?.selector ?? "none" });
      expect(pods.items).toHaveLength(2);
      expect(await client.subResource("scale").get(object)).toMatchObject({ spec: { replicas: 2 } });
      for (const { metadata } of pods.items) {
        expect(metadata.labels).toMatchObject({
          "app.kubernetes.io/name": "memcached",
          "app.kubernetes.io/instance": name,
          "app.kubernetes.io/managed-by": "memcached",
        });
      }
      await client.delete(object);
    }
    const key = { name: "first", namespace: "default" };
    await vi.waitFor(() => expect(client.get(Deployment, key)).rejects.toSatisfy(isNotFound), { timeout: 20_000 });
    await vi.waitFor(() => expect(client.get(Service, key)).rejects.toSatisfy(isNotFound), { timeout: 20_000 });
  });

  it("recreates deleted objects", async () => {
    const metadata = { name: "test-repaired", namespace: "default" };
    const object = await client.create(Memcached.create({ metadata, spec: {} }));
    for (const child of [Deployment.create({ metadata }), Service.create({ metadata })]) {
      const read = (): Promise<unknown> => client.get(gvkOf(child), metadata);
      await vi.waitFor(read, { timeout: 20_000 });
      await client.delete(child);
      await vi.waitFor(read, { timeout: 20_000 });
    }
    await client.delete(object);
  });

  async function expectEvents(): Promise<void> {
    const kind = { group: "events.k8s.io", version: "v1", kind: "Event" };
    const { items } = await client.list(kind, { namespace: "default" });
    expect(items.map((event) => event["reason"])).toEqual(
      expect.arrayContaining(["DeploymentCreated", "ServiceCreated"]),
    );
  }

  async function expectAvailable(name: string): Promise<void> {
    const { metadata, status } = await client.get(Memcached, { name, namespace: "default" });
    const states = (status?.conditions ?? []).map((each) => [each.type, each.status]);
    expect(Object.fromEntries(states)).toEqual({ Available: "True", Progressing: "False", Degraded: "False" });
    expect(status).toMatchObject({ replicas: 2, observedGeneration: metadata.generation });
  }
});
