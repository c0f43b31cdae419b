import { describe, expect, it } from "vitest";

import { namespaceOf, requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const PATH = "configmaps/kube-root-ca.crt";

describe("the ConfigMap kube-root-ca.crt", () => {
  it("does not exist before the cluster serves TLS", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    await cluster.listen();
    await cluster.server.idle();
    expect((await admin.get(`/api/v1/namespaces/default/${PATH}`)).status).toBe(404);
    await cluster.close();
  });

  it("has the certificate that clients verify the server with, in old and new namespaces", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    cluster.server.start();
    await cluster.server.idle();
    const { config } = await cluster.listen({ tls: true });
    await admin.post("/api/v1/namespaces", namespaceOf("later"));
    await cluster.server.idle();
    for (const namespace of ["default", "kube-system", "later"]) {
      const { body } = await admin.get(`/api/v1/namespaces/${namespace}/${PATH}`);
      expect(body["data"]).toEqual({ "ca.crt": config.tls?.ca });
    }
    await cluster.close();
  });

  it("is restored after a change and a deletion, and deleted with its namespace", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    const { config } = await cluster.listen({ tls: true });
    await admin.post("/api/v1/namespaces", namespaceOf("kept"));
    await cluster.server.idle();
    const data = { "ca.crt": config.tls?.ca };
    const path = `/api/v1/namespaces/kept/${PATH}`;
    await admin.patch(path, { data: { "ca.crt": "other", more: "x" } });
    await cluster.server.idle();
    expect((await admin.get(path)).body["data"]).toEqual(data);
    await admin.delete(path);
    await cluster.server.idle();
    expect((await admin.get(path)).body["data"]).toEqual(data);
    await admin.delete("/api/v1/namespaces/kept");
    await cluster.server.idle();
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.get("/api/v1/namespaces/kept")).status).toBe(404);
    await cluster.close();
  });
});
