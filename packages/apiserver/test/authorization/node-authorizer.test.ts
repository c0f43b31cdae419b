import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { requestsOf } from "../support/cluster-requests.ts";

const CORE = "/api/v1/namespaces/default";

describe("the Node authorizer", () => {
  let cluster: EmbeddedCluster;
  let admin: ReturnType<typeof requestsOf>;
  let kubelet: ReturnType<typeof requestsOf>;

  beforeEach(async () => {
    cluster = createEmbeddedCluster({ lifecycleControllers: false });
    onTestFinished(async () => await cluster.close());
    admin = requestsOf(cluster.config);
    kubelet = requestsOf(cluster.addUser({ name: "system:node:a", groups: ["system:nodes"] }));
    for (const name of ["used", "unused"]) {
      await admin.post(`${CORE}/secrets`, { apiVersion: "v1", kind: "Secret", metadata: { name } });
    }
  });

  it("permits a Secret from the time that a Pod on the Node refers to it, until the Pod is deleted", async () => {
    expect((await kubelet.get(`${CORE}/secrets/used`)).status).toBe(403);
    const spec = {
      nodeName: "a",
      containers: [{ name: "c", image: "i" }],
      volumes: [{ name: "v", secret: { secretName: "used" } }],
    };
    await admin.post(`${CORE}/pods`, { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
    expect((await kubelet.get(`${CORE}/secrets/used`)).status).toBe(200);
    const refused = await kubelet.get(`${CORE}/secrets/unused`);
    expect(refused.body["message"]).toContain("no relationship found between node 'a' and this object");
    await admin.delete(`${CORE}/pods/p?gracePeriodSeconds=0`);
    expect((await kubelet.get(`${CORE}/secrets/used`)).status).toBe(403);
  });

  it("binds the role of nodes to nobody", async () => {
    const { body } = await admin.get("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:node");
    expect(body).not.toHaveProperty("subjects");
  });
});
