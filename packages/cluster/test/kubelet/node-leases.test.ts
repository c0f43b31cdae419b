import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, NODES } from "../controllers/nodes/node-cluster.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

let tools: NodeCluster;
beforeEach(() => {
  tools = new NodeCluster();
});
afterEach(async () => {
  await tools.cluster.close();
});

async function renewTime(node: string): Promise<unknown> {
  const { spec } = (await tools.admin.get(`${LEASES}/${node}`)).body as {
    readonly spec?: { readonly renewTime?: string };
  };
  return spec?.renewTime;
}

describe("the lease of a node", () => {
  it("is renewed every ten seconds while the node is ready", async () => {
    await tools.createNode("a");
    const { uid } = (await tools.node("a")).metadata;
    const lease = (await tools.admin.get(`${LEASES}/a`)).body;
    expect(lease["metadata"]).toMatchObject({ ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "a", uid }] });
    expect(lease["spec"]).toEqual({
      holderIdentity: "a",
      leaseDurationSeconds: 40,
      renewTime: "2026-01-01T00:00:00.000000Z",
    });
    await tools.advance(9);
    expect(await renewTime("a")).toBe("2026-01-01T00:00:00.000000Z");
    await tools.advance(1);
    expect(await renewTime("a")).toBe("2026-01-01T00:00:10.000000Z");
    await tools.report("a", "Unknown");
    await tools.advance(30);
    expect(await renewTime("a")).toBe("2026-01-01T00:00:10.000000Z");
    await tools.report("a", "True");
    expect(await renewTime("a")).toBe("2026-01-01T00:00:40.000000Z");
  });

  it("goes with the node", async () => {
    await tools.createNode("a");
    await tools.done(tools.admin.delete(`${NODES}/a`));
    expect((await tools.admin.get(`${LEASES}/a`)).status).toBe(404);
    await tools.advance(10);
    expect((await tools.admin.get(`${LEASES}/a`)).status).toBe(404);
    expect(await renewTime("node-0")).toBe("2026-01-01T00:00:10.000000Z");
  });
});
