import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";
import { type Clock, onAbort, realClock } from "@kubescaffold/platform/clock";

import type { Cache, CacheOptions, FieldIndexer } from "../cache/cache.ts";
import { createCache } from "../cache/informer-cache.ts";
import type { Client, LiveClient, LiveReader } from "../client/client.ts";
import { createClient, type NewClientFunction, type ClientOptions } from "../client/create-client.ts";
import type { RestMapper } from "../discovery/rest-mapping.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { Observer } from "../observe/observer.ts";
import { createEventBroadcaster } from "../recorder/event-broadcaster.ts";
import type { EventRecorder } from "../recorder/event-recorder.ts";
import { createRestClient, type RestClient, type RestClientOptions } from "../rest/rest-client.ts";
import type { Runnable } from "./runnable.ts";

/** Options of the cluster's client. */
export interface ClusterClientOptions extends Pick<
  ClientOptions,
  "dryRun" | "fieldOwner" | "fieldValidation" | "warningHandler" | "requestLog"
> {
  /** The reads that bypass or use the cache: `disableFor` lists kinds that are always read from the server; `unstructured` serves plain kinds from the cache, too (default false). */
  readonly cache?: {
    /** Kinds that are always read from the server. */
    readonly disableFor?: readonly GroupVersionKind[];
    /** Reads bare groups, versions and kinds from the cache too. */
    readonly unstructured?: boolean;
    /** Makes cached reads wait for the writes of this client; see {@link ClientCacheOptions.readYourWrites}. Default: false. */
    readonly readYourWrites?: boolean;
  };
}

/**
 * Settings of a {@link Cluster}.
 *
 * controller-runtime: pkg/cluster.Options
 */
export interface ClusterOptions {
  /** Settings of the cache. */
  readonly cache?: CacheOptions;
  /** Settings of the client. */
  readonly client?: ClusterClientOptions;
  /** Creates the cache. Default: {@link createCache}. */
  readonly newCache?: (client: LiveClient, options: CacheOptions) => Cache;
  /** Creates the client that {@link Cluster.getClient} returns; its options have the cache, the connections, and the mapper. Default: {@link createClient}. */
  readonly newClient?: NewClientFunction;
  /**
   * Creates the mapper between kinds and resources, once, for the clients and the cache; `createCluster` and `createManager` fail with what it throws.
   * Default: {@link createRestMapper}, which runs discovery on first use.
   */
  readonly mapperProvider?: MapperProvider;
  /** The logger. Default: {@link log}. */
  readonly logger?: Logger;
  /** The clock. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The clock of the timeouts of requests, and of the delays that the server asks for. Default: `clock`. */
  readonly requestClock?: Clock;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** Receives the requests of the clients and samples of the cache; in a manager, also what controllers and webhooks do. Default: none. */
  readonly observer?: Observer;
}

/**
 * Creates the mapper of a cluster from its config and its connections.
 *
 * Upstream's `Options.MapperProvider` of `pkg/cluster`, with the REST client in place of the HTTP client.
 */
export type MapperProvider = (config: RestConfig, restClient: RestClient) => RestMapper;

/**
 * The clients and the cache of one API server, with shared connections and discovery.
 *
 * A manager is a cluster; add others with `add`, so that their caches sync before controllers start. A manager with leader election refuses
 * writes of the clusters that were added to it, too, once its lease may have expired.
 *
 * controller-runtime: pkg/cluster.Cluster
 */
export interface Cluster extends Runnable {
  /** Returns the config of the API server. */
  getConfig(): RestConfig;
  /** Returns the cache. */
  getCache(): Cache;
  /** Returns the client that reads from the cache, whose objects are frozen, and writes to the server. */
  getClient(): Client;
  /** Returns a reader that bypasses the cache, for use before the cache runs or for consistent reads. */
  getApiReader(): LiveReader;
  /** Returns the indexer of the cache. */
  getFieldIndexer(): FieldIndexer;
  /** Returns the mapper between kinds and resources. */
  getRestMapper(): RestMapper;
  /** Returns the event recorder of a controller. */
  getEventRecorder(name: string): EventRecorder;
  /** Returns the logger. */
  getLogger(): Logger;
}

/**
 * Creates the clients and the cache of an API server; no request is sent before they are used.
 *
 * controller-runtime: pkg/cluster.New
 */
export function createCluster(config: RestConfig, options: ClusterOptions = {}): Cluster {
  let check: WriteCheck | undefined;
  const beforeWrite: WriteCheck = (path) => check?.(path);
  const { live: _, stopEvents, close, ...parts } = createClusterParts(config, { ...options, beforeWrite });
  const cluster: Cluster = {
    ...parts,
    start: async (signal) => {
      await parts.start(signal);
      await stopEvents();
      await close();
    },
  };
  checkSetters.set(cluster, (added) => (check = added));
  return cluster;
}

/** Checks that this process may write to a path; throws if it may not. */
type WriteCheck = (path: string) => void;

const checkSetters = new WeakMap<object, (check: WriteCheck) => void>();

/** Calls a function before every write of a cluster from {@link createCluster}; does nothing for other runnables. */
export function checkWrites(runnable: object, check: WriteCheck): void {
  checkSetters.get(runnable)?.(check);
}

/** A cluster that ends before its manager. */
export interface StoppableCluster {
  /** The runnable to add to the manager, which checks the writes of the cluster, and stops it with the other caches. */
  readonly runnable: Runnable;
  /** Resolves when the cluster has ended and closed its connections. */
  readonly ended: Promise<void>;
}

/** Creates a runnable that runs a cluster until the manager stops, or until the signal aborts; the manager does not wait for its cache to sync. */
export function stoppableCluster(cluster: Cluster, stop: AbortSignal): StoppableCluster {
  let onEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    onEnded = resolve;
  });
  const runnable: Runnable = {
    runnableName: cluster.runnableName ?? "cluster",
    runnableGroup: "caches",
    start: async (signal) => {
      const stopping = new AbortController();
      const forgets = [signal, stop].map((each) => onAbort(each, () => stopping.abort()));
      try {
        await cluster.start(stopping.signal);
      } finally {
        forgets.forEach((forget) => forget());
        onEnded();
      }
    },
  };
  checkSetters.set(runnable, (check) => checkWrites(cluster, check));
  return { runnable, ended };
}

/** A cluster whose owner closes its connections. */
export interface ClusterParts extends Cluster {
  /** The client that bypasses the cache. */
  readonly live: LiveClient;
  /** Writes pending events and drops later ones. */
  readonly stopEvents: () => Promise<void>;
  /** Closes all connections for good; pending events are dropped. */
  readonly close: () => Promise<void>;
}

/** Creates a cluster whose connections stay open after its cache has stopped. */
export function createClusterParts(
  config: RestConfig,
  options: ClusterOptions & Pick<RestClientOptions, "beforeWrite">,
): ClusterParts {
  const { clock = realClock, logger = rootLog, registry, beforeWrite, observer } = options;
  const { requestClock = clock } = options;
  const { cache: cachedReads, ...clientOptions } = options.client ?? {};
  const { warningHandler, requestLog } = clientOptions;
  const restClient = createRestClient(config, {
    clock: requestClock,
    log: logger,
    ...(registry === undefined ? {} : { registry }),
    ...(warningHandler === undefined ? {} : { warningHandler }),
    ...(requestLog === undefined ? {} : { requestLog }),
    ...(beforeWrite === undefined ? {} : { beforeWrite }),
    ...(observer === undefined ? {} : { observer }),
  });
  const provided = options.mapperProvider?.(config, restClient);
  const live = createClient(config, {
    clock,
    log: logger,
    restClient,
    ...(provided === undefined ? {} : { restMapper: provided }),
  });
  const { restMapper } = live;
  const cache = (options.newCache ?? createCache)(live, {
    clock,
    logger,
    ...(registry === undefined ? {} : { registry }),
    ...(observer === undefined ? {} : { observer }),
    ...options.cache,
  });
  const reads = { ...cachedReads, reader: cache };
  const newClient = options.newClient ?? createClient;
  const client = newClient(config, {
    ...clientOptions,
    clock,
    log: logger,
    ...(registry === undefined ? {} : { registry }),
    restClient,
    restMapper,
    cache: reads,
  });
  const events = createEventBroadcaster({ client: live, clock, log: logger });
  return {
    runnableName: `cluster ${config.server}`,
    live,
    stopEvents: async () => await events.stop(),
    close: async () => {
      events.drop();
      await restClient.close();
    },
    getConfig: () => config,
    getCache: () => cache,
    getClient: () => client,
    getApiReader: () => live,
    getFieldIndexer: () => cache,
    getRestMapper: () => restMapper,
    getEventRecorder: (name) => events.recorder(name),
    getLogger: () => logger,
    start: async (signal) => await cache.start(signal),
  };
}
