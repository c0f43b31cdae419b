import { apiVersionOf, type GroupVersionKind, gvkOf, ignoreNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, sleep, untilAborted } from "@kubescaffold/platform/clock";

import { callSignal, withoutCallScope } from "../log/call-scope.ts";
import { readYourWritesMetrics } from "../metrics/client-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { Client, KindRef, ObjectKey, Reader, SubResourceClient } from "./client.ts";
import type { CallOptions, ReadYourWritesCallOptions, WriteOptions } from "./options.ts";
import { delegatingClient } from "./wrapped-clients.ts";
import { type CachedForm, parseVersion, versionOf, WriteRecord } from "./write-record.ts";

// An informer can be removed while a read waits for it.
const RECHECK_MS = 1000;

/** A reader with informers: a cache. */
export interface InformerReader extends Reader {
  /** Returns the informer of a kind, once it has synced. */
  getInformer(
    kind: GroupVersionKind,
    options: { readonly metadataOnly: boolean; readonly signal?: AbortSignal },
  ): Promise<ObservableInformer>;
}

/** What is needed of an informer. */
interface ObservableInformer {
  addEventHandler(handler: {
    readonly onAdd: (object: ReadonlyObject) => void;
    readonly onUpdate: (objectOld: ReadonlyObject, objectNew: ReadonlyObject) => void;
    readonly onDelete: (object: ReadonlyObject) => void;
  }): { waitForSync(signal: AbortSignal): Promise<void> };
  hasSynced(): boolean;
  isStopped(): boolean;
  /** Returns the version up to which the store of a namespace has received changes, also those before the first handler. */
  lastSyncResourceVersion?(namespace: string): string;
}

/** The surroundings of {@link readYourWritesClient}. */
export interface ReadYourWritesOptions {
  /** The cache that the client reads from. */
  readonly cache: InformerReader;
  /** Reports whether the client reads a kind from the cache. */
  readonly isCached: (kind: KindRef<KubernetesObject>) => boolean;
  readonly clock: Clock;
  readonly registry?: MetricsRegistry | undefined;
}

/**
 * Returns a client whose cached reads wait until the cache contains the writes of this client that began before the read.
 *
 * A `get` waits for the writes to its object, a `list` for those to all objects of the kind. `deleteAllOf` and creations of subresources are not waited for.
 */
export function readYourWritesClient<C extends Client>(client: C, options: ReadYourWritesOptions): C {
  const kinds = new WrittenKinds(options);
  const write = async <T extends ReadonlyObject>(
    object: Partial<ReadonlyObject> & Pick<ReadonlyObject, "apiVersion" | "kind" | "metadata">,
    settings: (ReadYourWritesCallOptions & Pick<WriteOptions, "dryRun">) | undefined,
    send: () => Promise<T>,
  ): Promise<T> => {
    if (settings?.disableReadYourWrites === true || settings?.dryRun === true) return await send();
    const record = kinds.recordOf(gvkOf(object));
    // The server chooses the name of an object without one.
    const key = object.metadata.name === undefined ? undefined : keyOf(object.metadata);
    return await record.run(key, async () => {
      const written = await send();
      record.written(key ?? keyOf(written.metadata), written.metadata.resourceVersion);
      return written;
    });
  };
  const subResource = (name: string): SubResourceClient => {
    const inner = client.subResource(name);
    return {
      get: async (object, settings) => await inner.get(object, settings),
      create: async (object, body, settings) => await inner.create(object, body, settings),
      update: async (object, settings) =>
        await write(object, settings, async () => await inner.update(object, settings)),
      patch: async (object, patch, settings) =>
        await write(object, settings, async () => await inner.patch(object, patch, settings)),
      apply: async (configuration, settings) =>
        await write(configuration, settings, async () => await inner.apply(configuration, settings)),
    };
  };
  return delegatingClient(client, {
    get: async (kind, key, settings) => {
      if (settings?.disableReadYourWrites !== true && options.isCached(kind))
        await kinds.waitForGet(kind, key, settings);
      return await client.get(kind, key, settings);
    },
    list: async (kind, settings) => {
      if (settings?.disableReadYourWrites !== true && options.isCached(kind)) await kinds.waitForList(kind, settings);
      return await client.list(kind, settings);
    },
    create: async (object, settings) =>
      await write(object, settings, async () => await client.create(object, settings)),
    update: async (object, settings) =>
      await write(object, settings, async () => await client.update(object, settings)),
    patch: async (object, patch, settings) =>
      await write(object, settings, async () => await client.patch(object, patch, settings)),
    apply: async (configuration, settings) =>
      await write(configuration, settings, async () => await client.apply(configuration, settings)),
    delete: async (object, settings) => {
      if (settings?.disableReadYourWrites === true || settings?.dryRun === true)
        return await client.delete(object, settings);
      const kind = gvkOf(object);
      const record = kinds.recordOf(kind);
      const key = keyOf(object.metadata);
      const { metadata } =
        object.metadata.uid === undefined ? ((await kinds.cachedObject(kind, object)) ?? object) : object;
      const { uid = metadata.uid } = settings?.preconditions ?? {};
      await record.run(key, async () => {
        await client.delete(object, settings);
        if (uid !== undefined) record.deleted(key, { ...metadata, uid });
      });
    },
    subResource,
  });
}

/** The written objects of each kind, and what their caches have observed. */
class WrittenKinds {
  readonly #options: ReadYourWritesOptions;
  readonly #records = new Map<string, WriteRecord>();
  readonly #observers = new Map<string, Promise<CacheObserver>>();

  constructor(options: ReadYourWritesOptions) {
    this.#options = options;
  }

  recordOf(kind: GroupVersionKind): WriteRecord {
    const id = identify(kind);
    const record = this.#records.get(id) ?? new WriteRecord(() => this.#options.clock.monotonic());
    this.#records.set(id, record);
    return record;
  }

  /** Returns the cached object without a request to the server; undefined if the kind was not read from the cache. */
  async cachedObject(kind: GroupVersionKind, { metadata }: ReadonlyObject): Promise<ReadonlyObject | undefined> {
    if (metadata.name === undefined || !this.#observers.has(observerId(kind, "whole"))) return undefined;
    return await this.#cached(kind, objectKeyOf(keyOf(metadata)), {});
  }

  async waitForGet(kind: KindRef<KubernetesObject>, key: ObjectKey, options: ReadOptions | undefined): Promise<void> {
    await this.#wait(kind, keyOf(key), "get", options);
  }

  async waitForList(kind: KindRef<KubernetesObject>, options: ReadOptions | undefined): Promise<void> {
    await this.#wait(kind, undefined, "list", options);
  }

  async #wait(
    kind: KindRef<KubernetesObject>,
    only: string | undefined,
    operation: "get" | "list",
    options: ReadOptions = {},
  ): Promise<void> {
    const record = this.recordOf(kind);
    const signal = callSignal(options.signal);
    const { clock, registry } = this.#options;
    const startedAt = clock.monotonic();
    const waitDuration = readYourWritesMetrics(registry).waitDuration;
    try {
      await untilAborted(record.settled(only), signal);
      const keys = record.keys(formOf(options), only);
      if (keys.length > 0) await this.#untilContained(kind, keys, { record, options, signal });
    } catch (error) {
      waitDuration.observe({ operation, result: signal?.aborted === true ? "timeout" : "error" }, seconds());
      throw error;
    }
    waitDuration.observe({ operation, result: "success" }, seconds());

    function seconds(): number {
      return (clock.monotonic() - startedAt) / 1000;
    }
  }

  async #untilContained(
    kind: KindRef<KubernetesObject>,
    keys: readonly string[],
    { record, options, signal }: { record: WriteRecord; options: ReadOptions; signal: AbortSignal | undefined },
  ): Promise<void> {
    const observer = await untilAborted(this.#observer(kind, options), signal);
    for (const key of keys) {
      for (;;) {
        // The reader reports why an informer cannot be read.
        if (observer.isUnusable()) return;
        const changed = handledLater(observer.changed());
        const cached = await this.#cached(kind, objectKeyOf(key), options);
        if (record.isContained(formOf(options), key, { cached, observed: observer.observed(namespaceOf(key)) })) break;
        await untilAborted(Promise.race([changed, sleep(this.#options.clock, RECHECK_MS, signal)]), signal);
      }
    }
  }

  async #cached(
    kind: KindRef<KubernetesObject>,
    key: ObjectKey,
    options: ReadOptions,
  ): Promise<ReadonlyObject | undefined> {
    return await ignoreNotFound(this.#options.cache.get<KubernetesObject>(kind, key, options));
  }

  async #observer(kind: KindRef<KubernetesObject>, options: ReadOptions): Promise<CacheObserver> {
    const id = observerId(kind, formOf(options));
    const known = this.#observers.get(id);
    if (known !== undefined) {
      const observer = await known;
      if (!observer.isStopped()) return observer;
      if (this.#observers.get(id) !== known) return await this.#observer(kind, options);
    }
    const { metadataOnly = false } = options;
    // Reads share an observer, so that the signal of one must not end it for the others.
    const starting = withoutCallScope(async () =>
      CacheObserver.start(await this.#options.cache.getInformer(kind, { metadataOnly })),
    );
    this.#observers.set(id, starting);
    starting.catch(() => this.#observers.get(id) === starting && this.#observers.delete(id));
    return await starting;
  }
}

type ReadOptions = CallOptions & ReadYourWritesCallOptions & { readonly metadataOnly?: boolean };

/** Follows the versions that an informer has received, by namespace: each watch is in order, and a namespace has one. */
class CacheObserver {
  readonly #informer: ObservableInformer;
  readonly #observed = new Map<string, bigint>();
  #tell: () => void = () => undefined;
  #changed: Promise<void>;

  private constructor(informer: ObservableInformer) {
    this.#informer = informer;
    this.#changed = this.#next();
  }

  static async start(informer: ObservableInformer): Promise<CacheObserver> {
    const observer = new CacheObserver(informer);
    const registration = informer.addEventHandler({
      onAdd: (object) => observer.#observe(object),
      onUpdate: (_before, object) => observer.#observe(object),
      onDelete: (object) => observer.#observe(object),
    });
    if (informer.hasSynced()) await registration.waitForSync(new AbortController().signal);
    return observer;
  }

  isStopped(): boolean {
    return this.#informer.isStopped();
  }

  /** Reports whether the informer has not synced or has stopped, so that nothing is to be waited for. */
  isUnusable(): boolean {
    return this.#informer.isStopped() || !this.#informer.hasSynced();
  }

  observed(namespace: string): bigint {
    const received = this.#observed.get(namespace) ?? 0n;
    const synced = parseVersion(this.#informer.lastSyncResourceVersion?.(namespace));
    return synced > received ? synced : received;
  }

  /** Resolves at the next change. */
  async changed(): Promise<void> {
    await this.#changed;
  }

  #observe(object: ReadonlyObject): void {
    const namespace = object.metadata.namespace ?? "";
    const version = versionOf(object);
    if (version > (this.#observed.get(namespace) ?? 0n)) this.#observed.set(namespace, version);
    this.#tell();
    this.#changed = this.#next();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => (this.#tell = resolve));
  }
}

function formOf({ metadataOnly }: ReadOptions): CachedForm {
  return metadataOnly === true ? "metadata" : "whole";
}

function observerId(kind: GroupVersionKind, form: CachedForm): string {
  return `${identify(kind)} ${form}`;
}

function identify(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

function keyOf({ namespace = "", name = "" }: { readonly namespace?: string; readonly name?: string }): string {
  return `${namespace}/${name}`;
}

function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

function objectKeyOf(key: string): ObjectKey {
  const namespace = namespaceOf(key);
  return { name: key.slice(namespace.length + 1), ...(namespace === "" ? {} : { namespace }) };
}
