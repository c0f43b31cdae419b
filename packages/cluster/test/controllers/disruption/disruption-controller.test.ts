import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NodeCluster, PODS } from "../nodes/node-cluster.ts";

const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const WEB = { app: "web" };

let tools: NodeCluster;
beforeEach(() => {
  tools = new NodeCluster();
});
afterEach(async () => {
  await tools.cluster.close();
});

async function createBudget(name: string, spec: object): Promise<void> {
  const body = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name } };
  await tools.done(tools.admin.post(BUDGETS, { ...body, spec: { selector: { matchLabels: WEB }, ...spec } }));
}

async function statusOf(name: string): Promise<Readonly<Record<string, unknown>>> {
  return (await tools.admin.get(`${BUDGETS}/${name}`)).body["status"] as Readonly<Record<string, unknown>>;
}

async function createDeployment(replicas: number): Promise<void> {
  const template = { metadata: { labels: WEB }, spec: { containers: [{ name: "main", image: "main:1" }] } };
  const spec = { replicas, selector: { matchLabels: WEB }, template };
  const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
  await tools.done(tools.admin.post(DEPLOYMENTS, body));
}

async function evict(name: string, more: object = {}) {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace: "default" }, ...more };
  const answer = await tools.admin.post(`${PODS}/${name}/eviction`, body);
  await tools.settle();
  return answer;
}

async function reportReady(name: string, status: "True" | "False"): Promise<void> {
  const conditions = [{ type: "Ready", status }];
  await tools.done(tools.admin.patch(`${PODS}/${name}/status`, { status: { phase: "Running", conditions } }));
}

// Its status is left to the test.
async function createIdlePod(name: string, metadata: object = {}): Promise<void> {
  await tools.createPod(name, { schedulerName: "none" }, { labels: WEB, ...metadata });
}

function sum(counts: readonly number[]): object {
  const [expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed] = counts;
  return { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed };
}

describe("the status of a budget", () => {
  it.each([
    [{ minAvailable: 2 }, [5, 5, 2, 3]],
    [{ minAvailable: "50%" }, [5, 5, 3, 2]],
    [{ maxUnavailable: 1 }, [5, 5, 4, 1]],
    [{ maxUnavailable: "30%" }, [5, 5, 3, 2]],
    [{ maxUnavailable: 7 }, [5, 5, 0, 5]],
    [{ minAvailable: 7 }, [5, 5, 7, 0]],
  ])("of a Deployment with 5 replicas and %j has the counts %j", async (spec, counts) => {
    await createDeployment(5);
    await createBudget("web", spec);
    expect(await statusOf("web")).toMatchObject(sum(counts));
  });

  it("follows pods, the spec, and the scale of their controller", async () => {
    await createDeployment(2);
    await createBudget("web", { minAvailable: "50%" });
    await tools.done(tools.admin.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 4 } }));
    expect(await statusOf("web")).toMatchObject({ ...sum([4, 4, 2, 2]), observedGeneration: 1 });
    await tools.done(tools.admin.patch(`${BUDGETS}/web`, { spec: { minAvailable: 4 } }));
    expect(await statusOf("web")).toMatchObject({ ...sum([4, 4, 4, 0]), observedGeneration: 2 });
  });

  it("has a condition whose time changes with its status only", async () => {
    await createIdlePod("a");
    await createBudget("web", { minAvailable: 0 });
    const insufficient = {
      type: "DisruptionAllowed",
      status: "False",
      reason: "InsufficientPods",
      message: "",
      observedGeneration: 1,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    expect((await statusOf("web"))["conditions"]).toEqual([insufficient]);
    await tools.advance(60);
    await reportReady("a", "True");
    const sufficient = { status: "True", reason: "SufficientPods", lastTransitionTime: "2026-01-01T00:01:00Z" };
    expect((await statusOf("web"))["conditions"]).toEqual([{ ...insufficient, ...sufficient }]);
    await tools.advance(60);
    await tools.done(tools.admin.patch(`${BUDGETS}/web`, { spec: { minAvailable: "0%", maxUnavailable: null } }));
    await tools.done(tools.admin.patch(`${BUDGETS}/web`, { spec: { minAvailable: 0 } }));
    expect((await statusOf("web"))["conditions"]).toEqual([
      { ...insufficient, ...sufficient, observedGeneration: 3, lastTransitionTime: "2026-01-01T00:02:00Z" },
    ]);
  });

  it("reports pods without a controller, whose number a percentage cannot refer to", async () => {
    await createIdlePod("constructor");
    await reportReady("constructor", "True");
    const matchExpressions = [{ key: "app", operator: "In", values: ["web", "api"] }];
    await createBudget("web", { minAvailable: "50%", selector: { matchLabels: WEB, matchExpressions } });
    expect(await statusOf("web")).toMatchObject(sum([0, 1, 0, 0]));
    expect(await tools.events("web")).toContain(
      "UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,}," +
        "MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:app,Operator:In,Values:[web api],},},}) were found to be " +
        "unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account " +
        'for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
    );
  });

  it("fails for a controller that cannot be scaled, which evictions name as the cause", async () => {
    const owner = await tools.done(
      tools.admin.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "owner" } }),
    );
    const { uid } = owner["metadata"] as { readonly uid: string };
    const controller = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller: true };
    await createBudget("web", { maxUnavailable: 1 });
    await createIdlePod("a", { ownerReferences: [controller] });
    await reportReady("a", "True");
    const message = "configmaps does not implement the scale subresource";
    expect(await statusOf("web")).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: "False", reason: "SyncFailed", message }],
    });
    expect(await tools.events("web")).toContain(
      `CalculateExpectedPodCountFailed: Failed to calculate the number of expected pods: ${message}`,
    );
    const cause = `The disruption budget web does not allow evicting pods currently because it failed sync: ${message}`;
    expect((await evict("a")).body["details"]).toMatchObject({ causes: [{ message: cause }] });
  });

  it("counts the replicas of a custom resource by its scale", async () => {
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const names = { plural: "farms", kind: "Farm" };
    await tools.done(
      tools.admin.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "farms.example.com" },
        spec: {
          group: "example.com",
          scope: "Namespaced",
          names,
          versions: [{ ...version, subresources: { status: {}, scale } }],
        },
      }),
    );
    const farm = { apiVersion: "example.com/v1", kind: "Farm", metadata: { name: "farm" }, spec: { replicas: 4 } };
    const stored = await tools.done(tools.admin.post("/apis/example.com/v1/namespaces/default/farms", farm));
    const { uid } = stored["metadata"] as { readonly uid: string };
    const controller = { apiVersion: "example.com/v1", kind: "Farm", name: "farm", uid, controller: true };
    await createIdlePod("a", { ownerReferences: [controller] });
    await reportReady("a", "True");
    await createBudget("web", { minAvailable: "25%" });
    expect(await statusOf("web")).toMatchObject(sum([4, 1, 1, 0]));
  });
});

describe("evictions", () => {
  it("spend the budget until no pod is left over", async () => {
    for (const name of ["a", "b"]) {
      await createIdlePod(name);
      await reportReady(name, "True");
    }
    await createBudget("web", { minAvailable: 1 });
    expect((await evict("a")).status).toBe(201);
    expect(await statusOf("web")).toMatchObject({ ...sum([1, 1, 1, 0]) });
    expect(await statusOf("web")).not.toHaveProperty("disruptedPods");
    const refused = await evict("b");
    expect(refused).toMatchObject({ status: 429, body: { reason: "TooManyRequests" } });
    expect(refused.body["details"]).toEqual({
      causes: [
        { reason: "DisruptionBudget", message: "The disruption budget web needs 1 healthy pods and has 1 currently" },
      ],
    });
  });

  it("that delete nothing are forgotten after two minutes, and the mark of the pod is reset", async () => {
    await createIdlePod("a");
    await reportReady("a", "True");
    await createBudget("web", { minAvailable: 0 });
    const since = "2026-01-01T00:00:00Z";
    const disruptedPods = { disruptedPods: { a: since } };
    await tools.done(tools.admin.patch(`${BUDGETS}/web/status`, { status: disruptedPods }));
    const target = {
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      lastTransitionTime: since,
    };
    const conditions = [{ type: "Ready", status: "True" }, target];
    await tools.done(tools.admin.patch(`${PODS}/a/status`, { status: { conditions } }));
    expect(await statusOf("web")).toMatchObject({ ...sum([1, 0, 0, 0]), ...disruptedPods });
    await tools.advance(119);
    expect(await statusOf("web")).toMatchObject(disruptedPods);
    expect(await tools.conditionOf("a", "DisruptionTarget")).toBe("True EvictionByEvictionAPI");
    await tools.advance(1);
    expect(await statusOf("web")).toMatchObject(sum([1, 1, 0, 1]));
    expect(await tools.events("a")).toContain(
      "NotDeleted: Pod was expected by PDB default/default to be deleted but it wasn't",
    );
    expect(await tools.conditionOf("a", "DisruptionTarget")).toBe("False");
  });

  it("of a pod that two budgets select fail, and its events say so", async () => {
    await createBudget("first", { minAvailable: 0 });
    await createBudget("second", { minAvailable: 0 });
    await createIdlePod("a");
    await reportReady("a", "True");
    expect((await evict("a")).status).toBe(500);
    expect(await tools.events("a")).toContain(
      'MultiplePodDisruptionBudgets: Pod "default"/"a" matches multiple PodDisruptionBudgets.  Chose "first" arbitrarily.',
    );
  });
});
