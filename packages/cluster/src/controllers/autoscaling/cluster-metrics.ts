import { storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import { matchesLabelSelector, parseApiVersion, type Quantity, quantityToBigInt } from "@kubescaffold/k8s";
import type { CrossVersionObjectReference } from "@kubescaffold/k8s/autoscaling/v2";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import type { PodMatch } from "../../kubelet/containers/pod-faults.ts";

/** The value of a metric of Pods: the same for each, or a function of the Pod; without a value, the Pod has no such metric. */
export type PodMetricValue = Quantity | ((pod: Pod) => Quantity | undefined);

/** A metric that HorizontalPodAutoscalers read. */
export type ClusterMetric =
  | {
      /** The usage of a resource by Pods, as metrics-server measures it. */
      readonly kind: "resource";
      /** The resource, such as `cpu` or `memory`. */
      readonly resource: string;
      /** Selects the Pods. */
      readonly pods: PodMatch;
      /** The container that uses it. Default: the Pod as a whole. */
      readonly container?: string;
      /** The usage of each Pod. */
      readonly value: PodMetricValue;
    }
  | {
      /** A custom metric of Pods. */
      readonly kind: "pods";
      /** The name of the metric. */
      readonly metric: string;
      /** The labels of the metric, which selectors of metrics refer to. */
      readonly labels?: Readonly<Record<string, string>>;
      /** Selects the Pods. */
      readonly pods: PodMatch;
      /** The value of each Pod. */
      readonly value: PodMetricValue;
    }
  | {
      /** A custom metric of one object. */
      readonly kind: "object";
      /** The name of the metric. */
      readonly metric: string;
      /** The labels of the metric, which selectors of metrics refer to. */
      readonly labels?: Readonly<Record<string, string>>;
      /** The object; its group is compared, its version is not. */
      readonly object: CrossVersionObjectReference & { readonly namespace: string };
      /** The value. */
      readonly value: Quantity;
    }
  | {
      /** A metric from outside of the cluster. Several with other labels are added up. */
      readonly kind: "external";
      /** The name of the metric. */
      readonly metric: string;
      /** The labels of the metric, which selectors of metrics refer to. */
      readonly labels?: Readonly<Record<string, string>>;
      /** The namespace. Default: all. */
      readonly namespace?: string;
      /** The value. */
      readonly value: Quantity;
    };

/** The metrics that HorizontalPodAutoscalers read. */
export interface ClusterMetrics {
  /**
   * Adds a metric, which precedes earlier ones of the same object or Pod; returns a function that removes it. It is always up to date: autoscalers
   * read it every 15 seconds of the option `clock`.
   *
   * @example
   * const remove = cluster.metrics.set({ kind: "resource", resource: "cpu", pods: { labels: { app: "web" } }, value: "800m" });
   */
  set(metric: ClusterMetric): () => void;
  /** Removes all metrics. */
  clear(): void;
}

/** Values of Pods by their names, in thousandths. */
export type PodValues = Map<string, number>;

type Of<Kind extends ClusterMetric["kind"]> = Extract<ClusterMetric, { readonly kind: Kind }>;

/** Stores metrics, and finds them. */
export class MetricStore implements ClusterMetrics {
  // The latest first.
  #metrics: readonly ClusterMetric[] = [];
  readonly #listeners = new Set<() => void>();

  set(metric: ClusterMetric): () => void {
    // A copy, so that the same object can be added twice.
    const added = { ...metric };
    this.#replace([added, ...this.#metrics]);
    return () => this.#replace(this.#metrics.filter((each) => each !== added));
  }

  clear(): void {
    this.#replace([]);
  }

  /** Calls back after every change; returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #replace(metrics: readonly ClusterMetric[]): void {
    this.#metrics = metrics;
    for (const listener of this.#listeners) listener();
  }

  /** Reports whether there is a metric of one of these kinds. */
  has(...kinds: readonly ClusterMetric["kind"][]): boolean {
    return this.#metrics.some(({ kind }) => kinds.includes(kind));
  }

  /** Returns the usage of a resource by each Pod that has it, of one of their containers if it is named. */
  resourceUsage(pods: readonly Pod[], resource: string, container: string | undefined): PodValues {
    const metrics = this.#of("resource").filter((each) => each.resource === resource);
    return valuesOf(pods, (pod) => {
      const ofContainer = (name: string | undefined): number | undefined =>
        firstValue(
          metrics.filter((each) => each.container === name),
          pod,
        );
      if (container !== undefined) return ofContainer(container);
      const whole = ofContainer(undefined);
      if (whole !== undefined) return whole;
      const parts = (pod.spec?.containers ?? []).map(({ name }) => ofContainer(name));
      const known = parts.filter((part) => part !== undefined);
      return known.length === parts.length ? known.reduce((sum, part) => sum + part, 0) : undefined;
    });
  }

  /** Returns a custom metric of each Pod that has it. */
  podMetric(pods: readonly Pod[], metric: string, selector: LabelSelector | undefined): PodValues {
    const metrics = this.#of("pods").filter((each) => each.metric === metric && isSelected(each.labels, selector));
    return valuesOf(pods, (pod) => firstValue(metrics, pod));
  }

  /** Returns a custom metric of an object. */
  objectMetric(
    object: CrossVersionObjectReference & { readonly namespace: string },
    metric: string,
    selector: LabelSelector | undefined,
  ): number | undefined {
    const found = this.#of("object").find(
      (each) => each.metric === metric && isSameObject(each.object, object) && isSelected(each.labels, selector),
    );
    return found === undefined ? undefined : milliValue(found.value);
  }

  /** Returns the values of an external metric, the latest for each set of labels. */
  externalMetric(namespace: string, metric: string, selector: LabelSelector | undefined): readonly number[] {
    const matching = this.#of("external").filter(
      (each) =>
        each.metric === metric &&
        (each.namespace === undefined || each.namespace === namespace) &&
        isSelected(each.labels, selector),
    );
    const byLabels = new Map<string, number>();
    for (const { labels, value } of matching) {
      const key = JSON.stringify(Object.entries(labels ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1)));
      if (!byLabels.has(key)) byLabels.set(key, milliValue(value));
    }
    return [...byLabels.values()];
  }

  #of<Kind extends ClusterMetric["kind"]>(kind: Kind): readonly Of<Kind>[] {
    return this.#metrics.filter((metric): metric is Of<Kind> => metric.kind === kind);
  }
}

function valuesOf(pods: readonly Pod[], valueOf: (pod: Pod) => number | undefined): PodValues {
  return new Map(
    pods.flatMap((pod) => {
      const value = valueOf(pod);
      return value === undefined ? [] : [[pod.metadata.name ?? "", value] as const];
    }),
  );
}

function firstValue(
  metrics: readonly { readonly pods: PodMatch; readonly value: PodMetricValue }[],
  pod: Pod,
): number | undefined {
  const found = metrics.find(({ pods }) => isMatch(pods, pod));
  const value = typeof found?.value === "function" ? found.value(pod) : found?.value;
  return value === undefined ? undefined : milliValue(value);
}

function isMatch({ namespace, name, labels }: PodMatch, { metadata }: Pod): boolean {
  return (
    (namespace === undefined || namespace === metadata.namespace) &&
    (name === undefined || name === metadata.name) &&
    matchesLabelSelector({ matchLabels: { ...labels } }, metadata.labels)
  );
}

function isSelected(
  labels: Readonly<Record<string, string>> | undefined,
  selector: LabelSelector | undefined,
): boolean {
  return selector === undefined || storedSelectorMatcher(selector)(labels);
}

function isSameObject(
  left: CrossVersionObjectReference & { readonly namespace: string },
  right: CrossVersionObjectReference & { readonly namespace: string },
): boolean {
  const [leftGroup, rightGroup] = [left, right].map(({ apiVersion = "" }) => parseApiVersion(apiVersion).group);
  return (
    leftGroup === rightGroup &&
    left.kind === right.kind &&
    left.name === right.name &&
    left.namespace === right.namespace
  );
}

/** Returns a quantity in thousandths, rounded up. */
export function milliValue(quantity: Quantity): number {
  return Number(quantityToBigInt(quantity, -3));
}
