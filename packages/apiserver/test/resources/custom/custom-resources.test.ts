import { beforeEach, describe, expect, it } from "vitest";

import { CRDS, foo, fooCrd, FOOS, TestServer, type Body } from "../../support/test-server.ts";

const conditions = (crd: Body): Record<string, string> =>
  Object.fromEntries(
    (crd.status.conditions ?? []).map((each: Body) => [each.type, `${each.status as string}/${each.reason as string}`]),
  );

describe("CustomResources", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  it("row 64: accepts the names of a CRD and then establishes it, each with an event", async () => {
    const watch = await server.watch(`${CRDS}?watch=1`);
    const created = await server.post(CRDS, fooCrd());
    expect([created.code, created.body.status.storedVersions, created.body.spec.names.singular]).toEqual([
      201,
      ["v1"],
      "foo",
    ]);
    const events = await watch.take(3);
    watch.stop();
    expect(events.map(({ type, object }) => [type, conditions(object)])).toEqual([
      ["ADDED", {}],
      ["MODIFIED", { NamesAccepted: "True/NoConflicts", Established: "False/Installing" }],
      ["MODIFIED", { NamesAccepted: "True/NoConflicts", Established: "True/InitialNamesAccepted" }],
    ]);
    expect(events[2]?.object.status.acceptedNames).toMatchObject({ plural: "foos", kind: "Foo", listKind: "FooList" });
  });

  it("row 65: does not accept names that another CRD has, and accepts them once they are free", async () => {
    await server.define(fooCrd());
    const other = fooCrd();
    other.metadata.name = "bars.example.com";
    other.spec.names = { plural: "bars", singular: "bar", kind: "Foo", listKind: "BarList" };
    await server.define(other);
    const path = `${CRDS}/bars.example.com`;
    expect(conditions((await server.get(path)).body)).toEqual({
      NamesAccepted: "False/KindConflict",
      Established: "False/NotAccepted",
    });
    await server.delete(`${CRDS}/foos.example.com`);
    await server.server.idle();
    expect(conditions((await server.get(path)).body)["Established"]).toBe("True/InitialNamesAccepted");
  });

  it("row 74: deletes the objects of a CRD before the CRD, and waits for their finalizers", async () => {
    await server.define(fooCrd());
    await server.post(FOOS, foo("plain"));
    await server.post(FOOS, foo("held", {}, { finalizers: ["example.com/x"] }));
    const { code, body } = await server.delete(`${CRDS}/foos.example.com`);
    expect([code, conditions(body)["Terminating"], body.metadata.finalizers]).toEqual([
      200,
      "True/InstanceDeletionPending",
      ["customresourcecleanup.apiextensions.k8s.io"],
    ]);
    await server.server.idle();
    expect((await server.get(FOOS)).body.items.map((each: Body) => each.metadata.name)).toEqual(["held"]);
    await server.patch(`${FOOS}/held`, { metadata: { finalizers: null } });
    await server.server.idle();
    expect((await server.get(`${CRDS}/foos.example.com`)).code).toBe(404);
    expect((await server.get(FOOS)).text).toBe("404 page not found\n");
  });

  it("row 75: refuses creates while the CRD is going", async () => {
    await server.define(fooCrd());
    await server.post(FOOS, foo("held", {}, { finalizers: ["example.com/x"] }));
    await server.delete(`${CRDS}/foos.example.com`);
    await server.server.idle();
    const { code, body } = await server.post(FOOS, foo("new"));
    expect([code, body.message]).toEqual([
      403,
      'foos.example.com "new" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
  });

  it("row 78: answers in plain text for versions that are not served", async () => {
    await server.define(fooCrd());
    for (const path of ["/apis/example.com/v2/foos", "/apis/example.com/v1/bars", "/apis/other.com/v1/foos"]) {
      const { code, text, headers } = await server.get(path);
      expect([code, text, headers.get("content-type")]).toEqual([
        404,
        "404 page not found\n",
        "text/plain; charset=utf-8",
      ]);
    }
    expect((await server.get("/api/v1/bogus")).body.message).toBe("the server could not find the requested resource");
  });

  it("row 98: ends watches when the spec of the CRD changes", async () => {
    await server.define(fooCrd());
    const watch = await server.watch(`${FOOS}?watch=1`);
    await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.more = { type: "string" };
    });
    expect(await watch.rest()).toEqual([]);
  });

  it("row 85: warns of deprecated versions", async () => {
    const crd = fooCrd();
    crd.spec.versions.push({ ...crd.spec.versions[0], name: "v1beta1", storage: false, deprecated: true });
    await server.define(crd);
    const { warning } = await server.get("/apis/example.com/v1beta1/namespaces/default/foos");
    expect(warning).toBe('299 - "example.com/v1beta1 Foo is deprecated; use example.com/v1 Foo"');
  });

  it("row 83: serves an object in every version, whichever is stored", async () => {
    const crd = fooCrd();
    crd.spec.versions.push({ ...crd.spec.versions[0], name: "v2", storage: false });
    await server.define(crd);
    await server.post("/apis/example.com/v2/namespaces/default/foos", {
      ...foo("a", { size: 3 }),
      apiVersion: "example.com/v2",
    });
    const { body } = await server.get(`${FOOS}/a`);
    expect([body.apiVersion, body.spec]).toEqual(["example.com/v1", { size: 3 }]);
    expect((await server.get("/apis/example.com/v2/foos")).body.items[0].apiVersion).toBe("example.com/v2");
  });
});
