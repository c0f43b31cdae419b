import { Counter, Gauge, type MetricsRegistry, oncePerRegistry } from "./registry.ts";

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
