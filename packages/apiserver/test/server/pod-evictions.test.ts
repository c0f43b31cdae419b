import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it } from "vitest";

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

const evict = async (send: Send, deleteOptions: object = {}) =>
  send("POST", `${POD}/eviction`, {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: "p", namespace: "default" },
    deleteOptions,
  });
const READY = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const UNREADY = { phase: "Running", conditions: [{ type: "Ready", status: "False" }] };

const timed = (condition: object): object => ({ ...condition, lastTransitionTime: "2026-01-01T00:00:00Z" });

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

  it("of the last allowed pod says so in the budget", async () => {
    const send = await start(READY, { status: { observedGeneration: 1, disruptionsAllowed: 1 } });
    await evict(send);
    expect((await send("GET", BUDGET)).body["status"]).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", observedGeneration: 1 }],
    });
  });

  it("is refused with the failure of the budget's controller", async () => {
    const [time, message] = ["2026-01-01T00:00:00Z", 'found no controllers for pod "p"'];
    const condition = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message };
    const conditions = [{ ...condition, lastTransitionTime: time }];
    const { code, body } = await evict(await start(READY, { status: { observedGeneration: 1, conditions } }));
    expect(code).toBe(429);
    expect(body["details"]).toMatchObject({
      causes: [
        {
          message:
            'The disruption budget b does not allow evicting pods currently because it failed sync: found no controllers for pod "p"',
        },
      ],
    });
  });

  it.each([
    ["spare pods without an explanation", [], "The disruption budget b does not allow evicting pods currently"],
    [
      "spare pods and an explanation",
      [{ type: "DisruptionAllowed", status: "False", reason: "Paused", message: "not now" }],
      "The disruption budget b does not allow evicting pods currently (Paused): not now",
    ],
  ])("of %s is refused", async (_title, conditions, message) => {
    const status = { observedGeneration: 1, currentHealthy: 2, conditions: conditions.map(timed) };
    const { body } = await evict(await start(READY, { status }));
    expect(body["details"]).toMatchObject({ causes: [{ message }] });
  });

  it("is refused while 2000 evicted pods are not deleted", async () => {
    const time = "2026-01-01T00:00:00Z";
    const disruptedPods = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`p-${String(index)}`, time]));
    const status = { observedGeneration: 1, disruptionsAllowed: 1, disruptedPods };
    expect(await evict(await start(READY, { status }))).toMatchObject({
      code: 403,
      body: {
        message:
          'poddisruptionbudget.policy "b" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
      },
    });
  });

  it.each([
    ["a running pod", READY],
    ["a pending pod", { phase: "Pending" }],
  ])("of %s with another version than the expected one fails", async (_title, pod) => {
    const send = await start(pod, { status: { observedGeneration: 1, disruptionsAllowed: 2 } });
    const { metadata } = (await send("GET", POD)).body as { readonly metadata: { readonly resourceVersion: string } };
    const other = await evict(send, { preconditions: { resourceVersion: "1" } });
    expect(other.code).toBe(409);
    expect(other.body["message"]).toBe(
      `Operation cannot be fulfilled on Pod "p": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
    expect((await evict(send, { preconditions: { resourceVersion: metadata.resourceVersion } })).code).toBe(201);
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
