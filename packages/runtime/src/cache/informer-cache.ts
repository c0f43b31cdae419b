import {
  type DeepReadonly,
  type GroupVersionKind,
  gvkToString,
  type NamespacedName,
  StatusError,
  checkNumbers,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import { type Clock, realClock, untilAborted, whenAborted } from "@kubescaffold/platform/clock";

import type { KindRef, LiveClient, ObjectKey, UnstructuredObject } from "../client/client.ts";
import type { GetOptions, ListOptions } from "../client/options.ts";
import type { ReadObject, Stored } from "../client/partial-object.ts";
import type { Scope } from "../discovery/rest-mapping.ts";
import { callSignal, withoutCallScope } from "../log/call-scope.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { CacheSampled, Observer } from "../observe/observer.ts";
import { startSampling } from "../observe/sampling.ts";
import { type Cache, type CacheOptions, type GetInformerOptions, type InformerScope, informerScopes } from "./cache.ts";
import { fieldIndexName, listFrom, type ScopedLister } from "./cached-list.ts";
import { CacheNamespaceError, CacheNoInformerError, CacheNotRunningError, CacheStartedTwiceError } from "./errors.ts";
import type { Indexers, IndexFunction, Lister } from "./indexer.ts";
import type { HandlerOptions, HandlerRegistration, Informer, ResourceEventHandler } from "./informer.ts";
import { Latch } from "./latch.ts";
import { createListWatch } from "./list-watch.ts";
import { SharedInformer } from "./shared-informer.ts";

/**
 * Creates a cache that lists and watches with a client.
 *
 * controller-runtime: pkg/cache.New
 */
export function createCache(client: LiveClient, options: CacheOptions = {}): Cache {
  checkNumbers("the cache", options, { syncPeriodMs: "duration" });
  return new InformerCache(client, options);
}

class InformerCache implements Cache {
  readonly #client: LiveClient;
  readonly #options: CacheOptions;
  readonly #kinds = new Map<string, Promise<KindInformers<KubernetesObject>>>();
  // Those of #kinds that were mapped, which needs the server.
  readonly #mapped = new Map<string, KindInformers<KubernetesObject>>();
  readonly #started = new Latch();
  readonly #stopping = new AbortController();
  #hasStarted = false;
  #isStopped = false;

  constructor(client: LiveClient, options: CacheOptions) {
    this.#client = client;
    this.#options = {
      clock: realClock,
      random: Math.random,
      ...options,
      logger: (options.logger ?? rootLog).withName("cache"),
    };
  }

  async get<T extends KubernetesObject = UnstructuredObject, const O extends GetOptions = GetOptions>(
    kind: KindRef<T>,
    key: ObjectKey,
    given?: O,
  ): Promise<DeepReadonly<Stored<ReadObject<T, O>>>> {
    const options: GetOptions = given ?? {};
    const informers = await this.#readable(kind, options, `read ${kind.kind}`);
    const object = informers.get({ namespace: key.namespace ?? "", name: key.name });
    if (object === undefined) {
      throw await this.#notFound(kind, key);
    }
    return object as DeepReadonly<Stored<ReadObject<T, O>>>;
  }

  async list<T extends KubernetesObject = UnstructuredObject, const O extends ListOptions = ListOptions>(
    kind: KindRef<T>,
    given?: O,
  ): Promise<ListOf<DeepReadonly<Stored<ReadObject<T, O>>>>> {
    const options: ListOptions = given ?? {};
    const informers = await this.#readable(kind, options, `list ${kind.kind}`);
    return listFrom(informers, kind, options) as ListOf<DeepReadonly<Stored<ReadObject<T, O>>>>;
  }

  async getInformer<T extends KubernetesObject, const O extends GetInformerOptions = GetInformerOptions>(
    kind: KindRef<T>,
    given?: O,
  ): Promise<Informer<ReadObject<T, O>>> {
    const options: GetInformerOptions = given ?? {};
    const signal = callSignal(options.signal);
    const informers = await this.#informersOf(kind, options.metadataOnly === true, signal);
    if (options.blockUntilSynced !== false && this.#started.isOpen) {
      await informers.waitForSync(signal);
    }
    // Metadata-only informers have separate stores, of marked objects.
    return informers as unknown as Informer<ReadObject<T, O>>;
  }

  async removeInformer(kind: GroupVersionKind, options: { readonly metadataOnly?: boolean } = {}): Promise<void> {
    const name = cacheKey(kind, options.metadataOnly === true);
    const informers = this.#kinds.get(name);
    this.#kinds.delete(name);
    this.#mapped.delete(name);
    await (await informers)?.stop(new CacheNoInformerError(kind, "was removed from the cache"));
  }

  async indexField<T extends KubernetesObject>(
    kind: KindRef<T>,
    field: string,
    valuesOf: IndexFunction<T>,
  ): Promise<void> {
    const informer = await this.getInformer(kind, { blockUntilSynced: false });
    informer.addIndexers({ [fieldIndexName(field)]: valuesOf });
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#hasStarted) {
      throw new CacheStartedTwiceError();
    }
    this.#hasStarted = true;
    this.#started.open();
    for (const informers of this.#kinds.values()) {
      void informers.then((each) => each.start()).catch(() => undefined);
    }
    await whenAborted(signal);
    this.#isStopped = true;
    const reason = new CacheNotRunningError("sync the cache", "has stopped");
    // A server that does not answer must not delay the stop.
    this.#stopping.abort(reason);
    await Promise.allSettled([...this.#mapped.values()].map(async (informers) => await informers.stop(reason)));
  }

  async waitForCacheSync(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#started.wait(signal);
      await Promise.all(
        [...this.#kinds].map(async ([name, informers]) => {
          try {
            await (await this.#untilMapped(informers, signal)).waitForSync(signal);
          } catch (error) {
            // A removed kind is not part of the cache.
            if (this.#kinds.get(name) === informers || signal.aborted) {
              throw error;
            }
          }
        }),
      );
      return true;
    } catch {
      return false;
    }
  }

  async #readable<T extends KubernetesObject>(
    kind: KindRef<T>,
    options: { readonly metadataOnly?: boolean; readonly signal?: AbortSignal },
    what: string,
  ): Promise<KindInformers<T>> {
    const metadataOnly = options.metadataOnly === true;
    if (!this.#started.isOpen) {
      throw new CacheNotRunningError(what, "is not started");
    }
    if (!this.#kinds.has(cacheKey(kind, metadataOnly))) {
      if (this.#isStopped) {
        throw new CacheNotRunningError(what, "has stopped");
      }
      if (this.#options.readerFailOnMissingInformer === true) {
        throw new CacheNoInformerError(kind);
      }
      this.#options.logger?.info("a read starts an informer for the kind", { kind: gvkToString(kind) });
    }
    const signal = callSignal(options.signal);
    const informers = await this.#informersOf(kind, metadataOnly, signal);
    if (!informers.hasSynced()) {
      await informers.waitForRead(signal);
    }
    return informers;
  }

  async #informersOf<T extends KubernetesObject>(
    kind: KindRef<T>,
    metadataOnly: boolean,
    signal: AbortSignal | undefined,
  ): Promise<KindInformers<T>> {
    const name = cacheKey(kind, metadataOnly);
    // The caller knows the type of a kind's objects; every kind has one store.
    const mapped = this.#mapped.get(name) as KindInformers<T> | undefined;
    if (mapped !== undefined) {
      return mapped;
    }
    const known = this.#kinds.get(name) as Promise<KindInformers<T>> | undefined;
    const informers = known ?? this.#startCreating(kind, name, metadataOnly);
    return await this.#untilMapped(informers, signal);
  }

  // A server that does not answer must delay neither the stop nor the end of a call.
  async #untilMapped<T>(informers: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return await untilAborted(untilAborted(informers, this.#stopping.signal), signal);
  }

  // oxlint-disable-next-line typescript/promise-function-async -- the caller waits until the cache stops
  #startCreating<T extends KubernetesObject>(
    kind: KindRef<T>,
    name: string,
    metadataOnly: boolean,
  ): Promise<KindInformers<T>> {
    // The first reader must not end the watch with its signal.
    const created = withoutCallScope(async () => await this.#createAndStart(kind, name, metadataOnly));
    const stored = created as unknown as Promise<KindInformers<KubernetesObject>>;
    this.#kinds.set(name, stored);
    // The kind may have been removed, and read again, in the meantime.
    const isCurrent = (): boolean => this.#kinds.get(name) === stored;
    stored.then(
      (informers) => isCurrent() && this.#mapped.set(name, informers),
      () => isCurrent() && this.#kinds.delete(name),
    );
    return created;
  }

  async #createAndStart<T extends KubernetesObject>(
    kind: KindRef<T>,
    name: string,
    metadataOnly: boolean,
  ): Promise<KindInformers<T>> {
    const informers = await this.#create(kind, metadataOnly);
    if (this.#isStopped) {
      void informers.stop(new CacheNotRunningError(`watch ${kind.kind}`, "has stopped"));
    } else if (this.#started.isOpen && this.#kinds.has(name)) {
      informers.start();
    }
    return informers;
  }

  async #create<T extends KubernetesObject>(kind: KindRef<T>, metadataOnly: boolean): Promise<KindInformers<T>> {
    const { scope } = await this.#client.restMapper.restMapping(kind);
    const members = informerScopes(kind, scope === "namespaced", this.#options).map(
      (scope) => [scope.namespace, this.#createInformer(kind, scope, metadataOnly)] as const,
    );
    const informers = new KindInformers(kind, scope, new Map(members));
    const { observer, clock = realClock } = this.#options;
    if (observer !== undefined) informers.observe(observer, { clock, isMetadataOnly: metadataOnly });
    return informers;
  }

  #createInformer<T extends KubernetesObject>(
    kind: KindRef<T>,
    scope: InformerScope,
    metadataOnly: boolean,
  ): SharedInformer<T> {
    const { clock = realClock, logger = rootLog, random = Math.random, registry } = this.#options;
    const {
      syncPeriodMs = 0,
      watchedNamespace: namespace,
      namespace: _heldAs,
      labelSelector,
      fieldSelector,
      ...rest
    } = scope;
    return new SharedInformer<T>({
      ...rest,
      kind,
      clock,
      log: logger.withValues({ kind: kind.kind }),
      random,
      ...(registry === undefined ? {} : { registry }),
      resyncPeriodMs: syncPeriodMs * (0.9 + 0.2 * random()),
      listWatch: createListWatch(this.#client, kind, {
        ...(namespace === "" ? {} : { namespace }),
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
        ...(metadataOnly ? { metadataOnly } : {}),
      }),
    });
  }

  async #notFound(kind: GroupVersionKind, key: ObjectKey): Promise<StatusError> {
    const { gvr } = await this.#client.restMapper.restMapping(kind);
    const resource = gvr.group === "" ? gvr.resource : `${gvr.resource}.${gvr.group}`;
    return new StatusError({
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      status: "Failure",
      message: `${resource} ${JSON.stringify(key.name)} not found`,
      reason: "NotFound",
      details: { name: key.name, ...(gvr.group === "" ? {} : { group: gvr.group }), kind: gvr.resource },
      code: 404,
    });
  }
}

function cacheKey(kind: GroupVersionKind, metadataOnly: boolean): string {
  return `${gvkToString(kind)}${metadataOnly ? " metadata" : ""}`;
}

/** The informers of one kind: one, or one per separately cached namespace. */
class KindInformers<T extends KubernetesObject> implements Informer<T> {
  readonly #kind: GroupVersionKind;
  readonly #scope: Scope;
  readonly #members: ReadonlyMap<string, SharedInformer<T>>;
  readonly #stop = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(kind: GroupVersionKind, scope: Scope, members: ReadonlyMap<string, SharedInformer<T>>) {
    this.#kind = kind;
    this.#scope = scope;
    this.#members = members;
  }

  /** Sends the number of objects to an observer until the informers stop. */
  observe(
    observer: Observer,
    { clock, isMetadataOnly }: { readonly clock: Clock; readonly isMetadataOnly: boolean },
  ): void {
    const { group, version, kind: objectKind } = this.#kind;
    const read = (): Omit<CacheSampled, "at"> => ({
      kind: "cache",
      apiVersion: group === "" ? version : `${group}/${version}`,
      objectKind,
      isMetadataOnly,
      objects: this.#all().reduce((sum, { size }) => sum + size, 0),
      isSynced: this.hasSynced(),
    });
    startSampling(observer, read, { clock, signal: this.#stop.signal });
  }

  /** Starts watching unless it has started. */
  start(): void {
    this.#running ??= Promise.all(this.#all().map(async (informer) => await informer.run(this.#stop.signal)));
  }

  /** Stops watching and rejects waiters with the reason; resolves when all handler calls have completed. */
  async stop(reason: Error): Promise<void> {
    this.#stop.abort(reason);
    for (const informer of this.#all()) {
      informer.refuse(reason);
    }
    await this.#running;
  }

  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): HandlerRegistration {
    const members = this.#all();
    const shared = members.length > 1 ? inTurn(handler) : handler;
    const registrations = members.map((informer) => informer.addEventHandler(shared, options));
    return registrations.length === 1 && registrations[0] !== undefined
      ? registrations[0]
      : joinRegistrations(registrations);
  }

  addIndexers(indexers: Indexers<T>): void {
    for (const informer of this.#all()) {
      informer.addIndexers(indexers);
    }
  }

  hasSynced(): boolean {
    return this.#all().every((informer) => informer.hasSynced());
  }

  isStopped(): boolean {
    return this.#all().every((informer) => informer.isStopped());
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#all().map(async (informer) => await informer.waitForSync(signal)));
  }

  /** Resolves when all first lists are stored. Fails: `CacheSyncError` when the server refuses one, or the signal aborts first. */
  async waitForRead(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.#all().map(async (informer) => await informer.waitForRead(signal)));
  }

  get(key: NamespacedName): DeepReadonly<Stored<T>> | undefined {
    const namespace = this.#scope === "namespaced" ? key.namespace : "";
    return this.#listerFor(namespace).get({ namespace, name: key.name });
  }

  /** Returns the version up to which the store of a namespace has received changes; empty for a namespace that is not cached. */
  lastSyncResourceVersion(namespace: string): string {
    const key = this.#scope === "namespaced" ? namespace : "";
    return (this.#members.get(key) ?? this.#members.get(""))?.lister.resourceVersion ?? "";
  }

  /** Returns the stores of a namespace, or of all namespaces if it is empty. */
  listers(namespace: string): readonly ScopedLister<T>[] {
    return namespace === "" || this.#scope === "cluster"
      ? this.#all().map(({ lister }) => ({ lister, namespace: undefined }))
      : [{ lister: this.#listerFor(namespace), namespace }];
  }

  #listerFor(namespace: string): Lister<T> {
    const informer = this.#members.get(namespace) ?? this.#members.get("");
    if (informer === undefined) {
      throw new CacheNamespaceError(this.#kind, namespace);
    }
    return informer.lister;
  }

  #all(): readonly SharedInformer<T>[] {
    return [...this.#members.values()];
  }
}

/** Returns a handler for several informers; a call starts after the promise of the previous one resolves. */
function inTurn<T extends KubernetesObject>(handler: ResourceEventHandler<T>): ResourceEventHandler<T> {
  let last: Promise<void> | undefined;
  const call = (run: () => void | Promise<void>): void | Promise<void> => {
    const pending = last === undefined ? run() : last.then(run);
    if (!(pending instanceof Promise)) {
      return undefined;
    }
    const end: Promise<void> = pending
      .catch(() => undefined)
      .then(() => {
        if (last === end) {
          last = undefined;
        }
      });
    last = end;
    return pending;
  };
  return {
    onAdd: (object, isInInitialList) => call(() => handler.onAdd(object, isInInitialList)),
    onUpdate: (objectOld, objectNew) => call(() => handler.onUpdate(objectOld, objectNew)),
    onDelete: (object, isStateUnknown) => call(() => handler.onDelete(object, isStateUnknown)),
  };
}

function joinRegistrations(registrations: readonly HandlerRegistration[]): HandlerRegistration {
  return {
    hasSynced: () => registrations.every((registration) => registration.hasSynced()),
    waitForSync: async (signal) => {
      await Promise.all(registrations.map(async (registration) => await registration.waitForSync(signal)));
    },
    remove: () => registrations.forEach((registration) => registration.remove()),
  };
}
