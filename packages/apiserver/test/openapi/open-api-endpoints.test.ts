import { describe, expect, it } from "vitest";

import { fooCrd, TestServer } from "../support/test-server.ts";

describe("OpenAPI", () => {
  it("describes custom resources with what kubectl looks for", async () => {
    const server = new TestServer();
    await server.define(fooCrd());
    const index = (await server.get("/openapi/v3")).body.paths as Record<string, { serverRelativeURL: string }>;
    const url = index["apis/example.com/v1"]?.serverRelativeURL as string;
    const { code, body, headers } = await server.get(url);
    expect([code, headers.get("cache-control")]).toEqual([200, "public, immutable"]);
    const { patch } = body.paths["/apis/example.com/v1/namespaces/{namespace}/foos/{name}"];
    expect(patch["x-kubernetes-group-version-kind"]).toEqual({ group: "example.com", version: "v1", kind: "Foo" });
    expect(patch.parameters.map((each: { name: string }) => each.name)).toContain("fieldValidation");
    expect(body.components.schemas["com.example.v1.Foo"]).toMatchObject({
      properties: { spec: { properties: { size: { type: "integer" } } } },
      "x-kubernetes-group-version-kind": [{ group: "example.com", version: "v1", kind: "Foo" }],
    });
  });

  it("sends clients with an old hash to the new one", async () => {
    const { code, headers } = await new TestServer().get("/openapi/v3/apis/apps/v1?hash=OLD");
    expect(code).toBe(301);
    expect(headers.get("location")).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{64}$/);
  });

  it("describes built-in kinds by their definitions", async () => {
    const { body } = await new TestServer().get("/openapi/v3/apis/apps/v1");
    expect(body.components.schemas["io.k8s.api.apps.v1.Deployment"].properties.spec).toBeDefined();
    expect((await new TestServer().get("/openapi/v3/apis/none/v1")).code).toBe(404);
  });
});
