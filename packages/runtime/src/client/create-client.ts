import type { GroupVersionKind, RestConfig } from "@kubescaffold/k8s";

import { realClock, type Clock } from "../clock/clock.ts";
import { createDiscoveryClient } from "../discovery/discovery-client.ts";
import { createRestMapper, type RestMapper } from "../discovery/rest-mapper.ts";
import type { Logger } from "../log/logger.ts";
import type { WarningHandler } from "../rest/headers.ts";
import { createRestClient, type RestClient } from "../rest/rest-client.ts";
import type { Reader, WatchingClient } from "./client.ts";
import { LiveClient } from "./live-client.ts";
import type { FieldValidation } from "./options.ts";
import { cachedClient, dryRunClient, withFieldOwner, withFieldValidation } from "./wrapped-clients.ts";

/** Says which reads of a client go to a cache. */
export interface ClientCacheOptions {
  readonly reader: Reader;
  /** Kinds that are always read from the server. */
  readonly disableFor?: readonly GroupVersionKind[];
  /** Reads by bare group, version and kind from the cache as well; off, as reading one kind that way starts to watch it. */
  readonly unstructured?: boolean;
}

/** What a client is made of beside its config; what is absent is made. */
export interface ClientOptions {
  /** Shares the connections of another client. */
  readonly restClient?: RestClient;
  /** Shares what another client has learned of the server's kinds. */
  readonly restMapper?: RestMapper;
  readonly cache?: ClientCacheOptions;
  /** Lets every writing call be a dry run. */
  readonly dryRun?: boolean;
  /** The field owner of writing calls that name none. */
  readonly fieldOwner?: string;
  /** The field validation of writing calls that name none. */
  readonly fieldValidation?: FieldValidation;
  readonly warningHandler?: WarningHandler;
  readonly log?: Logger;
  readonly clock?: Clock;
}

/**
 * Creates a client of the server that a config describes; nothing is sent before the first call.
 *
 * @example
 * const client = createClient(await getConfig());
 * const guestbook = await client.get(Guestbook, { namespace: "default", name: "sample" });
 */
export function createClient(config: RestConfig, options: ClientOptions = {}): WatchingClient {
  const rest = options.restClient ?? createRestClient(config, options);
  const restMapper = options.restMapper ?? createRestMapper(createDiscoveryClient(rest));
  const live = new LiveClient({ rest, restMapper, clock: options.clock ?? realClock });
  return withDefaults(options.cache === undefined ? live : cachedClient<WatchingClient>(live, options.cache), options);
}

function withDefaults(client: WatchingClient, options: ClientOptions): WatchingClient {
  const validated =
    options.fieldValidation === undefined ? client : withFieldValidation(client, options.fieldValidation);
  const owned = options.fieldOwner === undefined ? validated : withFieldOwner(validated, options.fieldOwner);
  return options.dryRun === true ? dryRunClient(owned) : owned;
}
