import { reconcileContext } from "@kubescaffold/envtest";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { Relay, type RelaySpec } from "../../api/v1/relay_types.ts";
import { argsOf } from "./relay_children.ts";
import { RelayReconciler } from "./relay_controller.ts";
import { startSuite, type Suite } from "./suite.ts";

describe("Relay controller", () => {
  let suite: Suite;
  let count = 0;
  let key = { name: "", namespace: "default" };

  beforeAll(async () => {
    suite = await startSuite();
  });

  afterAll(() => suite?.stop());

  beforeEach(async () => {
    count += 1;
    key = { name: `relay-${String(count)}`, namespace: "default" };
    const spec = { target: { host: "db.example.com", port: 5432 }, replicas: 2 };
    await suite.client.create(Relay.create({ metadata: key, spec }));
    await reconcile();
  });

  afterEach(async () => {
    await suite.client.delete(await suite.client.get(Relay, key));
  });

  // Reconciles once, as the manager does for an event.
  async function reconcile(): Promise<void> {
    const reconciler = new RelayReconciler(suite.client);
    await reconciler.reconcile(key, reconcileContext());
  }

  async function change(spec: Partial<RelaySpec>): Promise<void> {
    const relay = await suite.client.get(Relay, key);
    await suite.client.update({ ...relay, spec: { ...relay.spec, ...spec } });
    await reconcile();
  }

  const deployment = (): Promise<Deployment> => suite.client.get(Deployment, key);
  const service = (): Promise<Service> => suite.client.get(Service, key);

  it("creates a Deployment and a Service for the target, and owns both", async () => {
    const { metadata, spec } = await deployment();
    expect(spec?.replicas).toBe(2);
    expect(spec?.template.spec?.containers[0]?.args).toContain("TCP:db.example.com:5432");
    expect((await service()).spec?.ports).toMatchObject([{ port: 5432, targetPort: "relay" }]);
    for (const { ownerReferences } of [metadata, (await service()).metadata]) {
      expect(ownerReferences).toMatchObject([{ kind: "Relay", name: key.name, controller: true }]);
    }
  });

  it("applies changes of the target, size, limits, and port", async () => {
    const target = { host: "2001:db8::1", port: 6543 };
    await change({ target, replicas: 3, listenPort: 5000, limits: { connections: 10, idleSeconds: 60 } });
    const { spec } = await deployment();
    expect(spec?.replicas).toBe(3);
    expect(spec?.template.spec?.containers[0]?.args).toEqual([
      "-T",
      "60",
      "TCP-LISTEN:10000,fork,reuseaddr,max-children=10",
      "TCP:[2001:db8::1]:6543",
    ]);
    expect((await service()).spec?.ports).toMatchObject([{ port: 5000 }]);
  });

  it("writes nothing if there is no difference", async () => {
    const before = [await deployment(), await service(), await suite.client.get(Relay, key)];
    await reconcile();
    const after = [await deployment(), await service(), await suite.client.get(Relay, key)];
    expect(after.map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before.map(({ metadata }) => metadata.resourceVersion),
    );
  });

  it("reverts changes by others", async () => {
    const { spec, ...others } = await deployment();
    await suite.client.update({ ...others, spec: { ...spec!, replicas: 7 } });
    await reconcile();
    expect((await deployment()).spec?.replicas).toBe(2);
  });

  it("is Available if all of its Pods are", async () => {
    const available = async (): Promise<unknown> => (await suite.client.get(Relay, key)).status?.conditions;
    expect(await available()).toMatchObject([{ type: "Available", status: "False", reason: "PodsNotAvailable" }]);
    const current = await deployment();
    const counts = { replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    const status = { ...counts, observedGeneration: current.metadata.generation ?? 0 };
    await suite.client.status().update({ ...current, status });
    await reconcile();
    expect(await available()).toMatchObject([{ type: "Available", status: "True", message: "2 of 2 Pods can relay" }]);
  });
});

describe("argsOf", () => {
  it("sets no limits by default", () => {
    const relay = Relay.create({ metadata: { name: "plain" }, spec: { target: { host: "db", port: 1 } } });
    expect(argsOf(relay)).toEqual(["TCP-LISTEN:10000,fork,reuseaddr", "TCP:db:1"]);
  });
});
