import type { ApiObject, ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import { toTime } from "@kubescaffold/k8s";
import type { Node, Pod } from "@kubescaffold/k8s/core/v1";
import { addToList } from "@kubescaffold/platform";
import type { Clock } from "@kubescaffold/platform/clock";

import { NODES, PODS } from "../workload/workload-objects.ts";
import type { MetricStore } from "./cluster-metrics.ts";
import { METRICS_GROUP, METRICS_VERSION } from "./metrics-service.ts";

const API_VERSION = `${METRICS_GROUP}/${METRICS_VERSION}`;
// As often as the metrics-server measures by default.
const WINDOW = "15s";
const RESOURCES = ["cpu", "memory"] as const;

type Usage = Readonly<Record<string, string>>;

interface PodUsage {
  readonly pod: Pod;
  /** In thousandths, by container and resource. */
  readonly containers: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** What the resource metrics of a cluster are computed from. */
export interface ResourceMetricSources {
  readonly metrics: MetricStore;
  readonly objects: ObjectReader;
  readonly clock: Clock;
}

/** Selects objects of a list. */
export interface MetricSelection {
  readonly namespace?: string;
  readonly name?: string;
  readonly matches?: (object: ApiObject) => boolean;
}

/** Returns the usage of running Pods as `PodMetrics`; those without any are left out, as are Pods that were not measured yet. */
export function podMetrics(sources: ResourceMetricSources, selection: MetricSelection): readonly object[] {
  const time = toTime(sources.clock.now());
  return usages(sources, selection).map(({ pod, containers }) => ({
    kind: "PodMetrics",
    apiVersion: API_VERSION,
    metadata: metadataOf(pod, time),
    timestamp: time,
    window: WINDOW,
    containers: [...containers].map(([name, usage]) => ({ name, usage: printed(usage) })),
  }));
}

/** Returns the usage of the Pods of each Node as `NodeMetrics`; Nodes without any are left out. */
export function nodeMetrics(sources: ResourceMetricSources, selection: MetricSelection): readonly object[] {
  const time = toTime(sources.clock.now());
  const nodes = selected<Node>(sources.objects.list(NODES), selection);
  const byNode = new Map<string, PodUsage[]>();
  for (const usage of usages(sources, {})) {
    const { nodeName = "" } = usage.pod.spec ?? {};
    addToList(byNode, nodeName, usage);
  }
  return nodes.flatMap((node) => {
    const own = byNode.get(node.metadata.name ?? "") ?? [];
    if (own.length === 0) return [];
    const usage = printed(sum(own.flatMap(({ containers }) => [...containers.values()])));
    const metadata = metadataOf(node, time);
    return [{ kind: "NodeMetrics", apiVersion: API_VERSION, metadata, timestamp: time, window: WINDOW, usage }];
  });
}

function selected<Kind extends Node | Pod>(
  objects: readonly ApiObject[],
  { namespace, name, matches = () => true }: MetricSelection,
): readonly Kind[] {
  const found = objects.filter(
    (object) =>
      (namespace === undefined || namespace === object.metadata.namespace) &&
      (name === undefined || name === object.metadata.name) &&
      matches(object),
  );
  return found as unknown as readonly Kind[];
}

function metadataOf({ metadata }: Pick<Pod, "metadata">, creationTimestamp: string): object {
  const { name, namespace, labels } = metadata;
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    creationTimestamp,
    ...(labels === undefined ? {} : { labels }),
  };
}

function usages({ metrics, objects }: ResourceMetricSources, selection: MetricSelection): readonly PodUsage[] {
  return selected<Pod>(objects.list(PODS), selection)
    .filter(({ status }) => status?.phase === "Running")
    .flatMap((pod) => {
      const usage = usageOf(pod, metrics);
      return [...usage.values()].every((each) => each.size === 0) ? [] : [{ pod, containers: usage }];
    });
}

function usageOf(pod: Pod, metrics: MetricStore): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const names = (pod.spec?.containers ?? []).map(({ name }) => name);
  const usage = new Map(names.map((name) => [name, new Map<string, number>()]));
  for (const resource of RESOURCES) {
    const values = containerValues(metrics, pod, resource);
    for (const [index, name] of names.entries()) {
      const value = values[index];
      if (value !== undefined) usage.get(name)?.set(resource, value);
    }
  }
  return usage;
}

// What is known of a Pod as a whole counts for its first container.
function containerValues(metrics: MetricStore, pod: Pod, resource: string): readonly (number | undefined)[] {
  const valueOf = (container?: string): number | undefined =>
    metrics.resourceUsage([pod], resource, container).get(pod.metadata.name ?? "");
  const [first, ...others] = (pod.spec?.containers ?? []).map(({ name }) => valueOf(name));
  const whole = first === undefined ? valueOf() : undefined;
  return [whole === undefined ? first : Math.max(0, whole - sumOf(others)), ...others];
}

function sumOf(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function sum(usages: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  return new Map(RESOURCES.map((resource) => [resource, sumOf(usages.map((usage) => usage.get(resource)))]));
}

function printed(usage: ReadonlyMap<string, number>): Usage {
  return { cpu: `${String(usage.get("cpu") ?? 0)}m`, memory: bytesText(Math.ceil((usage.get("memory") ?? 0) / 1000)) };
}

const KIB = 1024;

function bytesText(bytes: number): string {
  return bytes > 0 && bytes % KIB === 0 ? `${String(bytes / KIB)}Ki` : String(bytes);
}
