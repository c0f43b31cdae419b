import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";

import type { Cache, CacheOptions, FieldIndexer } from "../cache/cache.ts";
import { createCache } from "../cache/informer-cache.ts";
import type { Client, Reader, WatchingClient } from "../client/client.ts";
import { createClient, type ClientOptions } from "../client/create-client.ts";
import { realClock, type Clock } from "../clock/clock.ts";
import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { createEventBroadcaster } from "../recorder/event-broadcaster.ts";
import type { EventRecorder } from "../recorder/event-recorder.ts";
import { createRestClient } from "../rest/rest-client.ts";
import type { Runnable } from "./runnable.ts";

/** Which reads of the cluster's client do not go to its cache, and what its writes carry. */
export interface ClusterClientOptions extends Pick<
  ClientOptions,
  "dryRun" | "fieldOwner" | "fieldValidation" | "warningHandler"
> {
  readonly cache?: {
    /** Kinds that are always read from the server. */
    readonly disableFor?: readonly GroupVersionKind[];
    /** Reads bare groups, versions and kinds from the cache too. */
    readonly unstructured?: boolean;
  };
}

/** Settings of a {@link Cluster}. */
export interface ClusterOptions {
  readonly cache?: CacheOptions;
  readonly client?: ClusterClientOptions;
  /** Creates the cache, in place of {@link createCache}. */
  readonly newCache?: (client: WatchingClient, options: CacheOptions) => Cache;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly registry?: MetricsRegistry;
}

/**
 * Holds what speaks with one API server: clients and a cache that share connections and what they know of its kinds.
 *
 * A manager is one; further ones are added to it with `add`, so that their caches are filled before controllers start.
 */
export interface Cluster extends Runnable {
  getConfig(): RestConfig;
  getCache(): Cache;
  /** Returns the client that reads from the cache and writes to the server. */
  getClient(): Client;
  /** Returns the reader that asks the server, for use before the cache runs or where its delay does harm. */
  getApiReader(): Reader;
  getFieldIndexer(): FieldIndexer;
  getRestMapper(): RestMapper;
  /** Returns the recorder of a controller's events. */
  getEventRecorder(name: string): EventRecorder;
  getLogger(): Logger;
}

/** Creates what speaks with the API server of a config; nothing is sent before it is used. */
export function createCluster(config: RestConfig, options: ClusterOptions = {}): Cluster {
  const { live: _, close, ...cluster } = createClusterParts(config, options);
  return {
    ...cluster,
    start: async (signal) => {
      await cluster.start(signal);
      await close();
    },
  };
}

/** A cluster whose connections are closed by who has it. */
export interface ClusterParts extends Cluster {
  /** The client that asks the server. */
  readonly live: Client;
  /** Writes the events that are not written yet and closes all connections; a later request opens new ones. */
  readonly close: () => Promise<void>;
}

/** Creates a cluster that goes on speaking with its server when its cache has stopped. */
export function createClusterParts(config: RestConfig, options: ClusterOptions): ClusterParts {
  const { clock = realClock, logger = rootLog, registry } = options;
  const { cache: cachedReads, ...clientOptions } = options.client ?? {};
  const { warningHandler } = clientOptions;
  const restClient = createRestClient(config, {
    clock,
    log: logger,
    ...(registry === undefined ? {} : { registry }),
    ...(warningHandler === undefined ? {} : { warningHandler }),
  });
  const live = createClient(config, { clock, log: logger, restClient });
  const { restMapper } = live;
  const cache = (options.newCache ?? createCache)(live, {
    clock,
    logger,
    ...(registry === undefined ? {} : { registry }),
    ...options.cache,
  });
  const reads = { ...cachedReads, reader: cache };
  const client = createClient(config, { ...clientOptions, clock, log: logger, restClient, restMapper, cache: reads });
  const events = createEventBroadcaster({ client: live, clock, log: logger });
  return {
    runnableName: `cluster ${config.server}`,
    live,
    close: async () => {
      await events.stop();
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
