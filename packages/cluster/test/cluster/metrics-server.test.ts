import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, requesting } from "../controllers/nodes/node-cluster.ts";

const API = "/apis/metrics.k8s.io/v1beta1";

let tools: NodeCluster;

beforeEach(async () => {
  tools = new NodeCluster();
  await tools.createPod("web", requesting({ cpu: "1" }), { labels: { app: "web" } });
  await tools.createPod("db", { containers: ["main", "proxy"].map((name) => ({ name, image: "db:1" })) });
});

afterEach(async () => tools.cluster.close());

async function get(
  path: string,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  await tools.settle();
  return await tools.admin.get(path);
}

async function itemsOf(path: string): Promise<unknown> {
  return (await get(path)).body["items"];
}

async function groups(): Promise<readonly string[]> {
  const { body } = await get("/apis");
  return (body["groups"] as readonly { readonly name: string }[]).map(({ name }) => name);
}

describe("the API of resource metrics", () => {
  it("is served while there are such metrics", async () => {
    expect((await get(`${API}/pods`)).status).toBe(404);
    tools.cluster.metrics.set({ kind: "external", metric: "queue", value: "1" });
    expect(await groups()).not.toContain("metrics.k8s.io");
    const remove = tools.cluster.metrics.set({
      kind: "resource",
      resource: "cpu",
      pods: { name: "web" },
      value: "250m",
    });
    expect(await groups()).toContain("metrics.k8s.io");
    expect(await get(API)).toMatchObject({
      status: 200,
      body: { resources: [{ kind: "NodeMetrics" }, { kind: "PodMetrics" }] },
    });
    remove();
    expect(await groups()).not.toContain("metrics.k8s.io");
    expect((await get(`${API}/pods`)).status).toBe(404);
  });

  it("has the usage of the containers of running Pods, and of Nodes", async () => {
    const { metrics } = tools.cluster;
    metrics.set({ kind: "resource", resource: "cpu", pods: { name: "web" }, value: "250m" });
    metrics.set({ kind: "resource", resource: "memory", pods: { name: "web" }, value: "64Mi" });
    metrics.set({ kind: "resource", resource: "cpu", pods: { name: "db" }, container: "proxy", value: "50m" });
    expect(await itemsOf(`${API}/namespaces/default/pods`)).toMatchObject([
      {
        kind: "PodMetrics",
        metadata: { name: "db", namespace: "default" },
        containers: [
          { name: "main", usage: { cpu: "0m", memory: "0" } },
          { name: "proxy", usage: { cpu: "50m", memory: "0" } },
        ],
      },
      {
        metadata: { name: "web", labels: { app: "web" } },
        timestamp: "2026-01-01T00:00:00Z",
        window: "15s",
        containers: [{ name: "main", usage: { cpu: "250m", memory: "65536Ki" } }],
      },
    ]);
    expect((await get(`${API}/nodes/node-0`)).body).toMatchObject({
      kind: "NodeMetrics",
      usage: { cpu: "300m", memory: "65536Ki" },
    });
  });

  it("selects Pods, and fails for those without metrics", async () => {
    tools.cluster.metrics.set({ kind: "resource", resource: "cpu", pods: {}, value: "1" });
    expect(await itemsOf(`${API}/pods?labelSelector=app=web`)).toMatchObject([{ metadata: { name: "web" } }]);
    expect(await itemsOf(`${API}/pods?fieldSelector=metadata.name=db`)).toMatchObject([{ metadata: { name: "db" } }]);
    expect((await get(`${API}/namespaces/default/pods/web`)).body).toMatchObject({
      containers: [{ usage: { cpu: "1000m" } }],
    });
    expect(await get(`${API}/namespaces/default/pods/none`)).toMatchObject({
      status: 404,
      body: { message: 'podmetrics.metrics.k8s.io "default/none" not found' },
    });
    expect((await tools.admin.post(`${API}/namespaces/default/pods`, {})).status).toBe(405);
  });

  it.each([
    ["labelSelector=a in", "unable to parse requirement: found '' expected: '('"],
    ["fieldSelector=a", "invalid selector: 'a'; can't understand 'a'"],
    [
      "fieldSelector=spec.nodeName=a",
      '"spec.nodeName" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])("refuses invalid selectors: %s", async (query, message) => {
    tools.cluster.metrics.set({ kind: "resource", resource: "cpu", pods: {}, value: "1" });
    for (const resource of ["pods", "nodes"])
      expect(await get(`${API}/${resource}?${query}`)).toMatchObject({
        status: 400,
        body: { reason: "BadRequest", message },
      });
  });

  it("leaves an APIService of a test alone", async () => {
    const spec = {
      group: "metrics.k8s.io",
      version: "v1beta1",
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: "monitoring", name: "own" },
    };
    const services = "/apis/apiregistration.k8s.io/v1/apiservices";
    await tools.done(tools.admin.post(services, { metadata: { name: "v1beta1.metrics.k8s.io" }, spec }));
    tools.cluster.metrics.set({ kind: "resource", resource: "cpu", pods: {}, value: "1" })();
    expect((await get(`${services}/v1beta1.metrics.k8s.io`)).body).toMatchObject({
      spec: { service: { name: "own" } },
    });
  });
});
