import type { FlagRow } from "../flag-row.ts";
import { objectOf, type Json, type RowContext } from "../row.ts";
import { MERGE } from "./job-steps.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const SELECTOR = {
  matchLabels: { b: "1", a: "<&>" },
  matchExpressions: [{ key: "tier", operator: "In", values: ["a"] }],
};
const SERVICE = { apiVersion: "v1", kind: "Service", name: "web" };
const METRICS: readonly Json[] = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
  { type: "Resource", resource: { name: "cpu", target: { type: "AverageValue", averageValue: "100m" } } },
  { type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization: 50 } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "main", target: { type: "Utilization", averageUtilization: 5 } },
  },
  {
    type: "Pods",
    pods: { metric: { name: "rps", selector: SELECTOR }, target: { type: "AverageValue", averageValue: "1500m" } },
  },
  {
    type: "Object",
    object: { describedObject: SERVICE, metric: { name: "load" }, target: { type: "Value", value: "10" } },
  },
  {
    type: "Object",
    object: {
      describedObject: SERVICE,
      metric: { name: "load", selector: {} },
      target: { type: "AverageValue", averageValue: "10" },
    },
  },
  {
    type: "External",
    external: { metric: { name: "queue", selector: SELECTOR }, target: { type: "Value", value: "1e3" } },
  },
  { type: "External", external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "2Ki" } } },
];
const BEHAVIOR: Json = {
  scaleUp: {
    stabilizationWindowSeconds: 5,
    selectPolicy: "Min",
    policies: [{ type: "Pods", value: 1, periodSeconds: 60 }],
    tolerance: "0.1",
  },
  scaleDown: { selectPolicy: "Disabled" },
};
const CURRENT: readonly Json[] = [
  { type: "Resource", resource: { name: "cpu", current: { averageValue: "100m", averageUtilization: 40 } } },
  { type: "Resource", resource: { name: "cpu", current: { averageValue: "100m", averageUtilization: 41 } } },
  { type: "Resource", resource: { name: "memory", current: { averageValue: "0" } } },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "main", current: { averageUtilization: 7, averageValue: "1" } },
  },
  { type: "Pods", pods: { metric: { name: "rps" }, current: { averageValue: "3" } } },
  { type: "Object", object: { describedObject: SERVICE, metric: { name: "load" }, current: { value: "7" } } },
  {
    type: "Object",
    object: { describedObject: SERVICE, metric: { name: "load" }, current: { value: "8", averageValue: "7" } },
  },
  {
    type: "External",
    external: { metric: { name: "queue", selector: SELECTOR }, current: { value: "1", averageValue: "2" } },
  },
];
const CONDITIONS: readonly Json[] = [
  {
    type: "AbleToScale",
    status: "True",
    lastTransitionTime: "2026-01-01T00:00:00Z",
    reason: "Ready",
    message: "a < b",
  },
  { type: "ScalingActive", status: "Unknown" },
];
const TARGET = { apiVersion: "apps/v1", kind: "Deployment", name: "a" };

/** Annotations of `v1`, by the title of the step. */
const ANNOTATIONS: readonly (readonly [title: string, annotations: Readonly<Record<string, string>>])[] = [
  ["none", {}],
  ["others", { a: "b" }],
  [
    "all metrics",
    {
      [`${PREFIX}metrics`]: JSON.stringify([
        { type: "Resource", resource: { name: "memory", targetAverageUtilization: 50 } },
        { type: "Resource", resource: { name: "memory", targetAverageValue: "1.5" } },
        {
          type: "ContainerResource",
          containerResource: { name: "cpu", container: "main", targetAverageUtilization: 5 },
        },
        { type: "Pods", pods: { metricName: "rps", targetAverageValue: "10", selector: SELECTOR } },
        { type: "Object", object: { target: SERVICE, metricName: "load", targetValue: "10" } },
        { type: "Object", object: { target: SERVICE, metricName: "load", targetValue: "10", averageValue: "5" } },
        { type: "External", external: { metricName: "queue", metricSelector: SELECTOR, targetValue: "10" } },
        { type: "External", external: { metricName: "queue", targetAverageValue: "10" } },
      ]),
    },
  ],
  ["no text of JSON", { [`${PREFIX}metrics`]: "a", [`${PREFIX}behavior`]: "a", [`${PREFIX}conditions`]: "a" }],
  ["metrics of another type", { [`${PREFIX}metrics`]: '[{"type":1}]' }],
  [
    "a metric with a wrong amount",
    { [`${PREFIX}metrics`]: '[{"type":"Pods","pods":{"metricName":"a","targetAverageValue":"x"}}]' },
  ],
  ["an empty list", { [`${PREFIX}metrics`]: "[]" }],
  ["null", { [`${PREFIX}metrics`]: "null", [`${PREFIX}behavior`]: "null", [`${PREFIX}current-metrics`]: "null" }],
  [
    "a behavior",
    {
      [`${PREFIX}behavior`]:
        '{"ScaleUp":{"SelectPolicy":"Min","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":60}]}}',
    },
  ],
  [
    "a behavior in lower case",
    { [`${PREFIX}behavior`]: '{"scaleDown":{"selectPolicy":"Max","stabilizationWindowSeconds":3}}' },
  ],
  ["an empty behavior", { [`${PREFIX}behavior`]: "{}" }],
  [
    "a wrong behavior",
    { [`${PREFIX}behavior`]: '{"ScaleUp":{"SelectPolicy":"Other","StabilizationWindowSeconds":-1}}' },
  ],
  ["a status", { [`${PREFIX}conditions`]: '[{"type":"a","status":"True"}]', [`${PREFIX}current-metrics`]: "[]" }],
  ["tolerances", { [`${PREFIX}scale-down-tolerance`]: "0.1", [`${PREFIX}scale-up-tolerance`]: "0.2" }],
];

// Since 1.37, the controller of autoscalers writes their status at once: this server has none.
export const AUTOSCALER_CONVERSION_ROWS: readonly FlagRow[] = [
  {
    row: 497,
    title: "autoscaling/v1 has the fields of v2 in annotations",
    flags: async () => await Promise.resolve([]),
    run: async (context) => {
      const { namespace } = context;
      const [v1, v2] = ["v1", "v2"].map(
        (version) => `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`,
      ) as [string, string];
      await writeInV2(context, v1, v2);
      for (const [index, [title, annotations]] of ANNOTATIONS.entries()) {
        for (const target of [undefined, 70]) {
          const name = `old-${String(index)}-${String(target ?? "none")}`;
          const spec = { scaleTargetRef: TARGET, maxReplicas: 5, targetCPUUtilizationPercentage: target };
          const step = `${title}, with ${target === undefined ? "no target" : "a target"}`;
          await noteShape(context, `${step}, created`, {
            method: "POST",
            path: v1,
            body: { metadata: { name, annotations }, spec },
          });
          await noteShape(context, `${step}, in v2`, { path: `${v2}/${name}` });
        }
      }
    },
  },
];

async function writeInV2(context: RowContext, v1: string, v2: string): Promise<void> {
  const spec = { scaleTargetRef: TARGET, minReplicas: 2, maxReplicas: 5, metrics: METRICS, behavior: BEHAVIOR };
  const annotations = { [`${PREFIX}metrics`]: "[]", a: "b" };
  await noteShape(context, "v2, created", {
    method: "POST",
    path: v2,
    body: { metadata: { name: "new", annotations }, spec },
  });
  await noteShape(context, "v2 in v1", { path: `${v1}/new` });
  const status = { currentReplicas: 1, desiredReplicas: 2, currentMetrics: CURRENT, conditions: CONDITIONS };
  await noteShape(context, "the status of v2", {
    method: "PATCH",
    path: `${v2}/new/status`,
    body: { status },
    contentType: MERGE,
  });
  await noteShape(context, "the status in v1", { path: `${v1}/new` });
  for (const [title, path, body] of [
    ["an annotation of v1", `${v1}/new`, { metadata: { annotations: { c: "d" } } }],
    ["the metrics of v1 removed", `${v1}/new`, { metadata: { annotations: { [`${PREFIX}metrics`]: null } } }],
    ["the behavior of v1 removed", `${v1}/new`, { metadata: { annotations: { [`${PREFIX}behavior`]: null } } }],
    ["the conditions of v1 removed", `${v1}/new`, { metadata: { annotations: { [`${PREFIX}conditions`]: null } } }],
    ["the target of v1 removed", `${v1}/new`, { spec: { targetCPUUtilizationPercentage: null } }],
    [
      "the conditions of v1 removed with the status",
      `${v1}/new/status`,
      { metadata: { annotations: { [`${PREFIX}conditions`]: null } } },
    ],
    ["a utilization in the status of v1", `${v1}/new/status`, { status: { currentCPUUtilizationPercentage: 9 } }],
    [
      "the current metrics of v1 removed",
      `${v1}/new/status`,
      { metadata: { annotations: { [`${PREFIX}current-metrics`]: null } } },
    ],
    [
      "metrics of v1 with the status",
      `${v1}/new/status`,
      { metadata: { annotations: { [`${PREFIX}metrics`]: '[{"type":"Resource"}]' } } },
    ],
  ] as const) {
    await noteShape(context, title, { method: "PATCH", path, body, contentType: MERGE });
    await noteShape(context, `${title}, in v2`, { path: `${v2}/new` });
  }
}

async function noteShape(
  context: RowContext,
  title: string,
  call: Parameters<RowContext["quietly"]>[0],
): Promise<void> {
  const answer = await context.quietly(call);
  const { metadata, spec, status, ...failure } = objectOf(answer);
  const annotations = (metadata as Json | undefined)?.["annotations"];
  context.note(title, {
    code: answer.status,
    ...(answer.status < 400 ? { annotations, spec, status } : { message: failure["message"] }),
  });
}
