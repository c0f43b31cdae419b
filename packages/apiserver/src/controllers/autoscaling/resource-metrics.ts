import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from "@kubescaffold/k8s";
import type { Node, Pod } from "@kubescaffold/k8s/core/v1";

import { type Clock, toTime } from "../../clock/clock.ts";
import type { ObjectReader } from "../../storage/object-reader.ts";
import { NODES, PODS } from "../workload/workload-objects.ts";
import type { MetricStore, PodValues } from "./cluster-metrics.ts";

/** The API group of resource metrics. */
export const METRICS_GROUP = "metrics.k8s.io";
/** Its version. */
export const METRICS_VERSION = "v1beta1";
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
  readonly labelSelector?: string;
  /** By name and namespace. */
  readonly fieldSelector?: string;
}

/** Returns the usage of running Pods as `PodMetrics`; those without any are left out, as are Pods that were not measured yet. */
export function podMetrics(sources: ResourceMetricSources, selection: MetricSelection): readonly object[] {
  const time = toTime(sources.clock.now());
  return usages(sources)
    .filter(({ pod }) => isSelected(pod, selection))
    .map(({ pod, containers }) => ({
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
  const all = usages(sources);
  const nodes = sources.objects.list(NODES) as unknown as readonly Node[];
  return nodes
    .filter((node) => isSelected(node, selection))
    .flatMap((node) => {
      const own = all.filter(({ pod }) => pod.spec?.nodeName === node.metadata.name);
      if (own.length === 0) return [];
      const usage = printed(sum(own.flatMap(({ containers }) => [...containers.values()])));
      const metadata = metadataOf(node, time);
      return [{ kind: "NodeMetrics", apiVersion: API_VERSION, metadata, timestamp: time, window: WINDOW, usage }];
    });
}

const FIELDS: Readonly<Record<string, (metadata: Pod["metadata"]) => string | undefined>> = {
  "metadata.name": ({ name }) => name,
  "metadata.namespace": ({ namespace }) => namespace,
};

function isSelected(
  { metadata }: Pick<Pod, "metadata">,
  { namespace, name, labelSelector = "", fieldSelector = "" }: MetricSelection,
): boolean {
  return (
    (namespace === undefined || namespace === metadata.namespace) &&
    (name === undefined || name === metadata.name) &&
    matchesLabels(parseLabelSelector(labelSelector), metadata.labels) &&
    matchesFields(parseFieldSelector(fieldSelector), (field) => FIELDS[field]?.(metadata))
  );
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

function usages({ metrics, objects }: ResourceMetricSources): readonly PodUsage[] {
  const pods = (objects.list(PODS) as unknown as readonly Pod[]).filter(({ status }) => status?.phase === "Running");
  return pods.flatMap((pod) => {
    const usage = usageOf(pod, metrics);
    return [...usage.values()].every((each) => each.size === 0) ? [] : [{ pod, containers: usage }];
  });
}

// What is known of a Pod as a whole counts for its first container.
function usageOf(pod: Pod, metrics: MetricStore): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const names = (pod.spec?.containers ?? []).map(({ name }) => name);
  const valueOf = (values: PodValues): number | undefined => values.get(pod.metadata.name ?? "");
  return new Map(
    names.map((name, index) => {
      const known = RESOURCES.map((resource) => {
        const own = valueOf(metrics.resourceUsage([pod], resource, name));
        const whole = index === 0 ? valueOf(metrics.resourceUsage([pod], resource, undefined)) : undefined;
        const others = sumOf(
          names
            .filter((other) => other !== name)
            .map((other) => valueOf(metrics.resourceUsage([pod], resource, other))),
        );
        const value = own ?? (whole === undefined ? undefined : Math.max(0, whole - others));
        return [resource, value] as const;
      });
      return [
        name,
        new Map(known.filter((entry): entry is [(typeof RESOURCES)[number], number] => entry[1] !== undefined)),
      ];
    }),
  );
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
