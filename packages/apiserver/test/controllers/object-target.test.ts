import { describe, expect, it } from "vitest";

import { storedResources, targetOf } from "../../src/controllers/store-controller.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";

describe("targetOf", () => {
  it("names an object and its subresource", () => {
    const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "n" } };
    const pods = { group: "", version: "v1", resource: "pods" };
    expect(targetOf(pods, object)).toEqual({ ...pods, namespace: "n", name: "p" });
    expect(targetOf(pods, object, "status")).toEqual({ ...pods, namespace: "n", name: "p", subresource: "status" });
  });
});

describe("storedResources", () => {
  it("lists every place of storage once, and only what has all the verbs", async () => {
    const server = createApiServer();
    const resources = storedResources(server.context, ["list", "delete"]);
    const places = resources.map(({ storedAs }) => `${storedAs.group}/${storedAs.resource}`);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toContain("/configmaps");
    expect(places).not.toContain("authentication.k8s.io/tokenreviews");
    await server.close();
  });
});
