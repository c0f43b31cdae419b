import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../support/cluster-requests.ts";

const NODES = "/api/v1/nodes";

let cluster: EmbeddedCluster;
let kubelet: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster({ enableAdmissionPlugins: ["NodeRestriction"] });
  kubelet = requestsOf(cluster.addUser({ name: "system:node:a", groups: ["system:nodes"] }));
  const admin = requestsOf(cluster.config);
  for (const name of ["a", "b"]) await admin.post(NODES, { apiVersion: "v1", kind: "Node", metadata: { name } });
});

afterEach(async () => cluster.close());

describe("NodeRestriction", () => {
  it("lets a kubelet change its own Node alone, and no restricted labels of it", async () => {
    const patch = { metadata: { annotations: { a: "b" } } };
    expect(await kubelet.patch(`${NODES}/a`, patch)).toMatchObject({ status: 200 });
    expect(await kubelet.patch(`${NODES}/b`, patch)).toMatchObject({
      status: 403,
      body: { message: 'nodes "b" is forbidden: node "a" is not allowed to modify node "b"' },
    });
    const label = "node-restriction.kubernetes.io/zone";
    expect(await kubelet.patch(`${NODES}/a`, { metadata: { labels: { [label]: "x" } } })).toMatchObject({
      status: 403,
      body: { message: `nodes "a" is forbidden: is not allowed to modify labels: ${label}` },
    });
  });

  it("does not restrict other users", async () => {
    const labels = { "node-restriction.kubernetes.io/zone": "x" };
    expect(await requestsOf(cluster.config).patch(`${NODES}/b`, { metadata: { labels } })).toMatchObject({
      status: 200,
    });
  });
});
