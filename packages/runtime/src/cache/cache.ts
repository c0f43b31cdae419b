import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { KindRef, Reader } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { CacheScopeError } from "./errors.ts";
import type { IndexFunction } from "./indexer.ts";
import type { Informer } from "./informer.ts";
import type { TransformFunction } from "./informer.ts";

/** How an informer is asked for. */
export interface GetInformerOptions {
  /** Waits until the informer is filled, if the cache runs; on unless false. */
  readonly blockUntilSynced?: boolean;
  /** Holds the metadata alone. */
  readonly metadataOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** Adds indexes by which cached lists select. */
export interface FieldIndexer {
  /**
   * Lets cached lists of a kind select by a field, whose values the function returns.
   *
   * Fails: `CacheIndexConflictError` when the field has an index already.
   */
  indexField<T extends KubernetesObject>(kind: KindRef<T>, field: string, valuesOf: IndexFunction<T>): Promise<void>;
}

/**
 * Holds objects that it keeps up to date by watching, and reads them without asking the server.
 *
 * Guarantees: objects are shared and deep-frozen, so changing one throws; a read comes after the server's state by an unbounded, mostly short time.
 * A kind is listed and watched from its first read, or from when an informer or index is asked for.
 */
export interface Cache extends Reader, FieldIndexer {
  /**
   * Returns the informer of a kind, which is started with the cache, or at once if that runs.
   *
   * Fails: `NoMatchError` when the server does not know the kind.
   */
  getInformer<T extends KubernetesObject>(kind: KindRef<T>, options?: GetInformerOptions): Promise<Informer<T>>;
  /** Stops watching a kind and forgets its objects; handlers and indexes go with it. */
  removeInformer(kind: GroupVersionKind, options?: { readonly metadataOnly?: boolean }): Promise<void>;
  /** Watches until the signal aborts. Fails: `CacheStartedTwiceError`. */
  start(signal: AbortSignal): Promise<void>;
  /** Waits until the cache runs and all its informers are filled; false when the signal aborts first. */
  waitForCacheSync(signal: AbortSignal): Promise<boolean>;
}

/** Which objects are held and how; what is absent is taken from the next more general place. */
export interface CacheScope {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly transform?: TransformFunction;
  /** Leaves held objects open to changes, which then reach everybody who reads them. */
  readonly unsafeDisableDeepFreeze?: boolean;
  readonly enableWatchBookmarks?: boolean;
  /** Tells handlers all objects again that often. */
  readonly syncPeriodMs?: number;
}

/** Scopes by namespace; the empty name stands for all namespaces that are not named. */
export type NamespaceScopes = Readonly<Record<string, CacheScope>>;

/** The scope of one kind. */
export interface KindScope extends CacheScope {
  readonly kind: GroupVersionKind;
  /** Holds only these namespaces; none named means all. */
  readonly namespaces?: NamespaceScopes;
}

/** Settings of a cache. */
export interface CacheOptions {
  /** 10 h unless given; each informer takes between 0.9 and 1.1 times that. */
  readonly syncPeriodMs?: number;
  /** Lets reads of a kind without informer fail in place of starting one. */
  readonly readerFailOnMissingInformer?: boolean;
  /** Holds only these namespaces; none named means all. */
  readonly defaultNamespaces?: NamespaceScopes;
  readonly defaultLabelSelector?: string;
  readonly defaultFieldSelector?: string;
  readonly defaultTransform?: TransformFunction;
  readonly defaultUnsafeDisableDeepFreeze?: boolean;
  readonly defaultEnableWatchBookmarks?: boolean;
  readonly byObject?: readonly KindScope[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly registry?: MetricsRegistry;
  /** Returns a number from 0 up to 1; replaced in tests. */
  readonly random?: () => number;
}

/** The scope of one informer. */
export interface InformerScope extends CacheScope {
  /** The namespace whose objects are looked for here; empty for all that have no informer of their own. */
  readonly namespace: string;
  /** The namespace that is listed and watched; empty for all. */
  readonly watchedNamespace: string;
}

type UnplacedScope = Omit<InformerScope, "watchedNamespace">;

const SYNC_PERIOD_MS = 36_000_000;

/**
 * Returns the scopes of a kind's informers, one per namespace that is held apart.
 *
 * Fails: {@link CacheScopeError} when namespaces are given for a kind that has none.
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

// Held namespaces are watched apart, so the watch over the rest leaves them out.
function without(scope: UnplacedScope, names: readonly string[]): UnplacedScope {
  const exclusions = names.filter((name) => name !== "").map((name) => `metadata.namespace!=${name}`);
  const terms = [...(scope.fieldSelector === undefined ? [] : [scope.fieldSelector]), ...exclusions];
  return terms.length === 0 ? scope : { ...scope, fieldSelector: terms.join(",") };
}

// Selecting by namespace needs no right on other namespaces when the namespace stands in the path.
function narrowed(scope: UnplacedScope): InformerScope {
  const selected = /(?:^|,)metadata\.namespace==?([^,]+)(?:,|$)/u.exec(scope.fieldSelector ?? "")?.[1];
  return { ...scope, watchedNamespace: scope.namespace === "" ? (selected ?? "") : scope.namespace };
}
