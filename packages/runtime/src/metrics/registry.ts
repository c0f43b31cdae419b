import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export { Counter, Gauge, Histogram };

/** Holds metrics and prints them in Prometheus' text form. */
export type MetricsRegistry = Registry;

/** The registry of the process: controllers, queues and clients count here unless told otherwise, and programs add their own metrics. */
export const registry: MetricsRegistry = new Registry();

/** Creates an empty registry, for programs and tests that run several managers apart from one another. */
export function createMetricsRegistry(): MetricsRegistry {
  return new Registry();
}

/** Makes a family of metrics once per registry, however often it is asked for. */
export function oncePerRegistry<M>(create: (registry: MetricsRegistry) => M): (registry?: MetricsRegistry) => M {
  const made = new WeakMap<MetricsRegistry, { readonly metrics: M }>();
  return (target = registry) => {
    const known = made.get(target);
    if (known !== undefined) {
      return known.metrics;
    }
    const metrics = create(target);
    made.set(target, { metrics });
    return metrics;
  };
}

/** Adds the metrics of the Node process (heap, event loop lag, handles) to a registry, once. */
export const collectProcessMetrics: (registry?: MetricsRegistry) => void = oncePerRegistry((target) => {
  collectDefaultMetrics({ register: target });
});

/** Returns `count` bucket bounds, each `factor` times the one before. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Number((start * factor ** index).toPrecision(12)));
}
