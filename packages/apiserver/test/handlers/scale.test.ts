import { beforeEach, describe, expect, it } from "vitest";

import { deployment, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const SCALE = { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } };

describe("scale", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd(undefined, { subresources: SCALE }));
    await server.post(FOOS, foo("a", { size: 2 }));
  });

  it("row 79: reads and writes the replicas of a custom resource", async () => {
    const read = await server.get(`${FOOS}/a/scale`);
    expect([read.body.kind, read.body.apiVersion, read.body.spec, read.body.status]).toEqual([
      "Scale",
      "autoscaling/v1",
      { replicas: 2 },
      { replicas: 0 },
    ]);
    const written = await server.patch(`${FOOS}/a/scale`, { spec: { replicas: 7 } });
    expect([written.code, written.body.spec]).toEqual([200, { replicas: 7 }]);
    const { body } = await server.get(`${FOOS}/a`);
    expect([body.spec.size, body.metadata.generation]).toEqual([7, 2]);
  });

  it("row 79: answers 500 when the replicas were never set", async () => {
    await server.post(FOOS, foo("b"));
    const { code, body } = await server.get(`${FOOS}/b/scale`);
    expect([code, body.message]).toEqual([
      500,
      'Internal error occurred: the spec replicas field ".spec.size" does not exist',
    ]);
  });

  it("shows the selector of a Deployment as text", async () => {
    await server.post(DEPLOYMENTS, deployment("d"));
    const { body } = await server.get(`${DEPLOYMENTS}/d/scale`);
    expect([body.spec, body.status]).toEqual([{ replicas: 1 }, { replicas: 0, selector: "app=web" }]);
  });

  it("refuses a negative count", async () => {
    await server.post(DEPLOYMENTS, deployment("d"));
    const { code } = await server.patch(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: -1 } });
    expect(code).toBe(422);
  });
});
