import { Counter, type MetricsRegistry, oncePerRegistry } from "./registry.ts";
import { NumberFamily } from "./series.ts";

/** Counts requests to API servers. */
export interface RestClientMetrics {
  /** Requests by status code, method, and host. */
  readonly requests: NumberFamily<"code" | "method" | "host">;
}

/** Returns the API clients' metrics of a registry. */
export const restClientMetrics: (registry?: MetricsRegistry) => RestClientMetrics = oncePerRegistry((registry) => ({
  requests: new NumberFamily(
    {
      type: "counter",
      name: "rest_client_requests_total",
      help: "Requests to API servers, by status code, method, and host",
      labelNames: ["code", "method", "host"],
    },
    registry,
  ),
}));

/** Counts the requests of reflectors. */
export interface ReflectorMetrics {
  /** Lists that filled a cache. */
  readonly lists: Counter<"kind">;
  /** Opened watches. */
  readonly watches: Counter<"kind">;
  /** Watches that ended and were reopened, by reason. */
  readonly watchReconnects: Counter<"kind" | "reason">;
  /** Events that could not be read, after which the cache lists again. */
  readonly unreadableEvents: Counter<"kind">;
}

/** Returns the reflectors' metrics of a registry. */
export const reflectorMetrics: (registry?: MetricsRegistry) => ReflectorMetrics = oncePerRegistry((registry) => {
  const registers = [registry];
  return {
    lists: new Counter({
      name: "kubescaffold_reflector_lists_total",
      help: "Lists that filled a cache, by kind",
      labelNames: ["kind"],
      registers,
    }),
    watches: new Counter({
      name: "kubescaffold_reflector_watches_total",
      help: "Opened watches, by kind",
      labelNames: ["kind"],
      registers,
    }),
    watchReconnects: new Counter({
      name: "kubescaffold_reflector_watch_reconnects_total",
      help: "Watches that ended and were reopened, by kind and reason",
      labelNames: ["kind", "reason"],
      registers,
    }),
    unreadableEvents: new Counter({
      name: "kubescaffold_reflector_unreadable_events_total",
      help: "Events of watches that could not be read, by kind",
      labelNames: ["kind"],
      registers,
    }),
  };
});
