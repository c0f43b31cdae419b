import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";
import { realClock, type Clock } from "@kubescaffold/platform/clock";

import { createDiscoveryClient } from "../discovery/discovery-client.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import type { RestMapper } from "../discovery/rest-mapping.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { WarningHandler } from "../rest/headers.ts";
import type { RequestLogDetail } from "../rest/request-log.ts";
import { createRestClient, type RestClient } from "../rest/rest-client.ts";
import type { LiveClient, Client, Reader, WatchingClient } from "./client.ts";
import { ReadYourWritesError } from "./errors.ts";
import { createLiveClient } from "./live-client.ts";
import type { FieldValidation } from "./options.ts";
import { type InformerReader, readYourWritesClient } from "./read-your-writes.ts";
import { cachedClient, cachedKinds, dryRunClient, withFieldOwner, withFieldValidation } from "./wrapped-clients.ts";

/**
 * The reads of a client that a cache serves.
 *
 * controller-runtime: pkg/client.CacheOptions
 */
export interface ClientCacheOptions {
  /** The cache. */
  readonly reader: Reader;
  /** Kinds that are always read from the server. Default: none. */
  readonly disableFor?: readonly GroupVersionKind[];
  /** Serves reads by plain group, version, and kind from the cache, too, which starts a watch of the kind. Default: false. */
  readonly unstructured?: boolean;
  /**
   * Makes cached reads wait until the cache contains the writes of this client that began before the read: a `get` waits for those to its object, a `list` for those to its kind.
   * `disableReadYourWrites` of a call turns this off for the call. Requires a reader with informers, such as a `Cache`. Default: false.
   */
  readonly readYourWrites?: boolean;
}

/**
 * Options of {@link createClient}.
 *
 * controller-runtime: pkg/client.Options
 */
export interface ClientOptions {
  /** Shares the connections of another client. Default: a new REST client. */
  readonly restClient?: RestClient;
  /** Shares the discovery of another client. Default: a new mapper. */
  readonly restMapper?: RestMapper;
  /** The cache that serves reads. Default: all reads go to the server. */
  readonly cache?: ClientCacheOptions;
  /** Makes every write a dry run. Default: false. */
  readonly dryRun?: boolean;
  /** The default field manager of writes. */
  readonly fieldOwner?: string;
  /** The default field validation of writes. Default: the server's, `Warn`. */
  readonly fieldValidation?: FieldValidation;
  /** Receives the server's warnings. Default: every warning is logged. */
  readonly warningHandler?: WarningHandler;
  /** The details of requests to log; see {@link requestLogDetails}. Default: none. */
  readonly requestLog?: readonly RequestLogDetail[];
  /** The logger of warnings and requests. Default: {@link log}. */
  readonly log?: Logger;
  /** The clock of timeouts. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
}

/**
 * Creates the client of a cluster, such as {@link createClient}.
 *
 * controller-runtime: pkg/client.NewClientFunc
 */
export type NewClientFunction = (config: RestConfig, options: ClientOptions) => Client;

/**
 * Creates a client of the server of a config; no request is sent before the first call. Without a cache, all reads go to the server.
 *
 * Fails: {@link ReadYourWritesError}.
 *
 * controller-runtime: pkg/client.New
 *
 * @example
 * const client = createClient(await getConfig());
 * const guestbook = await client.get(Guestbook, { namespace: "default", name: "sample" });
 */
export function createClient(config: RestConfig, options?: ClientOptions & { readonly cache?: undefined }): LiveClient;
export function createClient(config: RestConfig, options?: ClientOptions): WatchingClient;
export function createClient(config: RestConfig, options: ClientOptions = {}): WatchingClient {
  const rest = options.restClient ?? createRestClient(config, options);
  const restMapper = options.restMapper ?? createRestMapper(createDiscoveryClient(rest));
  const live = createLiveClient({ rest, restMapper, clock: options.clock ?? realClock, registry: options.registry });
  return withDefaults(options.cache === undefined ? live : cached(live, options.cache, options), options);
}

function cached(live: LiveClient, reads: ClientCacheOptions, options: ClientOptions): WatchingClient {
  const client = cachedClient<WatchingClient>(live, reads);
  if (reads.readYourWrites !== true) return client;
  if (!hasInformers(reads.reader)) throw new ReadYourWritesError();
  const { clock = realClock, registry } = options;
  return readYourWritesClient(client, { cache: reads.reader, isCached: cachedKinds(reads), clock, registry });
}

function hasInformers(reader: Reader): reader is InformerReader {
  return "getInformer" in reader;
}

function withDefaults(client: WatchingClient, options: ClientOptions): WatchingClient {
  const validated =
    options.fieldValidation === undefined ? client : withFieldValidation(client, options.fieldValidation);
  const owned = options.fieldOwner === undefined ? validated : withFieldOwner(validated, options.fieldOwner);
  return options.dryRun === true ? dryRunClient(owned) : owned;
}
