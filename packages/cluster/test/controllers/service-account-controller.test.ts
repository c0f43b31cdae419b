import { describe, expect, it } from "vitest";

import { namespaceOf, requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

describe("the service account controller", () => {
  it("makes the default account of every namespace, and makes it again", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    cluster.server.start();
    await cluster.server.idle();
    expect(await admin.get("/api/v1/namespaces/kube-system/serviceaccounts/default")).toMatchObject({ status: 200 });
    await admin.post("/api/v1/namespaces", namespaceOf("n"));
    await cluster.server.idle();
    const account = "/api/v1/namespaces/n/serviceaccounts/default";
    const { body } = await admin.get(account);
    await admin.delete(account);
    await cluster.server.idle();
    const again = await admin.get(account);
    expect(again.status).toBe(200);
    expect(again.body["metadata"]).not.toMatchObject({ uid: (body["metadata"] as { readonly uid: string }).uid });
    await cluster.close();
  });
});
