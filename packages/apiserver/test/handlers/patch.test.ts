import { beforeEach, describe, expect, it } from "vitest";

import { CONFIG_MAPS, configMap, deployment, foo, fooCrd, FOOS, TestServer } from "../support/test-server.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

describe("patch", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd());
    await server.post(FOOS, foo("a", { size: 1, mode: "x" }));
  });

  it("row 20: merges, and null removes", async () => {
    const { code, body } = await server.patch(`${FOOS}/a`, { spec: { size: 2, mode: null } });
    expect([code, body.spec, body.metadata.generation]).toEqual([200, { size: 2 }, 2]);
  });

  it("row 21: applies the operations of a JSON patch", async () => {
    const { code, body } = await server.patch(
      `${FOOS}/a`,
      [
        { op: "test", path: "/spec/size", value: 1 },
        { op: "replace", path: "/spec/size", value: 3 },
        { op: "remove", path: "/spec/mode" },
        { op: "add", path: "/metadata/labels", value: { k: "v" } },
      ],
      "json",
    );
    expect([code, body.spec, body.metadata.labels]).toEqual([200, { size: 3 }, { k: "v" }]);
  });

  it("row 22: answers 422 without detail when a test fails", async () => {
    const { code, body } = await server.patch(`${FOOS}/a`, [{ op: "test", path: "/spec/size", value: 9 }], "json");
    expect([code, body.reason, body.message, body.details]).toEqual([
      422,
      "Invalid",
      "the server rejected our request due to an error in our request",
      {},
    ]);
  });

  it("row 23: merges containers by their name", async () => {
    await server.post(DEPLOYMENTS, deployment("d"));
    const { code, body } = await server.patch(
      `${DEPLOYMENTS}/d`,
      {
        spec: {
          template: {
            spec: {
              containers: [
                { name: "web", image: "web:2" },
                { $patch: "delete", name: "log" },
              ],
            },
          },
        },
      },
      "strategic-merge",
    );
    const containers = body.spec.template.spec.containers as { name: string; image: string }[];
    expect([code, containers.map(({ name, image }) => [name, image])]).toEqual([200, [["web", "web:2"]]]);
  });

  it("row 24: does not take strategic patches for custom resources", async () => {
    const { code, body } = await server.patch(`${FOOS}/a`, {}, "strategic-merge");
    expect([code, body.message]).toEqual([
      415,
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    ]);
  });

  it("row 49: returns the result of a dry run with the live resourceVersion", async () => {
    const before = await server.get(`${FOOS}/a`);
    const { body } = await server.patch(`${FOOS}/a?dryRun=All`, { spec: { size: 50 } });
    expect([body.spec.size, body.metadata.resourceVersion]).toEqual([50, before.body.metadata.resourceVersion]);
    expect((await server.get(`${FOOS}/a`)).body).toEqual(before.body);
  });

  it("refuses unknown fields of a strict patch with the patched object", async () => {
    const { code, body } = await server.patch(`${FOOS}/a?fieldValidation=Strict`, { spec: { zz: 1 } });
    expect(code).toBe(422);
    expect(body.message).toMatch(
      /^ "" is invalid: patch: Invalid value: .*strict decoding error: unknown field "spec\.zz"$/,
    );
  });

  it("takes a resourceVersion in a patch for a lock", async () => {
    await server.post(CONFIG_MAPS, configMap("a"));
    const { code } = await server.patch(`${CONFIG_MAPS}/a`, { metadata: { resourceVersion: "1" } });
    expect(code).toBe(409);
  });
});
