import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { describe, expect, it } from "vitest";

import { requestsOf } from "../support/cluster-requests.ts";

const PODS = "/api/v1/namespaces/default/pods";
const BINDING = {
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name: "p" },
  target: { kind: "Node", name: "node-7" },
};

describe("the binding of a pod", () => {
  it("puts the pod onto the node, not on a dry run, and not a pod that does not exist", async () => {
    const cluster = createEmbeddedCluster();
    const admin = requestsOf(cluster.config);
    const spec = { containers: [{ name: "c", image: "busybox:1" }] };
    await admin.post(PODS, { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec });
    expect(await admin.post(`${PODS}/p/binding?dryRun=All`, BINDING)).toMatchObject({ status: 201 });
    expect((await admin.get(`${PODS}/p`)).body["spec"]).not.toHaveProperty("nodeName");
    expect(await admin.post(`${PODS}/p/binding`, BINDING)).toMatchObject({ status: 201, body: { status: "Success" } });
    expect((await admin.get(`${PODS}/p`)).body).toMatchObject({
      spec: { nodeName: "node-7" },
      status: { conditions: [{ type: "PodScheduled", status: "True" }] },
    });
    const missing = { ...BINDING, metadata: { name: "none" } };
    expect(await admin.post(`${PODS}/none/binding`, missing)).toMatchObject({ status: 404 });
    await cluster.close();
  });
});
