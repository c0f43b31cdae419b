import {
  deepFreeze,
  type DeepReadonly,
  type GroupVersionKind,
  namespacedNameToString,
  objectKey,
  readableError,
  checkNumbers,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, type Timer, TurnShare } from "@kubescaffold/platform/clock";

import { frozenFields } from "../client/editable.ts";
import type { Stored } from "../client/partial-object.ts";
import { withoutCallScope } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { Fifo } from "../workqueue/queue-parts.ts";
import { CacheIndexConflictError, CacheNotRunningError, CacheSyncError, CacheTransformError } from "./errors.ts";
import { Indexer, type Indexers, type Lister } from "./indexer.ts";
import type {
  HandlerOptions,
  HandlerRegistration,
  Informer,
  ResourceEventHandler,
  TransformFunction,
} from "./informer.ts";
import { Latch } from "./latch.ts";
import { isTransient, type ListWatch } from "./list-watch.ts";
import { Reflector, type ReflectorStore } from "./reflector.ts";

/**
 * Options of a {@link SharedInformer}.
 *
 * client-go: tools/cache.SharedIndexInformerOptions
 */
export interface SharedInformerOptions<T extends KubernetesObject> {
  /** The kind of the objects. */
  readonly kind: GroupVersionKind;
  /** Accepts objects of any kind, for a resource whose kind is not known; `kind` is a name for messages. Default: false. */
  readonly acceptsAnyKind?: boolean;
  /** Lists and watches the objects. */
  readonly listWatch: ListWatch<T>;
  /** The clock of watches and resyncs. */
  readonly clock: Clock;
  /** The logger. */
  readonly log: Logger;
  /** The resync period in milliseconds; 0 disables resyncs. */
  readonly resyncPeriodMs: number;
  /** Transforms objects before they are stored. Default: no transformation. */
  readonly transform?: TransformFunction | undefined;
  /** Does not freeze stored objects, so that a change is visible to all readers. Default: false. */
  readonly unsafeDisableDeepFreeze?: boolean;
  /** Requests bookmarks; without them, the objects are listed, not streamed. Default: true. */
  readonly enableWatchBookmarks?: boolean;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** Returns a random number from 0 up to 1; replaced in tests. Default: `Math.random`. */
  readonly random?: () => number;
}

const SHORTEST_RESYNC_MS = 1000;

/**
 * Stores the objects of a kind and notifies handlers of changes.
 *
 * Guarantees: the store changes before handlers are notified; each handler is notified in order, and of the final state of every object.
 *
 * client-go: tools/cache.SharedIndexInformer
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

  /** The number of cached objects. */
  get size(): number {
    return this.#store.size;
  }

  /** The stored objects. */
  get lister(): Lister<T> {
    return this.#store;
  }

  /** Watches until the signal aborts; resolves when all handler calls have completed. */
  async run(signal: AbortSignal): Promise<void> {
    const reflector = new Reflector<T>({
      ...this.#options,
      store: this,
      onError: (error) => {
        this.#lastError = error;
        if (isTransient(error)) {
          this.#synced.admitReaders();
        } else {
          this.#synced.refuseReaders(new CacheSyncError(this.#options.kind, error));
        }
      },
    });
    await reflector.run(signal);
    this.#isStopped = true;
    const reason = new CacheNotRunningError(`sync ${this.#options.kind.kind}`, "has stopped");
    this.refuse(reason);
    await Promise.all([...this.#listeners].map(async (listener) => await listener.stop(reason)));
  }

  /** Rejects everyone who waits for the first list, which will not come. */
  refuse(reason: Error): void {
    this.#synced.fail(reason);
  }

  addEventHandler(handler: ResourceEventHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    // The handler outlives the reconcile that adds it.
    return withoutCallScope(() => this.#addEventHandler(handler, options));
  }

  #addEventHandler(handler: ResourceEventHandler<T>, options: HandlerOptions): HandlerRegistration {
    checkNumbers("the event handler", options, { resyncPeriodMs: "duration" });
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
      void listener.stop(new CacheNotRunningError(`sync ${this.#options.kind.kind}`, "has stopped"));
    }
    return listener;
  }

  addIndexers(indexers: Indexers<T>): void {
    if (this.#isStopped) {
      throw new CacheIndexConflictError(Object.keys(indexers).join(", "), "was added after the informer had stopped");
    }
    this.#store.addIndexers(indexers);
  }

  hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Resolves when the first list is stored.
   *
   * Fails: {@link CacheSyncError} when the signal aborts first, or the reason of {@link refuse}.
   */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    await this.#waitForSync(signal, {});
  }

  /** Like {@link waitForSync}, but also fails when the server refuses to list the kind, which retries rarely change. */
  async waitForRead(signal?: AbortSignal): Promise<void> {
    await this.#waitForSync(signal, { isReader: true });
  }

  async #waitForSync(signal: AbortSignal | undefined, options: { readonly isReader?: boolean }): Promise<void> {
    try {
      await this.#synced.wait(signal, options);
    } catch (error) {
      throw signal?.aborted === true ? new CacheSyncError(this.#options.kind, this.#lastError ?? error) : error;
    }
  }

  async replace(objects: Iterable<T>, resourceVersion: string): Promise<void> {
    const staged = this.#store.stage();
    await inTurns(objects, (object) => staged.set(this.#prepare(object)));
    const isInInitialList = !this.#synced.isOpen;
    const old = this.#store.adopt(staged);
    this.#store.resourceVersion = resourceVersion;
    // A handler that is added from now on receives the objects of the store.
    const listeners = [...this.#listeners];
    await inTurns(old.values(), (object) => {
      if (this.#store.get(objectKey(object)) === undefined) {
        notify(listeners, { kind: "delete", object, isStateUnknown: true });
      }
    });
    await inTurns(this.#store.list(), (object) => {
      notify(listeners, changeOf(old.get(object.metadata), object, isInInitialList));
    });
    if (isInInitialList) {
      notify(this.#listeners, { kind: "synced" });
      this.#synced.open();
    }
  }

  upsert(object: T): void {
    const stored = this.#prepareEvent(object);
    if (stored !== undefined) {
      const old = this.#store.set(stored);
      this.#advance(stored);
      notify(this.#listeners, changeOf(old, stored, false));
    }
  }

  delete(object: T): void {
    const last = this.#prepareEvent(object);
    const old = this.#store.delete(object);
    this.#advance(object);
    if (old !== undefined) {
      notify(this.#listeners, { kind: "delete", object: last ?? old, isStateUnknown: false });
    }
  }

  bookmark(resourceVersion: string): void {
    this.#store.resourceVersion = resourceVersion;
  }

  #prepare(object: T): DeepReadonly<Stored<T>> {
    const { kind, transform, unsafeDisableDeepFreeze } = this.#options;
    try {
      const transformed = transform === undefined ? object : (transform(object) as T | undefined);
      if (transformed?.metadata === undefined) {
        throw new TypeError("the transform returned no object");
      }
      return (unsafeDisableDeepFreeze === true ? transformed : deepFreeze(transformed)) as DeepReadonly<Stored<T>>;
    } catch (cause) {
      throw new CacheTransformError(kind, { name: namespacedNameToString(objectKey(object)), cause });
    }
  }

  #prepareEvent(object: T): DeepReadonly<Stored<T>> | undefined {
    try {
      return this.#prepare(object);
    } catch (error) {
      this.#options.log.error(error, "cannot transform an object, dropping its event", { ...objectKey(object) });
      return undefined;
    }
  }

  #advance(object: ReadonlyObject): void {
    this.#store.resourceVersion = object.metadata.resourceVersion ?? this.#store.resourceVersion;
  }
}

/** Works through many objects, and lets timers and requests run in between. */
async function inTurns<T>(objects: Iterable<T>, work: (object: T) => void): Promise<void> {
  const turns = TurnShare.ofTime();
  for (const object of objects) {
    work(object);
    const pause = turns.step();
    if (pause !== undefined) {
      await pause;
    }
  }
}

function changeOf<T extends KubernetesObject>(
  old: DeepReadonly<Stored<T>> | undefined,
  object: DeepReadonly<Stored<T>>,
  isInInitialList: boolean,
): Notification<T> {
  return old === undefined
    ? { kind: "add", object, isInInitialList }
    : { kind: "update", objectOld: old, objectNew: object };
}

function notify<T extends KubernetesObject>(
  listeners: Iterable<HandlerListener<T>>,
  notification: Notification<T>,
): void {
  for (const listener of listeners) {
    listener.notify(notification);
  }
}

/** A notification of a handler. */
type Notification<T extends KubernetesObject> =
  | { readonly kind: "add"; readonly object: DeepReadonly<Stored<T>>; readonly isInInitialList: boolean }
  | {
      readonly kind: "update";
      readonly objectOld: DeepReadonly<Stored<T>>;
      readonly objectNew: DeepReadonly<Stored<T>>;
    }
  | { readonly kind: "delete"; readonly object: DeepReadonly<Stored<T>>; readonly isStateUnknown: boolean }
  /** All initial objects were delivered. */
  | { readonly kind: "synced" };

/** Options of a {@link HandlerListener}. */
interface HandlerListenerOptions<T extends KubernetesObject> {
  readonly handler: ResourceEventHandler<T>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns all objects for a resync. */
  readonly list: () => readonly DeepReadonly<Stored<T>>[];
  readonly resyncPeriodMs: number;
  readonly onRemove: () => void;
}

// Synchronous handlers never yield to the event loop.
const CALLS_PER_TURN = 512;

/** Notifies one handler from a separate, unbounded queue, so that a slow handler delays no other. */
class HandlerListener<T extends KubernetesObject> implements HandlerRegistration {
  readonly #options: HandlerListenerOptions<T>;
  readonly #line = new Fifo<Notification<T>>();
  readonly #synced = new Latch();
  #running: Promise<void> | undefined;
  #resyncTimer: Timer | undefined;
  #isStopped = false;

  constructor(options: HandlerListenerOptions<T>) {
    this.#options = options;
    this.#armResync();
  }

  /** The number of pending notifications. */
  get backlog(): number {
    return this.#line.size;
  }

  notify(notification: Notification<T>): void {
    if (this.#isStopped) {
      return;
    }
    this.#line.push(notification);
    this.#running ??= this.#run();
  }

  hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await this.#synced.wait(signal);
  }

  remove(): void {
    void this.stop();
    this.#options.onRemove();
  }

  /** Drops pending notifications; resolves when the current call has completed. */
  async stop(reason?: Error): Promise<void> {
    this.#isStopped = true;
    if (reason !== undefined) {
      this.#synced.fail(reason);
    }
    this.#line.clear();
    this.#resyncTimer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Handlers never run while the store changes.
    await Promise.resolve();
    let calls = 0;
    for (let next = this.#line.shift(); next !== undefined; next = this.#line.shift()) {
      const pending = this.#tell(next);
      if (pending !== undefined) {
        await pending;
      }
      calls += 1;
      if (calls % CALLS_PER_TURN === 0) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    }
    this.#running = undefined;
  }

  #tell(notification: Notification<T>): Promise<void> | undefined {
    try {
      const pending = this.#call(notification);
      return pending instanceof Promise
        ? pending.catch((error: unknown) => this.#report(error, notification))
        : undefined;
    } catch (error) {
      this.#report(error, notification);
      return undefined;
    }
  }

  #call(notification: Notification<T>): void | Promise<void> {
    const { handler } = this.#options;
    switch (notification.kind) {
      case "add":
        return handler.onAdd(notification.object, notification.isInInitialList);
      case "update":
        return handler.onUpdate(notification.objectOld, notification.objectNew);
      case "delete":
        return handler.onDelete(notification.object, notification.isStateUnknown);
      case "synced":
        return this.#synced.open();
      default:
        return notification satisfies never;
    }
  }

  #report(thrown: unknown, notification: Notification<T>): void {
    const error = readableError(thrown);
    const object = notification.kind === "update" ? notification.objectNew : objectOf(notification);
    this.#options.log.error(error, "an event handler failed, dropping the event", {
      event: notification.kind,
      ...(object === undefined ? {} : objectKey(object)),
      ...frozenFields(error),
    });
  }

  #armResync(): void {
    const { clock, resyncPeriodMs, list } = this.#options;
    if (resyncPeriodMs <= 0) {
      return;
    }
    this.#resyncTimer = clock
      .setTimeout(() => {
        for (const object of this.#synced.isOpen ? list() : []) {
          this.notify({ kind: "update", objectOld: object, objectNew: object });
        }
        this.#armResync();
      }, resyncPeriodMs)
      .unref();
  }
}

function objectOf<T extends KubernetesObject>(notification: Notification<T>): DeepReadonly<Stored<T>> | undefined {
  return "object" in notification ? notification.object : undefined;
}
