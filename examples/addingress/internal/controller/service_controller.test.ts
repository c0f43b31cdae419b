import { reconcileContext, type TestManager } from "@kubescaffold/envtest";
import { ignoreNotFound, isForbidden } from "@kubescaffold/k8s";
import { Service, type ServiceSpec } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import { Ingress } from "@kubescaffold/k8s/networking/v1";
import { patch } from "@kubescaffold/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { ServiceReconciler } from "./service_controller.ts";
import { HOST_ANNOTATION, PORT_ANNOTATION } from "./service_ingress.ts";
import { startSuite, type Suite } from "./suite.ts";

const HOST = "harbour.example.com";

// The manager has only the permissions of the +kubebuilder:rbac markers.
describe("Service controller", () => {
  let suite: Suite;
  let manager: TestManager | undefined;
  let count = 0;
  let key = { name: "", namespace: "default" };

  beforeAll(async () => {
    suite = await startSuite();
    manager = await suite.startManager(
      async (mgr) => await new ServiceReconciler(mgr.getClient()).setupWithManager(mgr),
    );
  });

  afterAll(async () => {
    await manager?.stop();
    await suite?.stop();
  });

  beforeEach(() => {
    count += 1;
    key = { ...key, name: `harbour-${String(count)}` };
  });

  async function create(annotations: Record<string, string>, spec: ServiceSpec = { ports: [{ port: 80 }] }) {
    return await suite.client.create(Service.create({ metadata: { ...key, annotations }, spec }));
  }

  async function annotate(annotations: Record<string, string | undefined>): Promise<void> {
    const found = await suite.client.get(Service, key);
    const merged = Object.entries({ ...found.metadata.annotations, ...annotations });
    const set = merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const changed = { ...found, metadata: { ...found.metadata, annotations: Object.fromEntries(set) } };
    await suite.client.patch(changed, patch.mergeFrom(found));
  }

  const until = async (assertion: () => unknown): Promise<void> => await manager?.eventually(assertion);
  const ingress = async (): Promise<Ingress | undefined> => await ignoreNotFound(suite.client.get(Ingress, key));

  const exposed = (host: string, number: number): object => ({
    rules: [
      {
        host,
        http: {
          paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: key.name, port: { number } } } }],
        },
      },
    ],
  });

  const untilExposed = async (host: string, port: number): Promise<void> =>
    await until(async () => expect((await ingress())?.spec).toEqual(exposed(host, port)));

  async function untilEvent(reason: string): Promise<void> {
    await until(async () => {
      const { items } = await suite.client.list(Event, { namespace: key.namespace });
      const own = items.filter(({ regarding }) => regarding?.name === key.name);
      expect(own.map((event) => event.reason)).toContain(reason);
    });
  }

  /** Returns when the manager has reconciled a Service that was created after all others. */
  async function settle(): Promise<void> {
    const name = `${key.name}-last`;
    const last = { ...key, name };
    await suite.client.create(
      Service.create({
        metadata: { ...last, annotations: { [HOST_ANNOTATION]: HOST } },
        spec: { ports: [{ port: 1 }] },
      }),
    );
    await until(async () => await suite.client.get(Ingress, last));
  }

  it("creates an Ingress that the Service controls", async () => {
    const service = await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    expect((await ingress())?.metadata.ownerReferences).toEqual([
      {
        apiVersion: "v1",
        kind: "Service",
        name: key.name,
        uid: service.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    await untilEvent("IngressCreated");
  });

  it("creates no Ingress for a Service without the annotation", async () => {
    await create({ "example.com/other": HOST });
    await settle();
    expect(await ingress()).toBeUndefined();
  });

  it("updates the Ingress when the host changes", async () => {
    await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    await annotate({ [HOST_ANNOTATION]: "other.example.com" });
    await untilExposed("other.example.com", 80);
    await untilEvent("IngressUpdated");
  });

  it("exposes the first port, or the one that an annotation selects by name or number", async () => {
    const ports = [
      { name: "http", port: 80 },
      { name: "metrics", port: 9090 },
    ];
    await create({ [HOST_ANNOTATION]: HOST }, { ports });
    await untilExposed(HOST, 80);
    await annotate({ [PORT_ANNOTATION]: "metrics" });
    await untilExposed(HOST, 9090);
    await annotate({ [PORT_ANNOTATION]: "80" });
    await untilExposed(HOST, 80);
  });

  it("deletes the Ingress when the annotation is removed", async () => {
    await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    await annotate({ [HOST_ANNOTATION]: undefined });
    await until(async () => expect(await ingress()).toBeUndefined());
    await untilEvent("IngressDeleted");
  });

  it("recreates a deleted Ingress, and reverts changes of its rules", async () => {
    await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    await suite.client.delete(Ingress.create({ metadata: key }));
    await untilExposed(HOST, 80);
    const found = await suite.client.get(Ingress, key);
    await suite.client.update({ ...found, spec: { ...found.spec, rules: [{ host: "pirates.example.com" }] } });
    await untilExposed(HOST, 80);
  });

  it("keeps other fields of the Ingress", async () => {
    await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    const found = await suite.client.get(Ingress, key);
    await suite.client.update({ ...found, spec: { ...found.spec, ingressClassName: "internal" } });
    await annotate({ [HOST_ANNOTATION]: "other.example.com" });
    await until(async () =>
      expect((await ingress())?.spec).toEqual({ ...exposed("other.example.com", 80), ingressClassName: "internal" }),
    );
  });

  it("does not change or delete an Ingress of others", async () => {
    const theirs = await suite.client.create(
      Ingress.create({ metadata: key, spec: { defaultBackend: { service: { name: "theirs", port: { number: 1 } } } } }),
    );
    await create({ [HOST_ANNOTATION]: HOST });
    await untilEvent("IngressTaken");
    await annotate({ [HOST_ANNOTATION]: undefined });
    await settle();
    expect(await ingress()).toEqual(theirs);
  });

  it("reports a host that the API server rejects, and recovers", async () => {
    await create({ [HOST_ANNOTATION]: "not a host" });
    await untilEvent("IngressInvalid");
    expect(await ingress()).toBeUndefined();
    await annotate({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
  });

  it("reports a missing port, and deletes the Ingress", async () => {
    await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    await annotate({ [PORT_ANNOTATION]: "none" });
    await untilEvent("PortMissing");
    await until(async () => expect(await ingress()).toBeUndefined());
  });

  it("writes nothing if there is no difference", async () => {
    await create({ [HOST_ANNOTATION]: HOST });
    await untilExposed(HOST, 80);
    const before = await ingress();
    await new ServiceReconciler(suite.client).reconcile(key, reconcileContext());
    expect(await ingress()).toEqual(before);
  });

  it("ignores a Service that does not exist", async () => {
    await expect(new ServiceReconciler(suite.client).reconcile(key, reconcileContext())).resolves.toEqual({});
  });

  it("has no unused permissions", async () => {
    const client = manager!.client;
    const service = await create({});
    await expect(client.update(service)).rejects.toSatisfy(isForbidden);
    await expect(client.delete(service)).rejects.toSatisfy(isForbidden);
  });
});
