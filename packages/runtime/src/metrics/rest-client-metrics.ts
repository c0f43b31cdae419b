import { Counter, oncePerRegistry, type MetricsRegistry } from "./registry.ts";

/** Counts requests to API servers. */
export interface RestClientMetrics {
  readonly requests: Counter<"code" | "method" | "host">;
}

/** Returns the API clients' metrics of a registry. */
export const restClientMetrics: (registry?: MetricsRegistry) => RestClientMetrics = oncePerRegistry((registry) => ({
  requests: new Counter({
    name: "rest_client_requests_total",
    help: "Requests to API servers, by status code, method and host",
    labelNames: ["code", "method", "host"],
    registers: [registry],
  }),
}));
