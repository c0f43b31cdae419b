import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export { Counter, Gauge, Histogram };

/** Stores metrics and renders them in the Prometheus text format. */
export type MetricsRegistry = Registry;

/**
 * The process-wide default registry of controllers, queues, and clients; programs add their own metrics to it.
 *
 * controller-runtime: pkg/metrics.Registry
 */
export const registry: MetricsRegistry = new Registry();

/** Creates an empty registry, for programs and tests that run several separate managers. */
export function createMetricsRegistry(): MetricsRegistry {
  return new Registry();
}

/** Creates a family of metrics once per registry, on first use. */
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

/** Returns `count` bucket bounds, each `factor` times the previous one, with the rounding of Prometheus' client for Go. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  const bounds: number[] = [];
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}
