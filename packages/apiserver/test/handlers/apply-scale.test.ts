import { beforeEach, describe, expect, it } from "vitest";

import { type Answer, deployment, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/d";
const SCALE = { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } };

describe("applying a scale", () => {
  let server: TestServer;

  beforeEach(() => {
    server = new TestServer();
  });

  function applyScale(path: string, replicas: number, query = ""): Promise<Answer> {
    const name = path.split("/").at(-1);
    const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, spec: { replicas } };
    const type = { "Content-Type": "application/apply-patch+yaml" };
    return server.call("PATCH", `${path}/scale?fieldManager=scaler${query}`, body, type);
  }

  it("takes the replicas of an object of another manager by force alone", async () => {
    await server.post(DEPLOYMENT.slice(0, -2), deployment("d"));
    const refused = await applyScale(DEPLOYMENT, 4);
    expect([refused.code, refused.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "unknown" using autoscaling/v1: .spec.replicas',
    ]);
    const taken = await applyScale(DEPLOYMENT, 4, "&force=true");
    expect([taken.code, taken.body.kind, taken.body.spec]).toEqual([200, "Scale", { replicas: 4 }]);
    const { body } = await server.get(DEPLOYMENT);
    expect([body.spec.replicas, body.metadata.generation]).toEqual([4, 2]);
    const [scaler, first] = body.metadata.managedFields;
    expect(scaler).toMatchObject({
      manager: "scaler",
      operation: "Apply",
      subresource: "scale",
      apiVersion: "apps/v1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    });
    expect(first.manager).toBe("unknown");
    expect(Object.keys(first.fieldsV1["f:spec"])).not.toContain("f:replicas");
  });

  it("changes no custom resource, as real servers have no way back from the scale", async () => {
    await server.define(fooCrd(undefined, { subresources: SCALE }));
    await server.post(FOOS, foo("a", { size: 2 }));
    expect((await applyScale(`${FOOS}/a`, 2)).code).toBe(200);
    const { code, body } = await applyScale(`${FOOS}/a`, 3, "&force=true");
    expect([code, body.message]).toEqual([
      500,
      "failed to convert new object (/a; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1",
    ]);
    expect((await server.get(`${FOOS}/a`)).body.spec.size).toBe(2);
  });

  it("says of an update through the scale that it was one", async () => {
    await server.post(DEPLOYMENT.slice(0, -2), deployment("d"));
    await applyScale(DEPLOYMENT, 1);
    await server.patch(`${DEPLOYMENT}/scale?fieldManager=hand`, { spec: { replicas: 7 } });
    const { managedFields } = (await server.get(DEPLOYMENT)).body.metadata;
    expect(managedFields).toContainEqual(
      expect.objectContaining({ manager: "hand", operation: "Update", subresource: "scale", apiVersion: "apps/v1" }),
    );
    expect(managedFields.map(({ manager }: { manager: string }) => manager)).not.toContain("scaler");
  });
});
