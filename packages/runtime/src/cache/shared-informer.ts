import { objectKey, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { CacheIndexConflictError, CacheSyncError } from "./errors.ts";
import { HandlerListener, type Notification } from "./handler-listener.ts";
import { Indexer, storeKey, type Indexers, type Lister } from "./indexer.ts";
import type { HandlerOptions, HandlerRegistration, Informer, ResourceEventHandler } from "./informer.ts";
import { Latch } from "./latch.ts";
import type { ListWatch } from "./list-watch.ts";
import { Reflector, type ReflectorStore } from "./reflector.ts";

/** Makes the object that is stored of the one that was received; it must stand its own results. */
export type TransformFunction = (object: KubernetesObject) => KubernetesObject;

/** What an informer works with. */
export interface SharedInformerOptions<T extends KubernetesObject> {
  readonly kind: GroupVersionKind;
  readonly listWatch: ListWatch<T>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Tells all handlers all objects again that often; 0 never. */
  readonly resyncPeriodMs: number;
  readonly transform?: TransformFunction | undefined;
  /** Leaves stored objects open to changes, which then reach everybody who reads them. */
  readonly unsafeDisableDeepFreeze?: boolean;
  readonly enableWatchBookmarks?: boolean;
  readonly registry?: MetricsRegistry;
  readonly random?: () => number;
}

const SHORTEST_RESYNC_MS = 1000;

/**
 * Holds all objects of a kind and tells handlers what happens to them.
 *
 * Guarantees: the store has changed before a handler is told of the change; each handler is told in order, and of the final state of every object.
 */
export class SharedInformer<T extends KubernetesObject> implements Informer<T>, ReflectorStore<T> {
  readonly #options: SharedInformerOptions<T>;
  readonly #store: Indexer<T>;
  readonly #listeners = new Set<HandlerListener<T>>();
  readonly #synced = new Latch();
  #lastError: unknown;
  #isStopped = false;

  constructor(options: SharedInformerOptions<T>) {
    this.#options = options;
    this.#store = new Indexer<T>(options.log);
  }

  /** What the informer holds. */
  get lister(): Lister<T> {
    return this.#store;
  }

  /** Watches until the signal aborts; resolves when no handler is being called any more. */
  async run(signal: AbortSignal): Promise<void> {
    const reflector = new Reflector<T>({
      ...this.#options,
      store: this,
      onError: (error) => {
        this.#lastError = error;
      },
    });
    await reflector.run(signal);
    this.#isStopped = true;
    await Promise.all([...this.#listeners].map(async (listener) => await listener.stop()));
  }

  addEventHandler(handler: ResourceEventHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    const resyncPeriodMs = options.resyncPeriodMs ?? this.#options.resyncPeriodMs;
    const listener: HandlerListener<T> = new HandlerListener<T>({
      handler,
      clock: this.#options.clock,
      log: this.#options.log,
      list: () => this.#store.list(),
      resyncPeriodMs: resyncPeriodMs > 0 ? Math.max(resyncPeriodMs, SHORTEST_RESYNC_MS) : 0,
      onRemove: () => this.#listeners.delete(listener),
    });
    this.#listeners.add(listener);
    for (const object of this.#store.list()) {
      listener.notify({ kind: "add", object, isInInitialList: true });
    }
    if (this.#synced.isOpen) {
      listener.notify({ kind: "synced" });
    }
    if (this.#isStopped) {
      void listener.stop();
    }
    return listener;
  }

  addIndexers(indexers: Indexers<T>): void {
    if (this.#isStopped) {
      throw new CacheIndexConflictError(Object.keys(indexers).join(", "), "comes after the informer has stopped");
    }
    this.#store.addIndexers(indexers);
  }

  hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves when the first list is in the store. Fails: {@link CacheSyncError} when the signal aborts first. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    try {
      await this.#synced.wait(signal);
    } catch (error) {
      throw new CacheSyncError(this.#options.kind, this.#lastError ?? error);
    }
  }

  replace(objects: readonly T[], resourceVersion: string): void {
    const stored = objects.flatMap((object) => this.#prepare(object));
    const isInInitialList = !this.#synced.isOpen;
    const old = this.#store.replace(stored);
    this.#store.resourceVersion = resourceVersion;
    this.#notifyGone(old, stored);
    for (const object of stored) {
      this.#notifyStored(old.get(storeKey(objectKey(object))), object, isInInitialList);
    }
    if (isInInitialList) {
      this.#notify({ kind: "synced" });
      this.#synced.open();
    }
  }

  upsert(object: T): void {
    for (const stored of this.#prepare(object)) {
      const old = this.#store.set(stored);
      this.#advance(stored);
      this.#notifyStored(old, stored, false);
    }
  }

  delete(object: T): void {
    const [last] = this.#prepare(object);
    const old = this.#store.delete(object);
    this.#advance(object);
    if (old !== undefined) {
      this.#notify({ kind: "delete", object: last ?? old, isStateUnknown: false });
    }
  }

  bookmark(resourceVersion: string): void {
    this.#store.resourceVersion = resourceVersion;
  }

  #prepare(object: T): readonly T[] {
    const { transform, unsafeDisableDeepFreeze, log } = this.#options;
    try {
      const transformed = transform === undefined ? object : (transform(object) as T);
      return [unsafeDisableDeepFreeze === true ? transformed : deepFreeze(transformed)];
    } catch (error) {
      log.error(error, "an object could not be transformed and is dropped", { ...objectKey(object) });
      return [];
    }
  }

  #advance(object: T): void {
    this.#store.resourceVersion = object.metadata.resourceVersion ?? this.#store.resourceVersion;
  }

  #notifyGone(old: ReadonlyMap<string, T>, stored: readonly T[]): void {
    const kept = new Set(stored.map((object) => storeKey(objectKey(object))));
    for (const [key, object] of old) {
      if (!kept.has(key)) {
        this.#notify({ kind: "delete", object, isStateUnknown: true });
      }
    }
  }

  #notifyStored(old: T | undefined, object: T, isInInitialList: boolean): void {
    this.#notify(
      old === undefined
        ? { kind: "add", object, isInInitialList }
        : { kind: "update", objectOld: old, objectNew: object },
    );
  }

  #notify(notification: Notification<T>): void {
    for (const listener of this.#listeners) {
      listener.notify(notification);
    }
  }
}
