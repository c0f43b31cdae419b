import { Counter, oncePerRegistry, type MetricsRegistry } from "./registry.ts";

/** Counts certificate reloads. */
export interface CertificateMetrics {
  readonly reads: Counter;
  readonly readErrors: Counter;
}

/** Returns the certificate watchers' metrics of a registry. */
export const certificateMetrics: (registry?: MetricsRegistry) => CertificateMetrics = oncePerRegistry((registry) => ({
  reads: new Counter({
    name: "certwatcher_read_certificate_total",
    help: "Times that certificate files were read",
    registers: [registry],
  }),
  readErrors: new Counter({
    name: "certwatcher_read_certificate_errors_total",
    help: "Times that certificate files could not be used",
    registers: [registry],
  }),
}));
