import { afterEach, describe, expect, it } from "vitest";

import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const clusters: EmbeddedCluster[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});

type Send = (method: string, path: string, body?: object) => Promise<{ readonly code: number; readonly body: Json }>;
type Json = Readonly<Record<string, unknown>>;

const POD = "/api/v1/namespaces/default/pods/p";
const BUDGET = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b";

async function start(pod: object, budget: { readonly spec?: object; readonly status?: object }): Promise<Send> {
  const cluster = createEmbeddedCluster({
    lifecycleControllers: false,
    tokens: [{ token: "x", name: "root", groups: ["system:masters"] }],
  });
  clusters.push(cluster);
  const send: Send = async (method, path, body) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { authorization: "Bearer x", "content-type": type };
    const response = await cluster.server.handle(
      new Request(`http://in.process${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return { code: response.status, body: (await response.json()) as Json };
  };
  const collection = (path: string): string => path.slice(0, path.lastIndexOf("/"));
  const spec = { containers: [{ name: "a", image: "a" }] };
  await send("POST", collection(POD), {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", labels: { a: "b" } },
    spec,
  });
  await send("PATCH", `${POD}/status`, { status: pod });
  const selector = { matchLabels: { a: "b" } };
  await send("POST", collection(BUDGET), {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "b" },
    spec: { minAvailable: 1, selector, ...budget.spec },
  });
  await send("PATCH", `${BUDGET}/status`, {
    status: { expectedPods: 1, currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, ...budget.status },
  });
  return send;
}

const evict = async (send: Send) =>
  send("POST", `${POD}/eviction`, {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: "p", namespace: "default" },
  });
const READY = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const UNREADY = { phase: "Running", conditions: [{ type: "Ready", status: "False" }] };

describe("an eviction", () => {
  it("waits for the controller of the budget", async () => {
    const { code, body } = await evict(await start(READY, { status: { observedGeneration: 0 } }));
    expect(code).toBe(429);
    expect(body["details"]).toEqual({
      causes: [
        { reason: "DisruptionBudget", message: "The disruption budget b is still being processed by the server." },
      ],
      retryAfterSeconds: 10,
    });
  });

  it("takes one disruption from the budget, and names the pod in it", async () => {
    const send = await start(READY, { status: { observedGeneration: 1, disruptionsAllowed: 2 } });
    expect((await evict(send)).code).toBe(201);
    expect((await send("GET", POD)).code).toBe(404);
    expect((await send("GET", BUDGET)).body["status"]).toMatchObject({
      disruptionsAllowed: 1,
      disruptedPods: { p: expect.any(String) },
    });
  });

  it.each([
    ["an unready pod of a healthy budget", UNREADY, {}, 201],
    ["an unready pod of a disrupted budget", UNREADY, { status: { observedGeneration: 1, currentHealthy: 0 } }, 429],
    [
      "an unready pod whose budget always allows it",
      UNREADY,
      { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" }, status: { currentHealthy: 0 } },
      201,
    ],
    ["a pod that has ended", { phase: "Succeeded" }, {}, 201],
    ["a pod of no budget", READY, { spec: { selector: { matchLabels: { other: "x" } } } }, 201],
  ])("of %s has the status %4$d", async (_title, pod, budget, code) => {
    expect((await evict(await start(pod, budget))).code).toBe(code);
  });
});
