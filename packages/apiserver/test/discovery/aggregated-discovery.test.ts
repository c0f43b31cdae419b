import { beforeEach, describe, expect, it } from "vitest";

import { fooCrd, TestServer, type Body } from "../support/test-server.ts";

const AGGREGATED = { Accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json" };

describe("discovery", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = new TestServer();
    await server.define(fooCrd());
  });

  it("row 76: lists a custom resource with names, categories and subresources in the older form", async () => {
    const { body } = await server.get("/apis/example.com/v1");
    expect([body.kind, body.groupVersion]).toEqual(["APIResourceList", "example.com/v1"]);
    expect(body.resources[0]).toMatchObject({
      name: "foos",
      singularName: "foo",
      namespaced: true,
      kind: "Foo",
      shortNames: ["fo"],
      categories: ["all"],
      verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    });
    expect(body.resources[1]).toMatchObject({ name: "foos/status", verbs: ["get", "patch", "update"] });
    const groups = (await server.get("/apis")).body.groups as Body[];
    expect(groups.find(({ name }) => name === "example.com")).toEqual({
      name: "example.com",
      versions: [{ groupVersion: "example.com/v1", version: "v1" }],
      preferredVersion: { groupVersion: "example.com/v1", version: "v1" },
    });
    expect((await server.get("/apis/example.com")).body.kind).toBe("APIGroup");
  });

  it("row 76: lists it in the aggregated form", async () => {
    const { body, headers } = await server.get("/apis", AGGREGATED);
    expect(headers.get("content-type")).toBe("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    const group = (body.items as Body[]).find(({ metadata }) => metadata.name === "example.com");
    expect(group.versions[0].resources[0]).toMatchObject({
      resource: "foos",
      scope: "Namespaced",
      responseKind: { group: "example.com", version: "v1", kind: "Foo" },
      subresources: [{ subresource: "status" }],
    });
    const core = (await server.get("/api", AGGREGATED)).body.items as Body[];
    expect(core.map(({ versions }) => versions[0].version)).toEqual(["v1"]);
  });

  it("row 77: answers 304 while nothing has changed", async () => {
    const etag = (await server.get("/apis", AGGREGATED)).headers.get("etag") as string;
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const same = await server.get("/apis", { ...AGGREGATED, "If-None-Match": etag });
    expect([same.code, same.text]).toEqual([304, ""]);
    const other = fooCrd();
    other.metadata.name = "bars.example.com";
    other.spec.names = { plural: "bars", kind: "Bar" };
    await server.define(other);
    expect((await server.get("/apis", { ...AGGREGATED, "If-None-Match": etag })).code).toBe(200);
  });

  it("orders versions by stability", async () => {
    const crd = fooCrd();
    const [first] = crd.spec.versions;
    crd.metadata.name = "quxes.example.org";
    crd.spec.group = "example.org";
    crd.spec.names = { plural: "quxes", kind: "Qux" };
    crd.spec.versions = ["v1alpha1", "v1", "v2", "v1beta2"].map((name, index) => ({
      ...first,
      name,
      storage: index === 0,
    }));
    await server.define(crd);
    const { body } = await server.get("/apis/example.org");
    expect(body.versions.map((each: Body) => each.version)).toEqual(["v2", "v1", "v1beta2", "v1alpha1"]);
  });
});
