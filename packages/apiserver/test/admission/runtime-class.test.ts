import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type Requests, requestsOf } from "../support/cluster-requests.ts";

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  await admin.post("/apis/node.k8s.io/v1/runtimeclasses", {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata: { name: "sandbox" },
    handler: "sandbox",
    overhead: { podFixed: { cpu: "250m" } },
    scheduling: { nodeSelector: { sandbox: "yes" }, tolerations: [{ key: "sandbox", operator: "Exists" }] },
  });
});

afterEach(async () => cluster.close());

async function create(spec: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const containers = [{ name: "c", image: "app:1" }];
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers, ...spec } };
  return await admin.post("/api/v1/namespaces/default/pods", pod);
}

describe("the admission plugin RuntimeClass", () => {
  it("gives a Pod what its class defines", async () => {
    const { status, body } = await create({ runtimeClassName: "sandbox" });
    expect(status).toBe(201);
    expect(body["spec"]).toMatchObject({
      overhead: { cpu: "250m" },
      nodeSelector: { sandbox: "yes" },
      tolerations: expect.arrayContaining([{ key: "sandbox", operator: "Exists" }]) as unknown,
    });
  });

  it.each([
    [{ runtimeClassName: "absent" }, 'pod rejected: RuntimeClass "absent" not found'],
    [
      { runtimeClassName: "sandbox", overhead: { cpu: "1" } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      { runtimeClassName: "sandbox", nodeSelector: { sandbox: "no" } },
      "conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no",
    ],
    [{ overhead: { cpu: "1" } }, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"],
  ])("refuses %j", async (spec, message) => {
    const { status, body } = await create(spec);
    expect([status, body["message"]]).toEqual([403, `pods "p" is forbidden: ${message}`]);
  });
});
