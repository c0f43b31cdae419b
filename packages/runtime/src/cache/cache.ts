import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { KindRef, Reader } from "../client/client.ts";
import type { ReadObject } from "../client/partial-object.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { Observer } from "../observe/observer.ts";
import { CacheScopeError } from "./errors.ts";
import type { IndexFunction } from "./indexer.ts";
import type { Informer } from "./informer.ts";
import type { TransformFunction } from "./informer.ts";

/**
 * Options of {@link Cache.getInformer}.
 *
 * controller-runtime: pkg/cache.InformerGetOptions
 */
export interface GetInformerOptions {
  /** Waits until the informer has synced if the cache runs. Default: true. */
  readonly blockUntilSynced?: boolean;
  /** Caches only the metadata. Default: false. */
  readonly metadataOnly?: boolean;
  /** Cancels the wait when it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Adds indexes for cached lists.
 *
 * controller-runtime: pkg/client.FieldIndexer
 */
export interface FieldIndexer {
  /**
   * Indexes a kind by a field whose values the function returns, so that cached lists can select by it.
   *
   * Fails: `CacheIndexConflictError` when the field is indexed already.
   */
  indexField<T extends KubernetesObject>(kind: KindRef<T>, field: string, valuesOf: IndexFunction<T>): Promise<void>;
}

/**
 * Caches objects by watching them, and reads them without a request to the server.
 *
 * Guarantees: objects are shared and deep-frozen, so changing one throws; reads lag behind the server by an unbounded, mostly short time.
 * A kind is listed and watched from its first read, informer, or index on.
 *
 * controller-runtime: pkg/cache.Cache
 */
export interface Cache extends Reader, FieldIndexer {
  /**
   * Returns the informer of a kind; it starts with the cache, or immediately if the cache runs.
   *
   * Fails: `NoMatchError` when the server does not serve the kind.
   */
  getInformer<T extends KubernetesObject, const O extends GetInformerOptions = GetInformerOptions>(
    kind: KindRef<T>,
    options?: O,
  ): Promise<Informer<ReadObject<T, O>>>;
  /** Stops watching a kind and drops its objects, handlers, and indexes. */
  removeInformer(kind: GroupVersionKind, options?: { readonly metadataOnly?: boolean }): Promise<void>;
  /** Watches until the signal aborts. Fails: `CacheStartedTwiceError`. */
  start(signal: AbortSignal): Promise<void>;
  /** Waits until the cache runs and all its informers have synced; resolves to false when the signal aborts first. */
  waitForCacheSync(signal: AbortSignal): Promise<boolean>;
}

/**
 * The objects that are cached, and how; missing settings are inherited from the next more general scope.
 *
 * controller-runtime: pkg/cache.Config
 */
export interface CacheScope {
  /** Caches only objects that match this label selector. Default: all objects. */
  readonly labelSelector?: string;
  /** Caches only objects that match this field selector. Default: all objects. */
  readonly fieldSelector?: string;
  /** Transforms objects before they are stored. Default: no transformation. */
  readonly transform?: TransformFunction;
  /** Does not freeze cached objects, so that a change is visible to all readers. Default: false. */
  readonly unsafeDisableDeepFreeze?: boolean;
  /** Requests bookmarks; without them, the objects are listed, not streamed. Default: true. */
  readonly enableWatchBookmarks?: boolean;
  /** The resync period in milliseconds: handlers receive all objects again. Default: 36000000 (10 hours). */
  readonly syncPeriodMs?: number;
}

/** Scopes by namespace; the empty name applies to all namespaces that are not listed. */
export type NamespaceScopes = Readonly<Record<string, CacheScope>>;

/**
 * The scope of one kind.
 *
 * controller-runtime: pkg/cache.ByObject
 */
export interface KindScope extends CacheScope {
  /** The kind. */
  readonly kind: GroupVersionKind;
  /** Caches only these namespaces. Default: `defaultNamespaces` of the cache. */
  readonly namespaces?: NamespaceScopes;
}

/**
 * Settings of a cache.
 *
 * controller-runtime: pkg/cache.Options
 */
export interface CacheOptions {
  /** The resync period in milliseconds, multiplied by 0.9 to 1.1 per informer. Default: 36000000 (10 hours). */
  readonly syncPeriodMs?: number;
  /** Makes reads of a kind without an informer fail instead of starting one. Default: false. */
  readonly readerFailOnMissingInformer?: boolean;
  /** Caches only these namespaces. Default: all namespaces. */
  readonly defaultNamespaces?: NamespaceScopes;
  /** The label selector of all kinds. Default: all objects. */
  readonly defaultLabelSelector?: string;
  /** The field selector of all kinds. Default: all objects. */
  readonly defaultFieldSelector?: string;
  /** The transformation of all kinds. Default: none. */
  readonly defaultTransform?: TransformFunction;
  /** Does not freeze cached objects. Default: false. */
  readonly defaultUnsafeDisableDeepFreeze?: boolean;
  /** Requests bookmarks; without them, the objects are listed, not streamed. Default: true. */
  readonly defaultEnableWatchBookmarks?: boolean;
  /** Scopes by kind; they take precedence over the defaults. */
  readonly byObject?: readonly KindScope[];
  /** The clock of watches and resyncs. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The logger. Default: {@link log}. */
  readonly logger?: Logger;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** Receives the number of cached objects. Default: none. */
  readonly observer?: Observer;
  /** Returns a random number from 0 up to 1; replaced in tests. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The scope of one informer. */
export interface InformerScope extends CacheScope {
  /** The namespace that the informer serves; empty for all without a separate informer. */
  readonly namespace: string;
  /** The namespace in the request; empty for all. */
  readonly watchedNamespace: string;
}

type UnplacedScope = Omit<InformerScope, "watchedNamespace">;

const SYNC_PERIOD_MS = 36_000_000;

/**
 * Returns the scopes of a kind's informers, one per separately cached namespace.
 *
 * Fails: {@link CacheScopeError} when namespaces are set for a cluster-scoped kind.
 */
export function informerScopes(
  kind: GroupVersionKind,
  isNamespaced: boolean,
  options: CacheOptions,
): readonly InformerScope[] {
  const ownScope = scopeOf(kind, options);
  if (!isNamespaced) {
    if (Object.keys(ownScope?.namespaces ?? {}).some((namespace) => namespace !== "")) {
      throw new CacheScopeError(kind);
    }
    return [narrowed({ ...defaultScope(options), ...scopeFields(ownScope), namespace: "" })];
  }
  const namespaces = namespacesFor(ownScope, options);
  const names = Object.keys(namespaces);
  return (names.length === 0 ? [""] : names).map((namespace) => {
    const isOwn = ownScope?.namespaces !== undefined;
    const ofNamespace = scopeFields(namespaces[namespace]);
    const scope = {
      ...defaultScope(options),
      ...(isOwn ? {} : ofNamespace),
      ...scopeFields(ownScope),
      ...(isOwn ? ofNamespace : {}),
      namespace,
    };
    return narrowed(namespace === "" ? without(scope, names) : scope);
  });
}

function scopeOf(kind: GroupVersionKind, options: CacheOptions): KindScope | undefined {
  return options.byObject?.find(
    (scope) => scope.kind.group === kind.group && scope.kind.version === kind.version && scope.kind.kind === kind.kind,
  );
}

function namespacesFor(ownScope: KindScope | undefined, options: CacheOptions): NamespaceScopes {
  return ownScope?.namespaces ?? options.defaultNamespaces ?? {};
}

function defaultScope(options: CacheOptions): CacheScope {
  const { defaultLabelSelector, defaultFieldSelector, defaultTransform } = options;
  return {
    syncPeriodMs: options.syncPeriodMs ?? SYNC_PERIOD_MS,
    unsafeDisableDeepFreeze: options.defaultUnsafeDisableDeepFreeze ?? false,
    enableWatchBookmarks: options.defaultEnableWatchBookmarks ?? true,
    ...(defaultLabelSelector === undefined ? {} : { labelSelector: defaultLabelSelector }),
    ...(defaultFieldSelector === undefined ? {} : { fieldSelector: defaultFieldSelector }),
    ...(defaultTransform === undefined ? {} : { transform: defaultTransform }),
  };
}

function scopeFields(
  scope: (CacheScope & { readonly kind?: unknown; readonly namespaces?: unknown }) | undefined,
): CacheScope {
  const { kind: _kind, namespaces: _namespaces, ...fields } = scope ?? {};
  return fields;
}

// Listed namespaces have separate watches, so the watch of all others excludes them.
function without(scope: UnplacedScope, names: readonly string[]): UnplacedScope {
  const exclusions = names.filter((name) => name !== "").map((name) => `metadata.namespace!=${name}`);
  const terms = [...(scope.fieldSelector === undefined ? [] : [scope.fieldSelector]), ...exclusions];
  return terms.length === 0 ? scope : { ...scope, fieldSelector: terms.join(",") };
}

// With the namespace in the path, the watch needs no permissions in other namespaces.
function narrowed(scope: UnplacedScope): InformerScope {
  const selected = /(?:^|,)metadata\.namespace==?([^,]+)(?:,|$)/u.exec(scope.fieldSelector ?? "")?.[1];
  return { ...scope, watchedNamespace: scope.namespace === "" ? (selected ?? "") : scope.namespace };
}
