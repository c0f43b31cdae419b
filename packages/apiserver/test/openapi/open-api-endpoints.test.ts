import { describe, expect, it } from "vitest";

import { fooCrd, TestServer } from "../support/test-server.ts";

const LARGE = 2n ** 53n + 1n;

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

  it("prints integers beyond 2^53 of custom resources with all digits", async () => {
    const server = new TestServer();
    const limits = { type: "number", maximum: LARGE, maxLength: LARGE };
    await server.define(fooCrd({ size: { type: "integer", default: LARGE, enum: [LARGE] }, limits }));
    const { code, text } = await server.get("/openapi/v3/apis/example.com/v1");
    expect([code, text]).toEqual([200, expect.stringContaining('"default":9007199254740993')]);
    const swagger = await server.get("/openapi/v2");
    expect([swagger.code, swagger.text]).toEqual([200, expect.stringContaining('"enum":[9007199254740993]')]);
    const accept = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    const message = await server.get("/openapi/v2", { accept });
    // The text of the item, behind its field and its length.
    expect([message.code, message.text]).toEqual([200, expect.stringContaining("\u0012\u00109007199254740993")]);
  });

  it("defines everything that a document refers to", async () => {
    const server = new TestServer();
    await server.define(fooCrd());
    await server.change("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/foos.example.com", ({ spec }) => {
      spec.versions[0].subresources = {
        status: {},
        scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
      };
    });
    const index = (await server.get("/openapi/v3")).body.paths as Record<string, { serverRelativeURL: string }>;
    const missing: string[] = [];
    for (const url of ["/openapi/v2", ...Object.values(index).map(({ serverRelativeURL }) => serverRelativeURL)]) {
      const { body, text } = await server.get(url);
      const defined = new Set(Object.keys((body.definitions ?? body.components.schemas) as object));
      const names = [...text.matchAll(/"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)].map(
        ([, name = ""]) => name,
      );
      missing.push(...new Set(names.filter((name) => !defined.has(name)).map((name) => `${url} ${name}`)));
    }
    expect([Object.keys(index).length > 40, missing]).toEqual([true, []]);
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

  it("has the operations of all resources, subresources, streams, and watches by path", async () => {
    const { body } = await new TestServer().get("/openapi/v2");
    const paths = body.paths as Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
    const idsOf = (path: string): readonly (string | undefined)[] =>
      Object.values(paths[path] ?? {}).flatMap(({ operationId }) => operationId ?? []);
    const pod = "/api/v1/namespaces/{namespace}/pods/{name}";
    expect(idsOf("/api/v1/pods")).toEqual(["listCoreV1PodForAllNamespaces"]);
    expect(idsOf(`${pod}/exec`)).toEqual(["connectCoreV1GetNamespacedPodExec", "connectCoreV1PostNamespacedPodExec"]);
    expect(idsOf(`${pod}/proxy/{path}`)).toHaveLength(7);
    expect(idsOf(`${pod}/eviction`)).toEqual(["createCoreV1NamespacedPodEviction"]);
    expect(idsOf("/api/v1/watch/namespaces/{namespace}/pods/{name}")).toEqual(["watchCoreV1NamespacedPod"]);
    expect(idsOf("/apis/rbac.authorization.k8s.io/v1/watch/clusterroles")).toEqual([
      "watchRbacAuthorizationV1ClusterRoleList",
    ]);
    expect(idsOf("/apis/apps/")).toEqual(["getAppsAPIGroup"]);
    expect(idsOf("/apis/apps/v1/")).toEqual(["getAppsV1APIResources"]);
    const ids = Object.keys(paths).flatMap(idsOf);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("states the variables of paths, bodies, and answers of operations", async () => {
    const { body } = await new TestServer().get("/openapi/v3/apis/apps/v1");
    const { parameters, put, delete: remove } = body.paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
    expect(parameters.map((each: { readonly name: string }) => each.name)).toEqual(["name", "namespace", "pretty"]);
    const deployment = { schema: { $ref: "#/components/schemas/io.k8s.api.apps.v1.Deployment" } };
    expect(put.requestBody).toEqual({ required: true, content: { "*/*": deployment } });
    expect(Object.keys(put.responses)).toEqual(["200", "201", "401"]);
    expect(remove.responses["202"].content["application/json"].schema.$ref).toMatch(/\.Status$/u);
  });

  it("states parameters of all operations of a path once", async () => {
    const { body } = await new TestServer().get("/openapi/v3/api/v1");
    const namesOf = (parameters: readonly { readonly name: string }[] = []): readonly string[] =>
      parameters.map(({ name }) => name);
    const collection = body.paths["/api/v1/namespaces/{namespace}/pods"];
    expect(namesOf(collection.parameters)).toEqual(["namespace", "pretty"]);
    expect(namesOf(collection.post.parameters)).toEqual(["dryRun", "fieldManager", "fieldValidation"]);
    const { parameters, post } = body.paths["/api/v1/namespaces/{namespace}/pods/{name}/eviction"];
    expect(namesOf(parameters)).toEqual(["dryRun", "fieldManager", "fieldValidation", "name", "namespace", "pretty"]);
    expect(post).not.toHaveProperty("parameters");
  });

  it.each([
    ["1.35", false],
    ["1.36", true],
  ] as const)(
    "%s states the selector of shards: %s, and its own group in definitions that all have",
    async (minor, isNew) => {
      const { body } = await new TestServer({ kubernetesVersion: minor }).get("/openapi/v3/apis/apps/v1");
      const { parameters } = body.paths["/apis/apps/v1/deployments"];
      expect(parameters.some(({ name }: { readonly name: string }) => name === "shardSelector")).toBe(isNew);
      const kinds =
        body.components.schemas["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"][
          "x-kubernetes-group-version-kind"
        ];
      const groups = kinds.map(({ group }: { readonly group: string }) => group);
      expect(groups.length === 2 && groups.includes("apps")).toBe(isNew);
    },
  );

  it("has a document for each group, for discovery, and for the version", async () => {
    const server = new TestServer();
    const { paths } = (await server.get("/openapi/v3")).body;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(["api", "apis", "apis/apps", "apis/apps/v1", "version"]));
    const { body } = await server.get(paths["apis/apps"].serverRelativeURL as string);
    expect(Object.keys(body.paths)).toEqual(["/apis/apps/"]);
    expect(body.components.schemas["io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup"].required).toEqual([
      "name",
      "versions",
    ]);
  });
});
