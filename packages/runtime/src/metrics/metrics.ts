/** The metrics, as `metrics` of the package: the registry of the process, and what to add own metrics with. */
export { collectProcessMetrics, Counter, createMetricsRegistry, Gauge, Histogram, registry } from "./registry.ts";
export type { MetricsRegistry } from "./registry.ts";
export { registerRestClientMetrics, type RestClientMetric, type RestClientMetricsOptions } from "./client-metrics.ts";
