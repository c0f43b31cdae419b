import { Counter, Histogram, type MetricsRegistry, oncePerRegistry, registry as processRegistry } from "./registry.ts";
import { DurationFamily, NumberFamily } from "./series.ts";

/** The metrics of API clients; those that are undefined are not recorded. */
export interface RestClientMetrics {
  /** Requests by status code, method, and host. */
  readonly requests: NumberFamily<"code" | "method" | "host">;
  /** Seconds per request, with its retries and its body, except for streams. */
  requestLatency: DurationFamily<"verb" | "host"> | undefined;
  /** Seconds per resolution of a host name. */
  dnsResolutionLatency: DurationFamily<"host"> | undefined;
  /** Bytes of sent bodies, except for streams; 0 without a body. */
  requestSize: DurationFamily<"verb" | "host"> | undefined;
  /** Bytes of received bodies, except for streams. */
  responseSize: DurationFamily<"verb" | "host"> | undefined;
  /** Seconds that requests waited for `qps` and `burst` of the config. */
  rateLimiterLatency: DurationFamily<"verb" | "host"> | undefined;
  /** Attempts after the first one. */
  requestRetry: NumberFamily<"code" | "verb" | "host"> | undefined;
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
  requestLatency: undefined,
  dnsResolutionLatency: undefined,
  requestSize: undefined,
  responseSize: undefined,
  rateLimiterLatency: undefined,
  requestRetry: undefined,
}));

/**
 * An optional metric of API clients.
 *
 * controller-runtime: pkg/metrics.RESTClientMetric
 */
export type RestClientMetric = Exclude<keyof RestClientMetrics, "requests">;

/**
 * Options of {@link registerRestClientMetrics}.
 *
 * controller-runtime: pkg/metrics.RESTClientMetricsOptions
 */
export interface RestClientMetricsOptions {
  /** Upper bounds of the buckets of all durations in seconds. Default: those of Kubernetes components, from 0.005 to 60. */
  readonly durationBuckets?: readonly number[];
  /** The registry of the metrics, that of the manager. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
}

/**
 * Records optional metrics of all API clients of a registry, also of clients that exist already. Default: none is recorded, only `rest_client_requests_total`.
 *
 * Guarantees: a metric that is recorded already is unchanged, including its buckets.
 *
 * controller-runtime: pkg/metrics.RegisterRESTClientMetricsWithOptions
 *
 * @example
 * metrics.registerRestClientMetrics(["requestLatency", "rateLimiterLatency"]);
 */
export function registerRestClientMetrics(
  names: readonly RestClientMetric[],
  options: RestClientMetricsOptions = {},
): void {
  const known = restClientMetrics(options.registry);
  const target = options.registry ?? processRegistry;
  for (const name of names) {
    known[name] ??= OPTIONAL_METRICS[name](target, options.durationBuckets) as never;
  }
}

const VERB_HOST = ["verb", "host"] as const;
const DURATION_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const SIZE_BUCKETS = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

type CreateMetric<M> = (registry: MetricsRegistry, durationBuckets: readonly number[] | undefined) => M;

const OPTIONAL_METRICS: { readonly [N in RestClientMetric]: CreateMetric<NonNullable<RestClientMetrics[N]>> } = {
  requestLatency: duration("rest_client_request_duration_seconds", "Seconds per request, by verb and host", VERB_HOST),
  dnsResolutionLatency: duration(
    "rest_client_dns_resolution_duration_seconds",
    "Seconds per resolution of a host name, by host",
    ["host"],
  ),
  requestSize: size("rest_client_request_size_bytes", "Bytes of sent bodies, by verb and host"),
  responseSize: size("rest_client_response_size_bytes", "Bytes of received bodies, by verb and host"),
  rateLimiterLatency: duration(
    "rest_client_rate_limiter_duration_seconds",
    "Seconds that requests waited for the limit of the client, by verb and host",
    VERB_HOST,
  ),
  requestRetry: (registry) =>
    new NumberFamily(
      {
        type: "counter",
        name: "rest_client_request_retries_total",
        help: "Attempts after the first one, by status code, verb, and host",
        labelNames: ["code", "verb", "host"],
      },
      registry,
    ),
};

function duration<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
): CreateMetric<DurationFamily<L>> {
  return (registry, buckets) => {
    const isEmpty = buckets === undefined || buckets.length === 0;
    return new DurationFamily({ name, help, labelNames, buckets: isEmpty ? DURATION_BUCKETS : buckets }, registry);
  };
}

function size(name: string, help: string): CreateMetric<DurationFamily<"verb" | "host">> {
  return (registry) => new DurationFamily({ name, help, labelNames: VERB_HOST, buckets: SIZE_BUCKETS }, registry);
}

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

/** The metrics of the writes of clients. */
export interface ClientWriteMetrics {
  /** Accepted writes by the controller that sent them, the kind, and the result. */
  readonly writes: NumberFamily<"controller" | "kind" | "result">;
}

/** Returns the metrics of the writes of clients. */
export const clientWriteMetrics: (registry?: MetricsRegistry) => ClientWriteMetrics = oncePerRegistry((registry) => ({
  writes: new NumberFamily(
    {
      type: "counter",
      name: "kubescaffold_client_writes_total",
      help: "Accepted writes of objects, by controller, kind, and result: created, updated, or unchanged",
      labelNames: ["controller", "kind", "result"],
    },
    registry,
  ),
}));

/** Measures how long cached reads wait for the writes of their client. */
interface ReadYourWritesMetrics {
  readonly waitDuration: Histogram<"operation" | "result">;
}

/** Returns the metrics of clients that read their own writes. */
export const readYourWritesMetrics: (registry?: MetricsRegistry) => ReadYourWritesMetrics = oncePerRegistry(
  (registry) => ({
    waitDuration: new Histogram({
      name: "controller_runtime_client_consistency_wait_duration_seconds",
      help: "Seconds that cached reads waited until the cache contained the writes of their client",
      labelNames: ["operation", "result"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6, 8, 10],
      registers: [registry],
    }),
  }),
);
