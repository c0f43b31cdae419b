import { beforeEach, describe, expect, it } from "vitest";

import { configMap, TestServer } from "../support/test-server.ts";

describe("namespaces", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "n" } });
  });

  it("get a label, a finalizer and a phase", async () => {
    const { body } = await server.get("/api/v1/namespaces/n");
    expect([body.metadata.labels, body.spec, body.status]).toEqual([
      { "kubernetes.io/metadata.name": "n" },
      { finalizers: ["kubernetes"] },
      { phase: "Active" },
    ]);
  });

  it("row 116: take no new objects while they are going", async () => {
    const deleted = await server.delete("/api/v1/namespaces/n");
    expect([deleted.code, deleted.body.status.phase]).toEqual([200, "Terminating"]);
    const { code, body } = await server.post("/api/v1/namespaces/n/configmaps", configMap("a"));
    expect([code, body.message, body.details.causes]).toEqual([
      403,
      'configmaps "a" is forbidden: unable to create new content in namespace n because it is being terminated',
      [{ reason: "NamespaceTerminating", message: "namespace n is being terminated", field: "metadata.namespace" }],
    ]);
  });

  it("go once they are finalized", async () => {
    await server.delete("/api/v1/namespaces/n");
    const { code } = await server.change(
      "/api/v1/namespaces/n",
      (namespace) => {
        namespace.spec.finalizers = [];
      },
      "/finalize",
    );
    expect([code, (await server.get("/api/v1/namespaces/n")).code]).toEqual([200, 404]);
  });

  it("stay when they are those of every cluster", async () => {
    const { code, body } = await server.delete("/api/v1/namespaces/default");
    expect([code, body.message]).toEqual([403, 'namespaces "default" is forbidden: this namespace may not be deleted']);
  });
});
