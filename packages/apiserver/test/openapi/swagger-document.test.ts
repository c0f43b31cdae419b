import { describe, expect, it } from "vitest";

import { fooCrd, TestServer } from "../support/test-server.ts";

const MESSAGE = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

describe("the document of version 2", () => {
  it("has all resources, built-in and custom, and what they refer to", async () => {
    const server = new TestServer();
    await server.define(fooCrd());
    const { body } = await server.get("/openapi/v2");
    expect(body.swagger).toBe("2.0");
    const foo = body.definitions["com.example.v1.Foo"];
    expect(foo.properties.spec.properties.size).toEqual({ type: "integer" });
    expect(foo["x-kubernetes-group-version-kind"]).toEqual([{ group: "example.com", version: "v1", kind: "Foo" }]);
    const references = JSON.stringify(body).match(/"#\/definitions\/[^"]+"/gu) ?? [];
    const names = new Set(references.map((each) => each.slice('"#/definitions/'.length, -1)));
    expect(names.size).toBeGreaterThan(300);
    expect([...names].filter((name) => !(name in body.definitions))).toEqual([]);
    expect(JSON.stringify(body)).not.toContain("#/components/");
    const { patch } = body.paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
    expect(patch.parameters).toContainEqual({ name: "force", in: "query", type: "boolean", uniqueItems: true });
    expect(patch.responses["200"].schema).toEqual({ $ref: "#/definitions/io.k8s.api.apps.v1.Deployment" });
  });

  it("is regenerated when a kind is added", async () => {
    const server = new TestServer();
    const before = await server.get("/openapi/v2");
    await server.define(fooCrd());
    const after = await server.get("/openapi/v2");
    expect(Object.keys(after.body.definitions).length).toBe(Object.keys(before.body.definitions).length + 2);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  it.each([
    [MESSAGE, 200, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"],
    [MESSAGE.replace("@", "."), 200, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"],
    ["*/*", 200, "application/json"],
    ["application/yaml", 406, "text/plain; charset=utf-8"],
  ])("answers %s with %i and %s", async (accept, code, contentType) => {
    const answer = await new TestServer().get("/openapi/v2", { accept });
    expect([answer.code, answer.headers.get("content-type")]).toEqual([code, contentType]);
  });
});
