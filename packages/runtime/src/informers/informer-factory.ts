import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import type { Lister } from "../cache/indexer.ts";
import type { Informer, TransformFunction } from "../cache/informer.ts";
import type { ListWatch } from "../cache/list-watch.ts";
import { SharedInformer } from "../cache/shared-informer.ts";
import type { Selection } from "../client/options.ts";
import { withoutCallScope } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";

/**
 * Options of informer factories. `K` is what the informers are named by: a kind or a resource.
 *
 * client-go: informers.SharedInformerOption
 */
export interface InformerFactoryOptions<K> {
  /** The resync period in milliseconds, for all informers or for each of them; 0 disables resyncs. Default: 0. */
  readonly resyncPeriodMs?: number | ((target: K) => number);
  /** The namespace of the objects; cluster-scoped objects are found without it. Default: all namespaces. */
  readonly namespace?: string;
  /** Narrows the selection of every list and watch. Default: the namespace alone. */
  readonly tweakListOptions?: (selection: Selection) => Selection;
  /** Transforms objects before they are stored. Default: no transformation. */
  readonly transform?: TransformFunction;
  /** The clock of watches and resyncs. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
  /** The logger. Default: {@link log}. */
  readonly logger?: Logger;
  /** The registry of the metrics. Default: the registry of the process. */
  readonly registry?: MetricsRegistry;
  /** Returns a random number from 0 up to 1; replaced in tests. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * An informer of a factory, and its objects.
 *
 * client-go: informers.GenericInformer
 */
export interface InformerWithLister<T extends KubernetesObject> {
  /** Notifies handlers of changes. */
  readonly informer: Informer<T>;
  /** Reads the objects that the informer has stored. */
  readonly lister: Lister<T>;
}

/**
 * Whether an informer has stored its first list.
 *
 * client-go: tools/cache.SyncResult
 */
export interface InformerSync<K> {
  /** What the informer is named by. */
  readonly target: K;
  /** Whether the first list is stored. */
  readonly isSynced: boolean;
  /** The last failure if it is not. */
  readonly error?: unknown;
}

/** What all informer factories have in common. */
export interface InformerFactory<K> {
  /**
   * Starts the informers that were requested since the last call; they watch until the signal aborts. Informers that are requested later start with
   * the next call. Does nothing after {@link shutdown}.
   */
  start(signal: AbortSignal): void;
  /** Resolves when the started informers have stored their first lists, or the signal aborts. */
  waitForCacheSync(signal?: AbortSignal): Promise<readonly InformerSync<K>[]>;
  /** Stops all informers; resolves when all calls of their handlers have completed. */
  shutdown(): Promise<void>;
}

/** What an informer of a factory watches. */
interface InformerTarget<K, T extends KubernetesObject> {
  readonly target: K;
  /** Identifies the informer in the factory. */
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly acceptsAnyKind?: boolean;
  /** Returns the requests in a namespace; an empty one stands for all. */
  readonly listWatchIn: (namespace: string) => ListWatch<T>;
}

interface Entry<K> {
  readonly target: K;
  readonly informer: SharedInformer<KubernetesObject>;
  running?: Promise<void>;
}

/** The informers of a factory: one for each name. */
export class SharedInformers<K> implements InformerFactory<K> {
  readonly #options: InformerFactoryOptions<K>;
  readonly #entries = new Map<string, Entry<K>>();
  readonly #stop = new AbortController();

  constructor(options: InformerFactoryOptions<K>) {
    this.#options = options;
  }

  /** Returns the informer of a name, which is created by the first call. */
  informerFor<T extends KubernetesObject>(target: InformerTarget<K, T>): InformerWithLister<T> {
    let entry = this.#entries.get(target.name);
    if (entry === undefined) {
      const informer = this.#createInformer(target);
      entry = { target: target.target, informer: informer as unknown as SharedInformer<KubernetesObject> };
      this.#entries.set(target.name, entry);
    }
    // The caller knows the type of the objects of a name.
    const informer = entry.informer as unknown as SharedInformer<T>;
    return { informer, lister: informer.lister };
  }

  start(signal: AbortSignal): void {
    if (this.#stop.signal.aborted) {
      return;
    }
    const stopping = AbortSignal.any([signal, this.#stop.signal]);
    for (const entry of this.#entries.values()) {
      // The watch outlives the reconcile that starts it.
      entry.running ??= withoutCallScope(async () => await entry.informer.run(stopping));
    }
  }

  async waitForCacheSync(signal?: AbortSignal): Promise<readonly InformerSync<K>[]> {
    const started = [...this.#entries.values()].filter(({ running }) => running !== undefined);
    return await Promise.all(
      started.map(async ({ target, informer }): Promise<InformerSync<K>> => {
        try {
          await informer.waitForSync(signal);
          return { target, isSynced: true };
        } catch (error) {
          return { target, isSynced: false, error };
        }
      }),
    );
  }

  async shutdown(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#entries.values()].map(async ({ running }) => await running));
  }

  #createInformer<T extends KubernetesObject>({
    target,
    kind,
    acceptsAnyKind = false,
    listWatchIn,
  }: InformerTarget<K, T>): SharedInformer<T> {
    const { resyncPeriodMs = 0, transform, clock = realClock, logger = rootLog, registry, random } = this.#options;
    return new SharedInformer<T>({
      kind,
      acceptsAnyKind,
      listWatch: this.#selected(listWatchIn),
      resyncPeriodMs: typeof resyncPeriodMs === "number" ? resyncPeriodMs : resyncPeriodMs(target),
      clock,
      log: logger.withName("informers").withValues({ kind: kind.kind }),
      ...(transform === undefined ? {} : { transform }),
      ...(registry === undefined ? {} : { registry }),
      ...(random === undefined ? {} : { random }),
    });
  }

  #selected<T extends KubernetesObject>(listWatchIn: (namespace: string) => ListWatch<T>): ListWatch<T> {
    const { namespace: own = "", tweakListOptions = (selection: Selection) => selection } = this.#options;
    const select = (): { readonly requests: ListWatch<T>; readonly selection: Selection } => {
      const { namespace = own, ...selection } = tweakListOptions({ namespace: own });
      return { requests: listWatchIn(namespace), selection };
    };
    return {
      list: async (options) => {
        const { requests, selection } = select();
        return await requests.list({ ...options, ...selection });
      },
      watch: (options) => {
        const { requests, selection } = select();
        return requests.watch({ ...options, ...selection });
      },
    };
  }
}
