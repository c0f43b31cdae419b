import { deepFreeze } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import {
  type Body,
  configMap,
  CONFIG_MAPS,
  deployment,
  foo,
  fooCrd,
  FOOS,
  TestServer,
} from "../support/test-server.ts";

const inDefault = (object: Body, metadata: Body = {}): Body => ({
  ...object,
  metadata: { namespace: "default", ...object.metadata, ...metadata },
});

const seeded = (...seedObjects: Body[]): TestServer => new TestServer({ seedObjects });

describe("seedObjects", () => {
  it("completes objects as a create does, and keeps their status", async () => {
    const status = { readyReplicas: 3 };
    const server = seeded(inDefault({ ...deployment("web"), status }));
    await server.post("/apis/apps/v1/namespaces/default/deployments", deployment("created"));
    const { body: seed } = await server.get("/apis/apps/v1/namespaces/default/deployments/web");
    const { body: created } = await server.get("/apis/apps/v1/namespaces/default/deployments/created");
    expect(seed.status).toEqual(status);
    expect(seed.spec).toEqual(created.spec);
    // Nobody has written the object, so its fields have no owner.
    expect(Object.keys({ ...seed.metadata, managedFields: [] }).toSorted()).toEqual(
      Object.keys(created.metadata).toSorted(),
    );
    expect(seed.metadata).toMatchObject({ generation: 1, creationTimestamp: created.metadata.creationTimestamp });
  });

  it("gives an object without a status the one of a created object", async () => {
    const pod = (name: string): Body => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { containers: [{ name: "main", image: "a" }] },
    });
    const server = seeded(inDefault(pod("seed")));
    const pods = "/api/v1/namespaces/default/pods";
    await server.post(pods, pod("created"));
    const { body: created } = await server.get(`${pods}/created`);
    expect(created.status).toMatchObject({ phase: "Pending" });
    expect((await server.get(`${pods}/seed`)).body.status).toEqual(created.status);
  });

  it("keeps fields that only a server sets, except the resourceVersion", async () => {
    const metadata = {
      uid: "u",
      generation: 7,
      creationTimestamp: "2020-01-01T00:00:00Z",
      deletionTimestamp: "2021-01-01T00:00:00Z",
      finalizers: ["example.com/a"],
    };
    const server = seeded(fooCrd(), inDefault(foo("a"), { ...metadata, resourceVersion: "5" }));
    const { body } = await server.get(`${FOOS}/a`);
    expect(body.metadata).toMatchObject({ ...metadata, deletionGracePeriodSeconds: 0 });
    expect(body.metadata.resourceVersion).not.toBe("5");
  });

  it("serves a definition to the objects after it, with its defaults, and established as a server would", async () => {
    const server = seeded(fooCrd({ size: { type: "integer", default: 3 } }), inDefault(foo("a")));
    expect((await server.get(`${FOOS}/a`)).body.spec).toEqual({ size: 3 });
    const real = new TestServer();
    await real.define(fooCrd({ size: { type: "integer", default: 3 } }));
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.example.com";
    const { uid: _uid, resourceVersion: _version, ...metadata } = (await server.get(path)).body.metadata;
    expect((await real.get(path)).body).toMatchObject({ ...(await server.get(path)).body, metadata });
  });

  it("creates the namespaces of objects, unless one of them is an object itself", async () => {
    const team = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team", labels: { tier: "a" } } };
    const server = seeded(
      inDefault(configMap("a"), { namespace: "other" }),
      inDefault(configMap("a"), { namespace: "team" }),
      team,
    );
    const { body } = await server.get("/api/v1/namespaces");
    expect(body.items.map((each: Body) => each.metadata.name)).toEqual(expect.arrayContaining(["other", "team"]));
    expect((await server.get("/api/v1/namespaces/team")).body.metadata.labels).toMatchObject({ tier: "a" });
  });

  it("replaces an object that the server created", async () => {
    const labels = { tier: "a" };
    const server = seeded({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default", labels } });
    expect((await server.get("/api/v1/namespaces/default")).body.metadata.labels).toMatchObject(labels);
  });

  it("returns to the seeds on a reset", async () => {
    const server = seeded(inDefault(configMap("a")));
    await server.delete(`${CONFIG_MAPS}/a`);
    await server.server.reset();
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(200);
  });

  it("does not change the objects", () => {
    const crd = fooCrd();
    const object = inDefault(foo("a", { size: 1 }));
    const before = JSON.stringify([crd, object]);
    seeded(crd, object);
    expect(JSON.stringify([crd, object])).toBe(before);
  });

  it("shares the schema of a frozen definition between servers", () => {
    const crd = deepFreeze(fooCrd());
    const [first, second] = [seeded(crd), seeded(crd)].map(
      ({ server }) =>
        server.context.objects.list({ group: "apiextensions.k8s.io", resource: "customresourcedefinitions" })[0],
    );
    expect(first).not.toBe(second);
    expect(first?.["spec"]).toBe(second?.["spec"]);
  });

  it("accepts objects that validation would reject", async () => {
    const server = seeded(inDefault({ apiVersion: "v1", kind: "Pod", metadata: { name: "bare" } }));
    expect((await server.get("/api/v1/namespaces/default/pods/bare")).code).toBe(200);
  });

  it.each([
    [
      "a kind that is not served",
      inDefault(foo("a")),
      "cannot store Foo default/a: the server does not store kind example.com/v1, Kind=Foo",
    ],
    [
      "a kind without storage",
      { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata: { name: "a" } },
      "cannot store TokenReview a: the server does not store kind",
    ],
    [
      "no kind",
      { apiVersion: "v1", metadata: { name: "a" } },
      "cannot store an object without a kind a: it has no apiVersion or no kind",
    ],
    [
      "no name",
      inDefault({ ...configMap("x"), metadata: { generateName: "a-" } }),
      "cannot store ConfigMap default/a-: it has no name",
    ],
    ["no namespace", configMap("a"), "cannot store ConfigMap a: it has no namespace"],
    [
      "an unknown field",
      inDefault({ ...configMap("a"), date: {} }),
      'cannot store ConfigMap default/a: unknown field "date"',
    ],
    [
      "a field of another type",
      inDefault(configMap("a", { a: 1 })),
      "cannot store ConfigMap default/a: ConfigMap in version",
    ],
    [
      "a deletion that would be complete",
      inDefault(configMap("a"), { deletionTimestamp: "2021-01-01T00:00:00Z" }),
      "metadata.deletionTimestamp but no finalizers; a server would have deleted it",
    ],
  ])("rejects an object with %s", (_name, object, message) => {
    expect(() => seeded(object)).toThrow(message);
  });

  it("rejects two objects with one name, and definitions with one kind", () => {
    expect(() => seeded(inDefault(configMap("a")), inDefault(configMap("a")))).toThrow("another object has that name");
    const other = { ...fooCrd(), metadata: { name: "others.example.com" } };
    other.spec = { ...other.spec, names: { plural: "others", kind: "Foo" } };
    expect(() => seeded(fooCrd(), other)).toThrow("is already in use");
  });
});
