import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { PodMetricValue } from "../../../src/controllers/autoscaling/cluster-metrics.ts";
import { NodeCluster, PODS } from "../nodes/node-cluster.ts";

const AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const WEB = { app: "web" };
const CPU = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } };

let tools: NodeCluster;
beforeEach(() => {
  tools = new NodeCluster();
});
afterEach(async () => {
  await tools.cluster.close();
});

async function startVersion(kubernetesVersion: string): Promise<void> {
  await tools.cluster.close();
  tools = new NodeCluster(kubernetesVersion);
}

async function createDeployment(replicas: number, name = "web", labels: object = WEB): Promise<void> {
  const containers = [{ name: "main", image: "main:1", resources: { requests: { cpu: "1", memory: "100Mi" } } }];
  const spec = {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  await tools.done(
    tools.admin.post(DEPLOYMENTS, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec }),
  );
}

async function createAutoscaler(spec: object, name = "web"): Promise<void> {
  const body = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name } };
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
  await tools.done(tools.admin.post(AUTOSCALERS, { ...body, spec: { scaleTargetRef, maxReplicas: 10, ...spec } }));
}

async function look(): Promise<void> {
  await tools.advance(15);
}

function setCpu(value: PodMetricValue): () => void {
  return tools.cluster.metrics.set({ kind: "resource", resource: "cpu", pods: { labels: WEB }, value });
}

async function replicas(): Promise<unknown> {
  return ((await tools.admin.get(`${DEPLOYMENTS}/web`)).body["spec"] as { readonly replicas: number }).replicas;
}

interface Status {
  readonly conditions?: readonly { readonly type: string; readonly [field: string]: string }[];
  readonly [field: string]: unknown;
}

async function statusOf(name = "web"): Promise<Status> {
  return (await tools.admin.get(`${AUTOSCALERS}/${name}`)).body["status"] as Status;
}

async function condition(type: string, name = "web"): Promise<string | undefined> {
  const found = (await statusOf(name)).conditions?.find((each) => each.type === type);
  return found === undefined
    ? undefined
    : `${found["status"] ?? ""} ${found["reason"] ?? ""}: ${found["message"] ?? ""}`;
}

describe("an autoscaler", () => {
  it("scales its target after 15 seconds, and reports what it saw", async () => {
    await createDeployment(2);
    await createAutoscaler({ metrics: [CPU] });
    setCpu("750m");
    await tools.advance(14);
    expect(await replicas()).toBe(2);
    await tools.advance(1);
    expect(await replicas()).toBe(3);
    expect(await statusOf()).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 3,
      lastScaleTime: "2026-01-01T00:00:15Z",
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 75, averageValue: "750m" } } },
      ],
    });
    expect(await condition("AbleToScale")).toBe(
      "True SucceededRescale: the HPA controller was able to update the target scale to 3",
    );
    expect(await condition("ScalingActive")).toBe(
      "True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)",
    );
    expect(await condition("ScalingLimited")).toBe(
      "False DesiredWithinRange: the desired count is within the acceptable range",
    );
    expect(await tools.events("web")).toContain(
      "SuccessfulRescale: New size: 3; reason: cpu resource utilization (percentage of request) above target",
    );
  });

  it("of autoscaling/v1 does the same", async () => {
    await createDeployment(2);
    const path = AUTOSCALERS.replace("/v2/", "/v1/");
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const spec = { scaleTargetRef, maxReplicas: 10, targetCPUUtilizationPercentage: 50 };
    await tools.done(tools.admin.post(path, { metadata: { name: "web" }, spec }));
    setCpu("750m");
    await look();
    expect(await replicas()).toBe(3);
    expect((await tools.admin.get(`${path}/web`)).body["status"]).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 3,
      currentCPUUtilizationPercentage: 75,
    });
  });

  it.each([
    ["450m", 2],
    ["549m", 2],
    ["560m", 3],
  ])(
    "with a usage of %s of a target of 500m wants %j replicas: small differences are tolerated",
    async (value, wanted) => {
      await createDeployment(2);
      await createAutoscaler({ metrics: [CPU] });
      setCpu(value);
      await look();
      expect(await replicas()).toBe(wanted);
    },
  );

  it("that was created again waits for a whole period of its own before 1.37, and then looks every 15 seconds", async () => {
    await startVersion("1.36");
    await createDeployment(2);
    await createAutoscaler({ maxReplicas: 1 });
    await tools.advance(10);
    await tools.done(tools.admin.delete(`${AUTOSCALERS}/web`));
    await createAutoscaler({ maxReplicas: 1 });
    await tools.advance(14);
    expect(await replicas()).toBe(2);
    await tools.advance(1);
    expect(await replicas()).toBe(1);
    await tools.done(tools.admin.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 3 } }));
    await tools.advance(14);
    expect(await replicas()).toBe(3);
    await tools.advance(1);
    expect(await replicas()).toBe(1);
  });

  it("looks when it is created and when its spec changes since 1.37, and every 15 seconds", async () => {
    await createDeployment(3);
    await createAutoscaler({ maxReplicas: 2 });
    expect(await replicas()).toBe(2);
    expect(await statusOf()).toMatchObject({ observedGeneration: 1 });
    await tools.done(tools.admin.patch(`${AUTOSCALERS}/web`, { spec: { maxReplicas: 1 } }));
    expect(await replicas()).toBe(1);
    expect(await statusOf()).toMatchObject({ observedGeneration: 2 });
    await tools.done(tools.admin.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 3 } }));
    await tools.advance(14);
    expect(await replicas()).toBe(3);
    await tools.advance(1);
    expect(await replicas()).toBe(1);
  });

  it("scales from zero if it removed the last replica itself", async () => {
    await createDeployment(1);
    const metric = { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "10" } };
    const down = { scaleDown: { stabilizationWindowSeconds: 0 } };
    tools.cluster.metrics.set({ kind: "external", metric: "queue", value: "0" });
    await createAutoscaler({ metrics: [{ type: "External", external: metric }], minReplicas: 0, behavior: down });
    expect(await replicas()).toBe(0);
    expect(await condition("ScaledToZero")).toBe("True ScaledToZero: the HPA controller scaled the workload to zero");
    tools.cluster.metrics.set({ kind: "external", metric: "queue", value: "20" });
    await look();
    expect(await replicas()).toBe(2);
    expect(await condition("ScaledToZero")).toBe(
      "False NotScaledToZero: the HPA controller did not scale the workload to zero",
    );
    await tools.done(tools.admin.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 0 } }));
    await look();
    expect(await replicas()).toBe(0);
    expect(await condition("ScalingActive")).toContain("False ScalingDisabled");
  });

  it("keeps to its bounds, and doubles its target at most", async () => {
    await createDeployment(1);
    setCpu("5");
    await createAutoscaler({ metrics: [CPU], minReplicas: 3, maxReplicas: 7 });
    expect(await replicas()).toBe(3);
    expect(await tools.events("web")).toContain(
      "SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas",
    );
    await look();
    expect(await replicas()).toBe(6);
    expect(await condition("ScalingLimited")).toBe(
      "True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate",
    );
    await look();
    expect(await replicas()).toBe(7);
    expect(await condition("ScalingLimited")).toBe(
      "True TooManyReplicas: the desired replica count is more than the maximum replica count",
    );
    await tools.done(tools.admin.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 9 } }));
    await look();
    expect(await replicas()).toBe(7);
    expect(await tools.events("web")).toContain(
      "SuccessfulRescale: New size: 7; reason: Current number of replicas above Spec.MaxReplicas",
    );
  });

  it("scales down when the highest recommendation of five minutes allows it", async () => {
    await createDeployment(4);
    await createAutoscaler({ metrics: [CPU] });
    setCpu("500m");
    await look();
    setCpu("100m");
    await look();
    expect(await replicas()).toBe(4);
    expect(await condition("AbleToScale")).toBe(
      "True ScaleDownStabilized: recent recommendations were higher than current one, applying the highest recent recommendation",
    );
    for (let looks = 0; looks < 19; looks++) await look();
    expect(await replicas()).toBe(4);
    await look();
    expect(await replicas()).toBe(1);
    expect(await tools.events("web")).toContain("SuccessfulRescale: New size: 1; reason: All metrics below target");
    await look();
    expect(await condition("AbleToScale")).toBe("True ReadyForNewScale: recommended size matches current size");
  });

  it("follows the policies and windows of its behavior", async () => {
    const up = { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] };
    const down = { stabilizationWindowSeconds: 0, policies: [{ type: "Percent", value: 50, periodSeconds: 60 }] };
    await createDeployment(2);
    await createAutoscaler({ metrics: [CPU], behavior: { scaleUp: up, scaleDown: down } });
    const remove = setCpu("5");
    await look();
    expect(await replicas()).toBe(3);
    await look();
    expect(await replicas()).toBe(3);
    expect(await condition("ScalingLimited")).toBe(
      "True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate",
    );
    await tools.advance(45);
    expect(await replicas()).toBe(4);
    remove();
    setCpu("10m");
    await look();
    // Four minus the replica that was added within the minute, times a half.
    expect(await replicas()).toBe(1);
  });

  it.each([
    ["disabled", { selectPolicy: "Disabled" }, 2],
    [
      "limited to the smallest change",
      {
        selectPolicy: "Min",
        policies: [
          { type: "Pods", value: 1, periodSeconds: 15 },
          { type: "Percent", value: 200, periodSeconds: 15 },
        ],
      },
      3,
    ],
    ["tolerant", { tolerance: "9" }, 2],
  ])("whose increases are %s scales accordingly", async (_title, scaleUp, wanted) => {
    await createDeployment(2);
    await createAutoscaler({ metrics: [CPU], behavior: { scaleUp } });
    setCpu("3");
    await look();
    expect(await replicas()).toBe(wanted);
  });

  it("is disabled while its target has no replicas", async () => {
    await createDeployment(0);
    await createAutoscaler({ metrics: [CPU] });
    await look();
    expect(await replicas()).toBe(0);
    expect(await condition("ScalingActive")).toBe(
      "False ScalingDisabled: scaling is disabled since the replica count of the target is zero",
    );
  });
});

describe("an autoscaler that cannot scale", () => {
  it("reports a missing target", async () => {
    await createAutoscaler({ metrics: [CPU] });
    await look();
    const message = 'deployments.apps "web" not found';
    expect(await condition("AbleToScale")).toBe(
      `False FailedGetScale: the HPA controller was unable to get the target's current scale: ${message}`,
    );
    expect(await tools.events("web")).toEqual([`FailedGetScale: ${message}`]);
  });

  it("reports a kind that is not served", async () => {
    await createAutoscaler({
      metrics: [CPU],
      scaleTargetRef: { apiVersion: "example.com/v1", kind: "Farm", name: "a" },
    });
    await look();
    expect(await tools.events("web")).toEqual(['FailedGetScale: no matches for kind "Farm" in group "example.com"']);
  });

  it("reports missing metrics and requests", async () => {
    await createDeployment(1);
    await createAutoscaler({ metrics: [CPU] });
    await look();
    const failure =
      "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
    expect(await condition("ScalingActive")).toBe(
      `False FailedGetResourceMetric: the HPA was unable to compute the replica count: ${failure}`,
    );
    const events = (await tools.events("web")).filter((event) => event.startsWith("Failed"));
    expect(events.toSorted().toReversed()).toEqual([
      `FailedGetResourceMetric: ${failure}`,
      `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${failure}`,
    ]);
    expect(await statusOf()).toMatchObject({ currentReplicas: 1, desiredReplicas: 0, currentMetrics: [{ type: "" }] });
    tools.cluster.metrics.set({ kind: "resource", resource: "example.com/gpu", pods: {}, value: "1" });
    await tools.done(
      tools.admin.patch(`${AUTOSCALERS}/web`, {
        spec: { metrics: [{ type: "Resource", resource: { ...CPU.resource, name: "example.com/gpu" } }] },
      }),
    );
    await look();
    expect(await condition("ScalingActive")).toContain(
      "missing request for example.com/gpu in container main of Pod web-",
    );
  });

  it("reports pods that another one scales, too", async () => {
    await createDeployment(1);
    await createAutoscaler({ metrics: [CPU] });
    await createAutoscaler({ metrics: [CPU] }, "other");
    setCpu("1");
    await look();
    await look();
    expect(await condition("ScalingActive")).toBe(
      "False AmbiguousSelector: pods by selector app=web are controlled by more than one HPA (e.g. [default/other default/web])",
    );
  });
});

describe("the metrics of an autoscaler", () => {
  const pods = {
    type: "Pods",
    pods: { metric: { name: "load" }, target: { type: "AverageValue", averageValue: "10" } },
  };
  const object = (target: object) => ({
    type: "Object",
    object: { describedObject: { kind: "Service", name: "web" }, metric: { name: "load" }, target },
  });
  const external = (target: object) => ({
    type: "External",
    external: { metric: { name: "load", selector: { matchLabels: { queue: "a" } } }, target },
  });
  const set = (value: string): void => {
    const { metrics } = tools.cluster;
    metrics.set({ kind: "pods", metric: "load", pods: { labels: WEB }, value });
    metrics.set({
      kind: "object",
      metric: "load",
      object: { namespace: "default", kind: "Service", name: "web" },
      value,
    });
    metrics.set({ kind: "external", metric: "load", labels: { queue: "a" }, value });
    metrics.set({ kind: "external", metric: "load", labels: { queue: "b" }, value: "1000" });
  };

  it.each([
    ["of pods", pods, 4, "pods metric load"],
    ["of an object", object({ type: "Value", value: "10" }), 4, "Service metric load"],
    ["of an object by replica", object({ type: "AverageValue", averageValue: "5" }), 4, "external metric load(nil)"],
    [
      "from outside",
      external({ type: "Value", value: "10" }),
      4,
      "external metric load(&LabelSelector{MatchLabels:map[string]string{queue: a,},MatchExpressions:[]LabelSelectorRequirement{},})",
    ],
    [
      "from outside by replica",
      external({ type: "AverageValue", averageValue: "5" }),
      4,
      "external metric load(&LabelSelector{MatchLabels:map[string]string{queue: a,},MatchExpressions:[]LabelSelectorRequirement{},})",
    ],
    [
      "of a container",
      {
        type: "ContainerResource",
        containerResource: { name: "cpu", container: "main", target: { type: "AverageValue", averageValue: "500m" } },
      },
      4,
      "cpu resource",
    ],
  ])("%s scale the target", async (_title, metric, wanted, name) => {
    await createDeployment(2);
    await createAutoscaler({ metrics: [metric] });
    set("20");
    tools.cluster.metrics.set({ kind: "resource", resource: "cpu", pods: {}, container: "main", value: "1" });
    await look();
    expect(await replicas()).toBe(wanted);
    expect(await tools.events("web")).toContain(
      `SuccessfulRescale: New size: ${String(wanted)}; reason: ${name} above target`,
    );
  });

  it.each([
    [
      "of pods",
      pods,
      "unable to get metric load: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    ],
    [
      "of an object",
      object({ type: "Value", value: "10" }),
      "unable to get metric load on Service default/web: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    ],
    [
      "from outside",
      external({ type: "Value", value: "10" }),
      "unable to get external metric default/load/&LabelSelector{MatchLabels:map[string]string{queue: a,},MatchExpressions:[]LabelSelectorRequirement{},}: " +
        "unable to fetch metrics from external metrics API: the server could not find the requested resource (get load.external.metrics.k8s.io)",
    ],
  ])("%s are reported if they are missing", async (_title, metric, message) => {
    await createDeployment(1);
    await createAutoscaler({ metrics: [metric] });
    await look();
    expect(await condition("ScalingActive")).toContain(`the HPA was unable to compute the replica count: ${message}`);
  });

  it("do not scale down if one of them is missing, and scale up if it is", async () => {
    await createDeployment(2);
    const down = { scaleDown: { stabilizationWindowSeconds: 0 } };
    await createAutoscaler({ metrics: [CPU, pods], behavior: down });
    setCpu("100m");
    await look();
    expect(await replicas()).toBe(2);
    expect(await condition("ScalingActive")).toContain("False FailedGetPodsMetric");
    setCpu("1");
    await look();
    expect(await replicas()).toBe(4);
    expect(await statusOf()).toMatchObject({ currentMetrics: [{ type: "Resource" }, { type: "" }] });
  });

  it("count pods without them as idle for an increase, and as busy for a decrease", async () => {
    await createDeployment(4);
    await createAutoscaler({ metrics: [CPU], behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } });
    const names = (
      (await tools.admin.get(PODS)).body["items"] as { readonly metadata: { readonly name: string } }[]
    ).map(({ metadata }) => metadata.name);
    const [first = "", second = ""] = names;
    const remove = setCpu(({ metadata }) => (metadata.name === first ? "3" : undefined));
    await look();
    // 300 % of one pod are 75 % of four.
    expect(await replicas()).toBe(6);
    await tools.done(tools.admin.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 4 } }));
    remove();
    setCpu(({ metadata }) => (metadata.name === first || metadata.name === second ? "100m" : undefined));
    await look();
    expect(await replicas()).toBe(4);
  });
});
