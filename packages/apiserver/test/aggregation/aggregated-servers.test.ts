import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it } from "vitest";

import type { UserInfo } from "../../src/request/request-context.ts";
import { bindingOf, RBAC, requestsOf, roleOf } from "../support/cluster-requests.ts";

const GROUP_VERSION = "metrics.example.com/v1beta1";
const ROOT = `/apis/${GROUP_VERSION}`;
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

let cluster: EmbeddedCluster;

afterEach(async () => cluster.close());

interface Seen {
  readonly request: Request;
  readonly user: UserInfo;
}

// A server of one kind, which notes the requests for its objects.
function serverOf(seen: Seen[] = []): (request: Request, user: UserInfo) => Promise<Response> {
  return async (request, user) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === ROOT) return Response.json(RESOURCES);
    if (pathname === "/openapi/v3") return Response.json({ paths: { [ROOT.slice(1)]: { serverRelativeURL: "/x" } } });
    if (pathname === "/openapi/v2") return Response.json(SWAGGER);
    if (pathname === `/openapi/v3${ROOT}`) return Response.json({ openapi: "3.0.0" });
    if (!pathname.startsWith(`${ROOT}/`)) return new Response("nothing\n", { status: 404 });
    seen.push({ request, user });
    if (searchParams.has("watch")) return new Response(endless());
    return await Promise.resolve(Response.json({ kind: "NodeMetrics", by: user.name }));
  };
}

const RESOURCES = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: GROUP_VERSION,
  resources: [{ name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] }],
};

const SWAGGER = {
  swagger: "2.0",
  paths: { [`${ROOT}/nodes`]: { get: {} }, "/apis/": { get: {} } },
  definitions: {
    "io.k8s.api.core.v1.Pod": { type: "object", description: "another one" },
    "com.example.NodeMetrics": {
      type: "object",
      properties: { pod: { $ref: "#/definitions/io.k8s.api.core.v1.Pod" } },
    },
  },
};

let cancelled = 0;

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"type":"ADDED"}\n'));
    },
    cancel: () => {
      cancelled += 1;
    },
  });
}

describe("an API server in the process", () => {
  it("serves its group versions, and gets the user of each request", async () => {
    const seen: Seen[] = [];
    cluster = createEmbeddedCluster({
      aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle: serverOf(seen) }],
    });
    const path = `${ROOT}/nodes/a%20b?x=1`;
    const jane = requestsOf(cluster.addUser({ name: "jane", groups: ["one", "two"] }), [["x-remote-user", "eve"]]);
    expect(await jane.get(path)).toMatchObject({ status: 403 });
    const admin = requestsOf(cluster.config);
    const rules = [{ apiGroups: ["metrics.example.com"], resources: ["nodes"], verbs: ["get"] }];
    await admin.post(`${RBAC}/clusterroles`, roleOf("ClusterRole", "read", rules));
    const binding = bindingOf("ClusterRoleBinding", "read", { kind: "ClusterRole", name: "read", users: ["jane"] });
    await admin.post(`${RBAC}/clusterrolebindings`, binding);
    expect(await jane.get(path)).toMatchObject({ status: 200, body: { kind: "NodeMetrics", by: "jane" } });
    expect(seen.map(({ request }) => request.url)).toEqual([expect.stringContaining(path)]);
    const { request, user } = seen[0] as Seen;
    expect(user).toMatchObject({ name: "jane", groups: ["one", "two", "system:authenticated"] });
    expect(request.headers.get("x-remote-user")).toBe("jane");
    expect(request.headers.get("x-remote-group")).toBe("one, two, system:authenticated");
    expect(request.headers.has("authorization")).toBe(false);
  });

  it("is part of discovery and OpenAPI", async () => {
    cluster = createEmbeddedCluster({ aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle: serverOf() }] });
    const admin = requestsOf(cluster.config);
    const groups = (await admin.get("/apis")).body["groups"] as readonly { readonly name: string }[];
    // Its priority is that of custom resources.
    expect(groups.map(({ name }) => name).slice(-1)).toEqual(["metrics.example.com"]);
    expect((await admin.get("/apis/metrics.example.com")).body).toMatchObject({
      kind: "APIGroup",
      preferredVersion: { groupVersion: GROUP_VERSION },
    });
    expect((await admin.get(ROOT)).body).toEqual(RESOURCES);
    const { body } = await requestsOf(cluster.config, [["accept", AGGREGATED]]).get("/apis");
    const items = body["items"] as readonly { readonly metadata: { readonly name: string } }[];
    expect(items.find(({ metadata }) => metadata.name === "metrics.example.com")).toEqual({
      metadata: { name: "metrics.example.com" },
      versions: [
        {
          version: "v1beta1",
          freshness: "Current",
          resources: [
            {
              resource: "nodes",
              responseKind: { group: "", version: "", kind: "NodeMetrics" },
              scope: "Cluster",
              singularResource: "",
              verbs: ["get", "list"],
            },
          ],
        },
      ],
    });
    expect((await admin.get("/")).body["paths"]).toEqual(
      expect.arrayContaining(["/apis/metrics.example.com", ROOT, "/api"]),
    );
    const index = (await admin.get("/openapi/v3")).body["paths"] as Readonly<Record<string, unknown>>;
    expect(Object.keys(index)).toEqual(expect.arrayContaining(["api/v1", ROOT.slice(1)]));
    expect((await admin.get(`/openapi/v3${ROOT}`)).body).toEqual({ openapi: "3.0.0" });
    const swagger = (await admin.get("/openapi/v2")).body as unknown as typeof SWAGGER;
    expect(Object.keys(swagger.paths)).toContain(`${ROOT}/nodes`);
    expect(swagger.definitions["com.example.NodeMetrics"].properties.pod).toEqual({
      $ref: "#/definitions/io.k8s.api.core.v1.Pod_v2",
    });
  });

  it("streams watches until the client ends them", async () => {
    cluster = createEmbeddedCluster({ aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle: serverOf() }] });
    const token = cluster.config.credentials?.kind === "token" ? cluster.config.credentials.token : "";
    const headers = { authorization: `Bearer ${token}` };
    const response = await cluster.config.transport?.(new Request(`http://cluster${ROOT}/nodes?watch=1`, { headers }));
    const reader = response?.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"type":"ADDED"}\n');
    await reader?.cancel();
    await expect.poll(() => cancelled).toBe(1);
  });

  it("can be what your own APIServices name, once it answers", async () => {
    const service = { namespace: "default", name: "metrics" };
    cluster = createEmbeddedCluster({ aggregatedServers: [{ service, handle: serverOf() }] });
    cluster.server.start();
    const admin = requestsOf(cluster.config);
    const path = "/apis/apiregistration.k8s.io/v1/apiservices";
    const register = async (groupVersion: string): Promise<unknown> => {
      const [group = "", version = ""] = groupVersion.split("/");
      const spec = { group, version, groupPriorityMinimum: 10, versionPriority: 10, service };
      const metadata = { name: `${version}.${group}` };
      await admin.post(path, { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata, spec });
      await cluster.server.idle();
      const { status } = (await admin.get(`${path}/${metadata.name}`)).body as { status?: { conditions: unknown[] } };
      return status?.conditions[0];
    };
    expect(await register(GROUP_VERSION)).toMatchObject({ status: "True", reason: "Passed" });
    expect(await admin.get(`${ROOT}/nodes`)).toMatchObject({ status: 200 });
    const url = "https://metrics.default.svc:443/apis/other.example.com/v1";
    expect(await register("other.example.com/v1")).toMatchObject({
      status: "False",
      reason: "FailedDiscoveryCheck",
      message: `failing or missing response from ${url}: bad status from ${url}: 404`,
    });
    const answer = await admin.get("/apis/other.example.com/v1/nodes");
    expect(answer).toMatchObject({ status: 503, body: { text: "service unavailable\n" } });
  });

  it("gets no request of a user whose name no header can have", async () => {
    const seen: Seen[] = [];
    cluster = createEmbeddedCluster({
      aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle: serverOf(seen) }],
    });
    const user = requestsOf(cluster.addUser({ name: "a\nx-remote-group: system:masters", groups: ["system:masters"] }));
    expect(await user.get(`${ROOT}/nodes`)).toMatchObject({
      status: 503,
      body: { text: 'error trying to reach service: net/http: invalid header field value for "X-Remote-User"\n' },
    });
    expect(seen).toEqual([]);
  });

  it("that throws is answered with 503", async () => {
    const handle = (): Response => {
      throw new TypeError("out of order");
    };
    cluster = createEmbeddedCluster({ aggregatedServers: [{ groupVersions: [GROUP_VERSION], handle }] });
    expect(await requestsOf(cluster.config).get(`${ROOT}/nodes`)).toMatchObject({
      status: 503,
      body: { text: "error trying to reach service: out of order\n" },
    });
  });
});

describe("CustomResourceDefinitions", () => {
  it("have APIServices while they serve versions", async () => {
    cluster = createEmbeddedCluster();
    cluster.server.start();
    const admin = requestsOf(cluster.config);
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await admin.post(definitions, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "things", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await cluster.server.idle();
    const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com";
    expect(await admin.get(path)).toMatchObject({
      status: 200,
      body: {
        metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "true" } },
        spec: { groupPriorityMinimum: 1000, versionPriority: 100 },
        status: { conditions: [{ type: "Available", status: "True", reason: "Local" }] },
      },
    });
    await admin.delete(`${definitions}/things.example.com`);
    await cluster.server.idle();
    expect(await admin.get(path)).toMatchObject({ status: 404 });
  });
});
