import { apiVersionOf, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Client, KindRef, Reader, SubResourceClient, WatchingClient } from "./client.ts";
import type { ApplyOptions, DeleteOptions, FieldValidation, WriteOptions } from "./options.ts";

/** The methods that a wrapper replaces. */
type ClientOverrides = Partial<Omit<WatchingClient, "restMapper">>;

/** Returns a client that overrides some methods and delegates all others to another client. */
export function delegatingClient<C extends Client>(client: C, overrides: ClientOverrides): C {
  const inner: Client & Partial<Pick<WatchingClient, "watch">> = client;
  const outer: Client = {
    restMapper: inner.restMapper,
    get: (kind, key, options) => inner.get(kind, key, options),
    list: (kind, options) => inner.list(kind, options),
    create: (object, options) => inner.create(object, options),
    update: (object, options) => inner.update(object, options),
    patch: (object, patch, options) => inner.patch(object, patch, options),
    apply: (configuration, options) => inner.apply(configuration, options),
    delete: (object, options) => inner.delete(object, options),
    deleteAllOf: (kind, options) => inner.deleteAllOf(kind, options),
    status: () => outer.subResource("status"),
    subResource: (name) => inner.subResource(name),
    isNamespaced: (kind) => inner.isNamespaced(kind),
    ...(inner.watch === undefined ? {} : { watch: inner.watch.bind(inner) }),
    ...overrides,
  };
  // The type is preserved, since `watch` is delegated, too.
  return outer as C;
}

/** The reads that a cache serves. */
export interface CachedReads {
  /** The cache. */
  readonly reader: Reader;
  /** Kinds that are always read from the server. Default: none. */
  readonly disableFor?: readonly GroupVersionKind[];
  /** Serves reads by plain group, version, and kind from the cache, too. Default: false. */
  readonly unstructured?: boolean;
}

/** Returns a client that reads from a cache and writes to the server. */
export function cachedClient<C extends Client>(client: C, reads: CachedReads): C {
  const isCached = cachedKinds(reads);
  const readerFor = (kind: KindRef<KubernetesObject>): Reader => (isCached(kind) ? reads.reader : client);
  return delegatingClient(client, {
    get: (kind, key, options) => readerFor(kind).get(kind, key, options),
    list: (kind, options) => readerFor(kind).list(kind, options),
  });
}

/** Returns a function that reports whether a kind is read from the cache. */
export function cachedKinds({
  disableFor = [],
  unstructured = false,
}: Omit<CachedReads, "reader">): (kind: KindRef<KubernetesObject>) => boolean {
  const disabled = new Set(disableFor.map(identify));
  return (kind) => (kind.create !== undefined || unstructured) && !disabled.has(identify(kind));
}

function identify(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`;
}

/** Returns replacements for methods of a client; the original client is passed to call through. */
export type Interceptor = (client: WatchingClient) => ClientOverrides;

/** Returns replacements for methods of a subresource client. */
export type SubResourceInterceptor = (client: SubResourceClient, name: string) => Partial<SubResourceClient>;

/**
 * The replaced methods of an intercepted client.
 *
 * controller-runtime: pkg/client/interceptor.Funcs
 */
export interface Interceptors {
  /** Replaces methods of the client. */
  readonly client?: Interceptor;
  /** Replaces methods of its subresource clients. */
  readonly subResource?: SubResourceInterceptor;
}

/**
 * Returns a client with some methods replaced by a test or a wrapper; `status()` is the subresource `status`.
 *
 * controller-runtime: pkg/client/interceptor.NewClient
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

/**
 * Returns a client whose writes are validated by the server and never stored, regardless of the call's options.
 *
 * controller-runtime: pkg/client.NewDryRunClient
 */
export function dryRunClient<C extends Client>(client: C): C {
  const dryRun = { dryRun: true };
  return withWriteDefaults(client, { write: () => dryRun, apply: () => dryRun, remove: () => dryRun });
}

/**
 * Returns a client with a default field manager for writes, including apply.
 *
 * controller-runtime: pkg/client.WithFieldOwner
 */
export function withFieldOwner<C extends Client>(client: C, fieldOwner: string): C {
  const owned = (options: { readonly fieldOwner?: string } | undefined): { readonly fieldOwner: string } => ({
    fieldOwner: options?.fieldOwner ?? fieldOwner,
  });
  return withWriteDefaults(client, { write: owned, apply: owned, remove: () => ({}) });
}

/**
 * Returns a client with a default field validation for writes, except apply.
 *
 * controller-runtime: pkg/client.WithFieldValidation
 */
export function withFieldValidation<C extends Client>(client: C, fieldValidation: FieldValidation): C {
  return withWriteDefaults(client, {
    write: (options) => ({ fieldValidation: options?.fieldValidation ?? fieldValidation }),
    apply: () => ({}),
    remove: () => ({}),
  });
}

/** The options that a wrapper adds to writes. */
interface WriteDefaults {
  readonly write: (options: WriteOptions | undefined) => WriteOptions;
  readonly apply: (options: ApplyOptions | undefined) => ApplyOptions;
  readonly remove: (options: DeleteOptions | undefined) => DeleteOptions;
}

/** Returns a client that adds options to writes, including those of subresources. */
function withWriteDefaults<C extends Client>(client: C, { write, apply, remove }: WriteDefaults): C {
  return delegatingClient(client, {
    create: (object, options) => client.create(object, { ...options, ...write(options) }),
    update: (object, options) => client.update(object, { ...options, ...write(options) }),
    patch: (object, patch, options) => client.patch(object, patch, { ...options, ...write(options) }),
    apply: (configuration, options) => client.apply(configuration, { ...options, ...apply(options) }),
    delete: (object, options) => client.delete(object, { ...options, ...remove(options) }),
    deleteAllOf: (kind, options) => client.deleteAllOf(kind, { ...options, ...remove(options) }),
    subResource: (name) => subResourceDefaults(client.subResource(name), { write, apply, remove }),
  });
}

function subResourceDefaults(client: SubResourceClient, { write, apply }: WriteDefaults): SubResourceClient {
  return {
    get: (object, options) => client.get(object, options),
    create: (object, body, options) => client.create(object, body, { ...options, ...write(options) }),
    update: (object, options) => client.update(object, { ...options, ...write(options) }),
    patch: (object, patch, options) => client.patch(object, patch, { ...options, ...write(options) }),
    apply: (configuration, options) => client.apply(configuration, { ...options, ...apply(options) }),
  };
}
