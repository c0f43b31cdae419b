import { SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { describe, expect, it, onTestFinished } from "vitest";

import { loadRelease, type Release } from "../../../apiserver/src/release/release.ts";
import { type Requests, requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createClusterOf } from "../../src/cluster/embedded-cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

interface Refusal {
  readonly message: string | undefined;
  readonly causes: readonly object[] | undefined;
}

const ACCEPTED: Refusal = { message: undefined, causes: undefined };

describe.each(SUPPORTED_MINORS)("the rules of running Pods of Kubernetes %s", (minor) => {
  it.each([
    {
      title: "too small",
      labels: {},
      cpu: "5",
      message: "node didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 2000",
      reason: "NodeCapacity",
    },
    {
      title: "of another system",
      labels: { "kubernetes.io/os": "windows" },
      cpu: "2",
      message: 'pod resize is only supported on linux nodes, node "n" is "windows"',
      reason: "UnsupportedPlatform",
    },
  ])("since 1.36 refuse the resize of a Pod whose Node is $title", async ({ labels, cpu, message, reason }) => {
    const { admin, release } = await start(minor);
    const { requests, ...refusal } = await resize(admin, labels, cpu);
    const whole = `pods "p" is forbidden: ${message}`;
    expect(refusal).toEqual(release.since("1.36") ? { message: whole, causes: [{ reason }] } : ACCEPTED);
    expect(requests).toBe(release.since("1.36") ? undefined : cpu);
  });

  it("refuse a resize that takes a feature which the Node does not declare", async () => {
    const { admin, release } = await start(minor);
    const { message = "" } = await resize(admin, {}, "1", "2");
    expect(message.includes("pod update requires features InPlacePodVerticalScalingInitContainers")).toBe(
      release.isEnabled("NodeDeclaredFeatures") && release.isEnabled("InPlacePodVerticalScalingInitContainers"),
    );
  });

  it("since 1.37 give the cause of a refused eviction", async () => {
    const { admin, release } = await start(minor);
    const labels = { app: "a" };
    await admin.post(PODS, { metadata: { name: "p", labels }, spec: { containers: [{ name: "c", image: "i" }] } });
    await admin.patch(`${PODS}/p/status`, { status: { phase: "Running", conditions: [READY] } });
    await admin.post(BUDGETS, { metadata: { name: "b" }, spec: { selector: { matchLabels: labels } } });
    const names = Array.from({ length: 2001 }, (_, index) => [`p-${String(index)}`, "2026-01-01T00:00:00Z"]);
    const counts = { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 };
    const status = { ...counts, disruptionsAllowed: 1, disruptedPods: Object.fromEntries(names) as object };
    await admin.patch(`${BUDGETS}/b/status`, { status });
    const answer = await admin.post(`${PODS}/p/eviction`, { metadata: { name: "p" } });
    const whole =
      "The disruption budget b does not allow evicting pods currently: too many pending evictions not confirmed by PDB controller";
    expect(refusalOf(answer.body)).toEqual({
      message:
        'poddisruptionbudget.policy "b" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller',
      causes: release.since("1.37") ? [{ reason: "DisruptionBudget", message: whole }] : undefined,
    });
  });
});

const READY = { type: "Ready", status: "True" };

async function start(minor: string): Promise<{ readonly admin: Requests; readonly release: Release }> {
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`there is no release ${minor}`);
  const cluster = createClusterOf(release, { lifecycleControllers: false, workloadSimulation: false });
  onTestFinished(async () => await cluster.close());
  cluster.server.start();
  const admin = requestsOf(cluster.config);
  await admin.post("/api/v1/namespaces", { metadata: { name: "default" } });
  await admin.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  return { admin, release };
}

/** Resizes a Pod on a Node with two CPUs: its container, and its init container where it has one. */
async function resize(
  admin: Requests,
  labels: object,
  cpu: string,
  init?: string,
): Promise<Refusal & { readonly requests: string | undefined }> {
  await admin.post("/api/v1/nodes", { metadata: { name: "n", labels } });
  await admin.patch("/api/v1/nodes/n/status", {
    status: { allocatable: { cpu: "2", memory: "4Gi" }, capacity: { cpu: "2", memory: "4Gi" } },
  });
  const spec = (wanted: string, initial: string): object => ({
    nodeName: "n",
    containers: [{ name: "c", image: "i", resources: { requests: { cpu: wanted } } }],
    ...(init === undefined
      ? {}
      : { initContainers: [{ name: "i", image: "i", resources: { requests: { cpu: initial } } }] }),
  });
  await admin.post(PODS, { metadata: { name: "p" }, spec: spec("1", "1") });
  const { body: pod } = await admin.get(`${PODS}/p`);
  const resized = withAmounts(pod, cpu, init);
  const { body } = await admin.put(`${PODS}/p/resize`, resized);
  const containers = (body["spec"] as Resized["spec"] | undefined)?.containers;
  return { ...refusalOf(body), requests: containers?.[0]?.resources.requests.cpu };
}

interface Container {
  readonly resources: { readonly requests: { readonly cpu: string } };
}

interface Resized {
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
}

function withAmounts(pod: object, cpu: string, init: string | undefined): object {
  const { spec } = pod as Resized;
  const withCpu = (container: Container, wanted: string): Container => ({
    ...container,
    resources: { requests: { cpu: wanted } },
  });
  const initContainers = spec.initContainers?.map((each) => withCpu(each, init ?? ""));
  return {
    ...pod,
    spec: {
      ...spec,
      containers: spec.containers.map((each) => withCpu(each, cpu)),
      ...(initContainers === undefined ? {} : { initContainers }),
    },
  };
}

function refusalOf(body: Readonly<Record<string, unknown>>): Refusal {
  const { message, details } = body as {
    readonly message?: string;
    readonly details?: { readonly causes?: readonly object[] };
  };
  return { message, causes: details?.causes };
}
