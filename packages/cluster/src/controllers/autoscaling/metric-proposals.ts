import type { Release } from "@kubescaffold/apiserver/cluster-api";
import { formatQuantity, type QuantityFormat } from "@kubescaffold/k8s";
import type { MetricSpec, MetricStatus, MetricTarget, MetricValueStatus } from "@kubescaffold/k8s/autoscaling/v2";

import { selectorText } from "../selector-text.ts";
import { type MetricStore, milliValue } from "./cluster-metrics.ts";
import {
  type CountInput,
  countByAverage,
  countByShare,
  countByUtilization,
  countByValue,
  type ReplicaCount,
} from "./replica-count.ts";

/** What one metric of an autoscaler proposes, or why it proposes nothing. */
export type MetricProposal =
  | {
      readonly kind: "proposed";
      readonly replicas: number;
      /** The metric, as events name it. */
      readonly name: string;
      readonly status: MetricStatus;
    }
  | {
      readonly kind: "failed";
      /** The reason of the event and of the condition. */
      readonly reason: string;
      readonly message: string;
      /** The message with the metric, for the autoscaler as a whole. */
      readonly summary: string;
    };

/** Inputs of the proposals of all metrics. */
export interface ProposalInput extends CountInput {
  readonly metrics: MetricStore;
  readonly namespace: string;
  readonly statusReplicas: number;
  readonly release: Pick<Release, "since">;
}

/** Returns how many replicas a metric proposes. */
export function proposeReplicas(input: ProposalInput, spec: MetricSpec): MetricProposal {
  if (spec.resource !== undefined) return resourceProposal(input, spec.resource);
  if (spec.containerResource !== undefined) return resourceProposal(input, spec.containerResource);
  if (spec.pods !== undefined) return podsProposal(input, spec.pods);
  if (spec.object !== undefined) return objectProposal(input, spec.object);
  if (spec.external !== undefined) return externalProposal(input, spec.external);
  const message = `unknown metric source type ${JSON.stringify(spec.type)}`;
  return { kind: "failed", reason: "InvalidMetricSourceType", message, summary: message };
}

type Source<Field extends keyof MetricSpec> = NonNullable<Exclude<MetricSpec[Field], string>>;

function resourceProposal(
  input: ProposalInput,
  source: Source<"resource"> & { readonly container?: string },
): MetricProposal {
  const { name, container, target } = source;
  const fail = (message: string): MetricProposal => ({
    kind: "failed",
    reason: container === undefined ? "FailedGetResourceMetric" : "FailedGetContainerResourceMetric",
    message,
    summary:
      container === undefined
        ? `failed to get ${name} resource metric value: ${message}`
        : `failed to get ${container} container metric value: ${message}`,
  });
  const wanted = target.averageValue === undefined ? "utilization" : "usage";
  const values = input.metrics.resourceUsage(input.pods, name, container);
  const missing = values.size > 0 ? undefined : missingResourceMetrics(input.metrics);
  if (missing !== undefined)
    return fail(
      `failed to get ${name} ${wanted}: unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${missing}`,
    );
  const counted =
    target.averageValue === undefined
      ? countByUtilization(input, values, { utilization: target.averageUtilization ?? 0, resource: name, container })
      : countByAverage(input, values, { value: milliValue(target.averageValue), resource: name });
  if (counted.kind === "unknown") return fail(`failed to get ${name} ${wanted}: ${counted.message}`);
  const current = currentUsage(counted, name === "memory" ? "BinarySI" : "DecimalSI");
  const suffix =
    target.averageValue !== undefined
      ? "resource"
      : `${container === undefined ? "" : "container "}resource utilization (percentage of request)`;
  return {
    kind: "proposed",
    replicas: counted.replicas,
    name: `${name} ${suffix}`,
    status:
      container === undefined
        ? { type: "Resource", resource: { name, current } }
        : { type: "ContainerResource", containerResource: { name, container, current } },
  };
}

function missingResourceMetrics(metrics: MetricStore): string {
  return metrics.has("resource")
    ? "no metrics returned from resource metrics API"
    : "the server could not find the requested resource (get pods.metrics.k8s.io)";
}

type Counted = Extract<ReplicaCount, { readonly kind: "counted" }>;

function currentUsage({ usage, utilization }: Counted, format: QuantityFormat): MetricValueStatus {
  return {
    averageValue: formatQuantity({ unscaled: BigInt(usage), scale: -3, format }),
    ...(utilization === undefined ? {} : { averageUtilization: utilization }),
  };
}

function podsProposal(input: ProposalInput, { metric, target }: Source<"pods">): MetricProposal {
  const fail = (message: string): MetricProposal => ({
    kind: "failed",
    reason: "FailedGetPodsMetric",
    message,
    summary: `failed to get pods metric value: ${message}`,
  });
  const values = input.metrics.podMetric(input.pods, metric.name, metric.selector);
  if (values.size === 0)
    return fail(
      `unable to get metric ${metric.name}: ${missingCustomMetric(input.metrics, "no metrics returned from custom metrics API")}`,
    );
  const counted = countByAverage(input, values, { value: targetValue(target), resource: "" });
  if (counted.kind === "unknown") return fail(counted.message);
  const current = currentUsage(counted, "DecimalSI");
  const status: MetricStatus = { type: "Pods", pods: { metric, current } };
  return { kind: "proposed", replicas: counted.replicas, name: `pods metric ${metric.name}`, status };
}

function missingCustomMetric(metrics: MetricStore, message: string): string {
  if (metrics.has("pods", "object")) return message;
  return "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered";
}

function targetValue({ averageValue, value }: MetricTarget): number {
  return milliValue(averageValue ?? value ?? "0");
}

function objectProposal(input: ProposalInput, { describedObject, metric, target }: Source<"object">): MetricProposal {
  const isShare = target.averageValue !== undefined;
  const { kind } = describedObject;
  const usage = input.metrics.objectMetric(
    { ...describedObject, namespace: input.namespace },
    metric.name,
    metric.selector,
  );
  const counted: ReplicaCount =
    usage === undefined
      ? { kind: "unknown", message: objectMetricFailure(input, describedObject, metric.name) }
      : countShared(input, usage, target);
  if (counted.kind === "unknown") {
    const { message } = counted;
    const text = isShare ? `failed to get ${metric.name} object metric: ${message}` : message;
    return {
      kind: "failed",
      reason: "FailedGetObjectMetric",
      message,
      summary: `failed to get object metric value: ${text}`,
    };
  }
  return {
    kind: "proposed",
    replicas: counted.replicas,
    name: isShare ? externalName(metric) : `${kind} metric ${metric.name}`,
    status: { type: "Object", object: { describedObject, metric, current: sharedUsage(counted, target) } },
  };
}

// Before 1.37, kube-controller-manager mixes up the parts of the text.
function objectMetricFailure(
  input: ProposalInput,
  object: Source<"object">["describedObject"],
  metric: string,
): string {
  const { kind, name } = object;
  const cause = missingObjectMetric(input, object, metric);
  return input.release.since("1.37")
    ? `unable to get metric ${metric} on ${kind} ${input.namespace}/${name}: ${cause}`
    : `unable to get metric ${metric}: ${kind} on ${input.namespace} ${name}/${cause}`;
}

function missingObjectMetric(
  { metrics }: ProposalInput,
  { kind, name }: Source<"object">["describedObject"],
  metric: string,
): string {
  const message = `unable to fetch metrics from custom metrics API: the server could not find the metric ${metric} for ${kind} ${name}`;
  return missingCustomMetric(metrics, message);
}

function countShared(input: ProposalInput, usage: number, target: MetricTarget): ReplicaCount {
  return target.averageValue === undefined
    ? countByValue(input, usage, targetValue(target))
    : countByShare(input, usage, { share: targetValue(target), statusReplicas: input.statusReplicas });
}

function sharedUsage({ usage }: Counted, target: MetricTarget): MetricValueStatus {
  const quantity = formatQuantity({ unscaled: BigInt(usage), scale: -3, format: "DecimalSI" });
  return target.averageValue === undefined ? { value: quantity } : { averageValue: quantity };
}

function externalName({ name, selector }: Source<"external">["metric"]): string {
  return `external metric ${name}(${selectorText(selector)})`;
}

function externalProposal(input: ProposalInput, { metric, target }: Source<"external">): MetricProposal {
  const { name, selector } = metric;
  const values = input.metrics.externalMetric(input.namespace, name, selector);
  const counted: ReplicaCount =
    values.length === 0
      ? {
          kind: "unknown",
          message: `unable to get external metric ${input.namespace}/${name}/${selectorText(selector)}: ${missingExternalMetric(input.metrics, name)}`,
        }
      : countShared(
          input,
          values.reduce((sum, value) => sum + value, 0),
          target,
        );
  if (counted.kind === "unknown") {
    const { message } = counted;
    const inner =
      target.averageValue === undefined
        ? `failed to get external metric ${name}: ${message}`
        : `failed to get ${name} external metric: ${message}`;
    return {
      kind: "failed",
      reason: "FailedGetExternalMetric",
      message,
      summary: `failed to get ${name} external metric value: ${inner}`,
    };
  }
  const status: MetricStatus = { type: "External", external: { metric, current: sharedUsage(counted, target) } };
  return { kind: "proposed", replicas: counted.replicas, name: externalName(metric), status };
}

function missingExternalMetric(metrics: MetricStore, name: string): string {
  return metrics.has("external")
    ? "no metrics returned from external metrics API"
    : `unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
}
