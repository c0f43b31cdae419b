import type { Client, SubResourceClient, WatchingClient } from "./client.ts";
import { delegatingClient, type ClientOverrides } from "./delegating-client.ts";

/** Makes the calls that take the place of a client's own; it gets the client to pass them on to. */
export type Interceptor = (client: WatchingClient) => ClientOverrides;

/** Makes the calls that take the place of a subresource client's own. */
export type SubResourceInterceptor = (client: SubResourceClient, name: string) => Partial<SubResourceClient>;

/** What an intercepted client answers itself. */
export interface Interceptors {
  readonly client?: Interceptor;
  readonly subResource?: SubResourceInterceptor;
}

/**
 * Returns a client some of whose calls a test or a wrapper answers itself; `status()` is the subresource `status`.
 *
 * @example
 * const failing = interceptedClient(client, {
 *   client: () => ({ get: () => Promise.reject(new Error("no network")) }),
 * });
 */
export function interceptedClient<C extends Client>(client: C, interceptors: Interceptors): C {
  const overrides = interceptors.client?.(client as unknown as WatchingClient) ?? {};
  const { subResource } = interceptors;
  return delegatingClient(client, {
    ...overrides,
    ...(subResource === undefined
      ? {}
      : { subResource: (name) => ({ ...client.subResource(name), ...subResource(client.subResource(name), name) }) }),
  });
}
