import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const lease = (name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name, ...metadata },
  spec,
});

describe("update", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd());
    await server.post(FOOS, foo("a", { size: 1 }));
  });

  it("row 5: refuses an outdated resourceVersion", async () => {
    const { code, body } = await server.put(`${FOOS}/a`, foo("a", {}, { resourceVersion: "1" }));
    expect([code, body.message]).toEqual([
      409,
      'Operation cannot be fulfilled on foos.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    ]);
  });

  it("row 6: raises the generation for the spec and not for labels", async () => {
    const before = await server.get(`${FOOS}/a`);
    const spec = await server.change(`${FOOS}/a`, (object) => {
      object.spec.size = 2;
    });
    expect(spec.body.metadata.generation).toBe(2);
    expect(Number(spec.body.metadata.resourceVersion)).toBeGreaterThan(Number(before.body.metadata.resourceVersion));
    const labels = await server.change(`${FOOS}/a`, (object) => {
      object.metadata.labels = { a: "b" };
    });
    expect(labels.body.metadata.generation).toBe(2);
  });

  it("raises the generation of a webhook configuration for an empty list in the place of none", async () => {
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const clientConfig = { url: "https://example.com/a" };
    const webhook = { name: "a.example.com", clientConfig, admissionReviewVersions: ["v1"], sideEffects: "None" };
    await server.post(path, { metadata: { name: "a" }, webhooks: [webhook] });
    const { body } = await server.change(`${path}/a`, (object) => {
      object.webhooks[0].matchConditions = [];
    });
    expect(body.metadata.generation).toBe(2);
  });

  it("row 7: writes the status alone through its endpoint", async () => {
    const { code, body } = await server.change(
      `${FOOS}/a`,
      (object) => {
        object.spec.size = 9;
        object.metadata.labels = { a: "b" };
        object.status = { phase: "Ready" };
      },
      "/status",
    );
    expect([code, body.spec, body.status, body.metadata.generation, body.metadata.labels]).toEqual([
      200,
      { size: 1 },
      { phase: "Ready" },
      1,
      undefined,
    ]);
  });

  it("row 8: leaves the status alone through the main endpoint", async () => {
    const { body } = await server.change(`${FOOS}/a`, (object) => {
      object.status = { phase: "x" };
    });
    expect(body.status).toBeUndefined();
  });

  it("row 18: refuses a new finalizer on an object that is being deleted", async () => {
    await server.post(FOOS, foo("f", {}, { finalizers: ["example.com/x"] }));
    await server.delete(`${FOOS}/f`);
    const { code, body } = await server.change(`${FOOS}/f`, (object) => {
      object.metadata.finalizers.push("example.com/y");
    });
    expect(code).toBe(422);
    expect(body.details.causes[0]).toEqual({
      reason: "FieldValueForbidden",
      field: "metadata.finalizers",
      message:
        'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/y"}',
    });
  });

  it("row 39: writes nothing when nothing has changed", async () => {
    const watch = await server.watch(
      `${FOOS}?watch=1&resourceVersion=${(await server.get(FOOS)).body.metadata.resourceVersion}`,
    );
    const before = await server.get(`${FOOS}/a`);
    const { code, body } = await server.put(`${FOOS}/a`, before.body);
    expect([code, body]).toEqual([200, before.body]);
    await server.post(FOOS, foo("next"));
    expect((await watch.take(1))[0]?.object.metadata.name).toBe("next");
    watch.stop();
  });

  it("row 40: demands a resourceVersion for custom resources", async () => {
    const { code, body } = await server.put(`${FOOS}/a`, foo("a"));
    expect([code, body.message, body.details.kind]).toEqual([
      422,
      'foos.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      "foos",
    ]);
  });

  it("row 41: lets the last write of a ConfigMap win without one", async () => {
    await server.post(CONFIG_MAPS, configMap("a"));
    const { code, body } = await server.put(`${CONFIG_MAPS}/a`, configMap("a", { b: "2" }));
    expect([code, body.data]).toEqual([200, { b: "2" }]);
  });

  it("row 42: creates a missing Lease and no missing custom resource", async () => {
    expect((await server.put(`${FOOS}/zz`, foo("zz"))).code).toBe(404);
    expect((await server.put(`${LEASES}/l`, lease("l", { holderIdentity: "x" }))).code).toBe(201);
  });

  it("row 43: refuses the uid of another object", async () => {
    const { code, body } = await server.change(`${FOOS}/a`, (object) => {
      object.metadata.uid = "11111111-1111-1111-1111-111111111111";
    });
    expect(code).toBe(409);
    expect(body.message).toMatch(
      /^Operation cannot be fulfilled on foos\.example\.com "a": StorageError: invalid object, Code: 4, Key: \/registry\/example\.com\/foos\/default\/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: 1{8}-.*, UID in object meta: /,
    );
  });

  it("row 44: refuses another name than that of the URL, and no name", async () => {
    await server.post(CONFIG_MAPS, configMap("a"));
    expect((await server.put(`${CONFIG_MAPS}/a`, configMap("b"))).body.message).toBe(
      "the name of the object (b) does not match the name on the URL (a)",
    );
    expect((await server.put(`${CONFIG_MAPS}/a`, configMap(""))).body.message).toBe(
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    );
  });

  it("row 119: lets exactly one of many writers with the same resourceVersion win", async () => {
    const created = await server.post(LEASES, lease("l", { holderIdentity: "" }));
    const { resourceVersion } = created.body.metadata;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.put(`${LEASES}/l`, lease("l", { holderIdentity: `h${index}` }, { resourceVersion })),
      ),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 409)).toHaveLength(19);
  });
});
