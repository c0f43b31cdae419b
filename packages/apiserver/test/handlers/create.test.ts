import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

describe("create", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd());
  });

  it("row 1: gives a custom resource uid, time, resourceVersion and generation 1", async () => {
    const { code, body } = await server.post(FOOS, foo("a", { size: 1 }));
    expect(code).toBe(201);
    expect(body.metadata).toMatchObject({
      name: "a",
      namespace: "default",
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
    });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(1);
  });

  it("row 2: stores what it returns", async () => {
    const created = await server.post(FOOS, foo("a", { size: 1 }));
    expect((await server.get(`${FOOS}/a`)).body).toEqual(created.body);
  });

  it("row 4: refuses a second object of the same name", async () => {
    await server.post(FOOS, foo("a"));
    const { code, body } = await server.post(FOOS, foo("a"));
    expect([code, body.reason, body.message]).toEqual([409, "AlreadyExists", 'foos.example.com "a" already exists']);
    expect(body.details).toEqual({ name: "a", group: "example.com", kind: "foos" });
  });

  it("row 9: drops the status", async () => {
    const { body } = await server.post(FOOS, { ...foo("a"), status: { phase: "x" } });
    expect(body.status).toBeUndefined();
  });

  it("row 19: refuses a namespace that does not exist", async () => {
    const { code, body } = await server.post("/apis/example.com/v1/namespaces/nope/foos", foo("a"));
    expect([code, body.message, body.details.kind]).toEqual([404, 'namespaces "nope" not found', "namespaces"]);
  });

  it("row 45: refuses a body of another namespace", async () => {
    const { code, body } = await server.post(CONFIG_MAPS, configMap("a", {}, { namespace: "other" }));
    expect([code, body.message]).toEqual([
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ]);
  });

  it("row 46: makes a name of 58 characters of the prefix and five random ones", async () => {
    const { body } = await server.post(
      CONFIG_MAPS,
      configMap(undefined as never, {}, { generateName: "g".repeat(70) }),
    );
    expect(body.metadata.name).toMatch(/^g{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it("row 46: prefers a name to a prefix", async () => {
    const { body } = await server.post(CONFIG_MAPS, configMap("plain", {}, { generateName: "g-" }));
    expect(body.metadata.name).toBe("plain");
  });

  it("row 47: refuses a name that is no DNS subdomain, with the pattern", async () => {
    const { code, body } = await server.post(FOOS, foo("Bad_Name"));
    expect(code).toBe(422);
    expect(body.message).toContain(
      `Foo.example.com "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of`,
    );
    expect(body.message).toContain("regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]");
    expect(body.details.causes[0]).toMatchObject({ reason: "FieldValueInvalid", field: "metadata.name" });
  });

  it("row 48: answers 500 to a resourceVersion", async () => {
    const { code, body } = await server.post(CONFIG_MAPS, configMap("a", {}, { resourceVersion: "5" }));
    expect([code, body.reason, body.message]).toEqual([
      500,
      undefined,
      "resourceVersion should not be set on objects to be created",
    ]);
  });

  it("row 49: stores nothing on a dry run, and returns no resourceVersion", async () => {
    const { code, body } = await server.post(`${FOOS}?dryRun=All`, foo("dry"));
    expect([code, body.metadata.resourceVersion]).toEqual([201, undefined]);
    expect(body.metadata.uid).toBeDefined();
    expect((await server.get(`${FOOS}/dry`)).code).toBe(404);
  });

  it("row 50: refuses unknown and repeated fields under strict validation", async () => {
    const text = `{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"size":1,"size":2,"zz":1}}`;
    const { code, body } = await server.post(`${FOOS}?fieldValidation=Strict`, text);
    expect([code, body.message]).toEqual([
      400,
      'Foo in version "v1" cannot be handled as a Foo: strict decoding error: duplicate field "spec.size", unknown field "spec.zz"',
    ]);
  });

  it("row 51: warns of unknown fields by default, and prunes them", async () => {
    const { code, body, warning } = await server.post(FOOS, foo("a", { zz: 1 }));
    expect([code, body.spec, warning]).toEqual([201, {}, String.raw`299 - "unknown field \"spec.zz\""`]);
  });

  it("row 52: returns no warnings under ignored validation", async () => {
    const { warning, body } = await server.post(`${FOOS}?fieldValidation=Ignore`, foo("a", { zz: 1 }));
    expect([warning, body.spec]).toEqual([null, {}]);
  });

  it("reports strict problems of built-in kinds in the order of the text", async () => {
    const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"s","bogus":1},"data":{"a":"b","a":"c"},"zz":1}`;
    const { body } = await server.post(`${CONFIG_MAPS}?fieldValidation=Strict`, text);
    expect(body.message).toContain(
      'strict decoding error: unknown field "metadata.bogus", duplicate field "data.a", unknown field "zz"',
    );
  });

  it("reads YAML", async () => {
    const { code, body } = await server.post(
      CONFIG_MAPS,
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: written}\ndata: {a: b}\n",
      { "Content-Type": "application/yaml" },
    );
    expect([code, body.data]).toEqual([201, { a: "b" }]);
  });

  it("refuses a value of the wrong type as Go does", async () => {
    const { code, body } = await server.post(CONFIG_MAPS, configMap("a", { x: 1 }));
    expect([code, body.message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ]);
  });

  it("removes owner references that are stated twice, with a warning", async () => {
    const owner = { apiVersion: "v1", kind: "A", name: "a", uid: "1" };
    const { body, warning } = await server.post(CONFIG_MAPS, configMap("a", {}, { ownerReferences: [owner, owner] }));
    expect(body.metadata.ownerReferences).toEqual([owner]);
    expect(warning).toContain("duplicate UID(s) observed: 1");
  });
});
