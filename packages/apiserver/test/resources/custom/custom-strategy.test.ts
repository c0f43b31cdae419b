import { beforeEach, describe, expect, it } from "vitest";

import { CRDS, foo, fooCrd, FOOS, TestServer, type Body } from "../../support/test-server.ts";

const PROPERTIES = {
  name: { type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]+$" },
  size: { type: "integer", minimum: 1, maximum: 9, default: 1 },
  mode: { type: "string", enum: ["a", "b"] },
  nullable: { type: "string", nullable: true },
  plain: { type: "string" },
  port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  embedded: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
};

describe("the strategy of custom resources", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    const crd = fooCrd(PROPERTIES);
    crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.required = ["name"];
    await server.define(crd);
  });

  it.each([
    [{ size: "x" }, 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
    [{ mode: "x" }, 'spec.mode: Unsupported value: "x": supported values: "a", "b"'],
    [{ name: undefined }, "spec.name: Required value"],
    [{ size: 0 }, "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"],
    [{ size: 10 }, "spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9"],
    [{ name: "A" }, `spec.name: Invalid value: "A": spec.name in body should match '^[a-z]+$'`],
    [{ name: "abcdef" }, "spec.name: Too long: may not be more than 5 bytes"],
  ])("row 53: refuses %j", async (spec, message) => {
    const { code, body } = await server.post(FOOS, foo("a", { name: "ok", ...spec }));
    expect([code, body.message]).toEqual([422, `Foo.example.com "a" is invalid: ${message}`]);
  });

  it("row 54: sets defaults on create, and on read of objects that were stored before there was one", async () => {
    expect((await server.post(FOOS, foo("a", { name: "ok" }))).body.spec).toEqual({ name: "ok", size: 1 });
    await server.change(`${CRDS}/foos.example.com`, (crd) => {
      crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.later = { type: "string", default: "x" };
    });
    const { body } = await server.get(`${FOOS}/a`);
    expect(body.spec).toEqual({ name: "ok", size: 1, later: "x" });
  });

  it("row 55: prunes what the schema does not know, except where it preserves", async () => {
    const { body } = await server.post(
      FOOS,
      foo("a", { name: "ok", zz: 1, free: { q: { w: 1 } }, list: [{ a: "1", b: 2 }] }),
    );
    expect(body.spec).toEqual({ name: "ok", size: 1, free: { q: { w: 1 } }, list: [{ a: "1" }] });
  });

  it("row 56: keeps null where it is allowed, drops it elsewhere, and fills in defaults for it", async () => {
    const { body } = await server.post(FOOS, foo("a", { name: "ok", nullable: null, plain: null, size: null }));
    expect(body.spec).toEqual({ name: "ok", size: 1, nullable: null });
  });

  it.each([1, "http"])("row 57: takes %j for an int or string", async (port) => {
    expect((await server.post(FOOS, foo("a", { name: "ok", port }))).body.spec.port).toBe(port);
  });

  it("row 58: checks the metadata of embedded objects and prunes it", async () => {
    const embedded = (metadata: Body): Body => ({ apiVersion: "v1", kind: "ConfigMap", metadata, more: 1 });
    const good = await server.post(FOOS, foo("a", { name: "ok", embedded: embedded({ name: "x", bogus: 1 }) }));
    expect([good.code, good.body.spec.embedded, good.warning]).toEqual([
      201,
      embedded({ name: "x" }),
      String.raw`299 - "unknown field \"spec.embedded.metadata.bogus\""`,
    ]);
    const bad = await server.post(FOOS, foo("b", { name: "ok", embedded: embedded({ labels: { "a b": "c" } }) }));
    expect([bad.code, bad.body.details.causes[0].field]).toEqual([422, "spec.embedded.metadata.labels"]);
    const untyped = await server.post(FOOS, foo("c", { name: "ok", embedded: { metadata: {} } }));
    expect(untyped.body.details.causes[0]).toMatchObject({
      field: "spec.embedded.apiVersion",
      reason: "FieldValueRequired",
    });
  });

  it("warns of finalizers without a path", async () => {
    const { warning } = await server.post(FOOS, foo("a", { name: "ok" }, { finalizers: ["plain"] }));
    expect(warning).toContain("prefer a domain-qualified finalizer name to avoid accidental conflicts");
  });

  it("row 86: filters by selectable fields", async () => {
    const fresh = new TestServer();
    await fresh.define(fooCrd(undefined, { selectableFields: [{ jsonPath: ".spec.mode" }] }));
    await fresh.post(FOOS, foo("a", { mode: "x" }));
    await fresh.post(FOOS, foo("b", { mode: "y" }));
    const { body } = await fresh.get(`${FOOS}?fieldSelector=spec.mode%3Dy`);
    expect(body.items.map((each: Body) => each.metadata.name)).toEqual(["b"]);
  });
});
