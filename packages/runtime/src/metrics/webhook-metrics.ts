import { Counter, exponentialBuckets, Gauge, type MetricsRegistry, oncePerRegistry } from "./registry.ts";
import { DurationFamily } from "./series.ts";

/** The metrics of the webhook server. */
interface WebhookMetrics {
  readonly latency: DurationFamily<"webhook">;
  readonly requests: Counter<"webhook" | "code">;
  readonly requestsInFlight: Gauge<"webhook">;
  readonly panics: Counter;
  readonly conversionPanics: Counter;
}

/** Returns the webhooks' metrics of a registry. */
export const webhookMetrics: (registry?: MetricsRegistry) => WebhookMetrics = oncePerRegistry((registry) => {
  const registers = [registry];
  return {
    latency: new DurationFamily(
      {
        name: "controller_runtime_webhook_latency_seconds",
        help: "Seconds that admission requests took, by path",
        labelNames: ["webhook"],
        buckets: exponentialBuckets(1e-8, 10, 12),
      },
      registry,
    ),
    requests: new Counter({
      name: "controller_runtime_webhook_requests_total",
      help: "Admission requests, by path and HTTP status",
      labelNames: ["webhook", "code"],
      registers,
    }),
    requestsInFlight: new Gauge({
      name: "controller_runtime_webhook_requests_in_flight",
      help: "Admission requests in flight, by path",
      labelNames: ["webhook"],
      registers,
    }),
    panics: new Counter({
      name: "controller_runtime_webhook_panics_total",
      help: "Admission handlers that failed with a programming error",
      registers,
    }),
    conversionPanics: new Counter({
      name: "controller_runtime_conversion_webhook_panics_total",
      help: "Conversion handlers that failed with a programming error",
      registers,
    }),
  };
});

/** Creates the series of a webhook path at zero. */
export function initializeWebhookMetrics(metrics: WebhookMetrics, webhook: string): void {
  metrics.requests.inc({ webhook, code: "200" }, 0);
  metrics.requests.inc({ webhook, code: "500" }, 0);
  metrics.requestsInFlight.set({ webhook }, 0);
}

/** Counts certificate reloads. */
interface CertificateMetrics {
  readonly reads: Counter;
  readonly readErrors: Counter;
}

/** Returns the certificate watchers' metrics of a registry. */
export const certificateMetrics: (registry?: MetricsRegistry) => CertificateMetrics = oncePerRegistry((registry) => ({
  reads: new Counter({
    name: "certwatcher_read_certificate_total",
    help: "Reads of certificate files",
    registers: [registry],
  }),
  readErrors: new Counter({
    name: "certwatcher_read_certificate_errors_total",
    help: "Failed reads of certificate files",
    registers: [registry],
  }),
}));

/** The metrics of self-managed certificates. */
interface SelfManagedMetrics {
  readonly expiration: Gauge<"secret" | "certificate">;
  readonly issued: Counter<"certificate">;
  readonly injections: Counter;
  readonly errors: Counter;
}

/** Returns the metrics of self-managed certificates of a registry. */
export const selfManagedMetrics: (registry?: MetricsRegistry) => SelfManagedMetrics = oncePerRegistry((registry) => ({
  expiration: new Gauge({
    name: "kubescaffold_certificate_expiration_timestamp_seconds",
    help: "The time at which a self-managed certificate ends, by Secret and certificate (serving, ca)",
    labelNames: ["secret", "certificate"],
    registers: [registry],
  }),
  issued: new Counter({
    name: "kubescaffold_certificates_issued_total",
    help: "Self-managed certificates that this process issued, by certificate (serving, ca)",
    labelNames: ["certificate"],
    registers: [registry],
  }),
  injections: new Counter({
    name: "kubescaffold_certificate_injections_total",
    help: "Objects into which this process wrote the caBundle",
    registers: [registry],
  }),
  errors: new Counter({
    name: "kubescaffold_certificate_errors_total",
    help: "Failed checks of self-managed certificates",
    registers: [registry],
  }),
}));
