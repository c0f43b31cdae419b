import { type GroupVersionKind, gvkToString, messageOf, checkNumbers } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, onAbort, sleep, whenAborted } from "@kubescaffold/platform/clock";

import type { Cache, GetInformerOptions } from "../cache/cache.ts";
import { CacheSyncError } from "../cache/errors.ts";
import type { HandlerRegistration, Informer } from "../cache/informer.ts";
import type { KindRef } from "../client/client.ts";
import type { PartialObjectMetadata } from "../client/partial-object.ts";
import type { GenericEvent } from "../event/event.ts";
import { contextOf, type EventHandler, filteredHandler, type HandlerContext } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { passes } from "../reconcile/returned-value.ts";
import type { EventChannel } from "./event-channel.ts";

/** A kind that a cache watches. */
export interface WatchedKind<T extends KubernetesObject> {
  /** The cache that watches the kind. */
  readonly cache: Cache;
  /** The kind. */
  readonly kind: KindRef<T>;
}

/** Options of {@link kind}. */
export interface KindSourceOptions<T extends KubernetesObject, R = Request> extends WatchedKind<T>, HandledBy<T, R> {}

/**
 * Creates a source of the changes of a kind's objects; a kind that is not installed is retried every 10 seconds.
 *
 * controller-runtime: pkg/source.Kind
 */
export function kind<T extends KubernetesObject, R = Request>(options: KindSourceOptions<T, R>): Source<R> {
  return new KindSource(options, async (call) => await options.cache.getInformer(options.kind, call));
}

/** Options of {@link kindMetadata}: the handler and the predicates receive {@link PartialObjectMetadata}. */
export interface KindMetadataSourceOptions<T extends KubernetesObject, R = Request>
  extends WatchedKind<T>, HandledBy<PartialObjectMetadata<T>, R> {}

/** Creates a source like {@link kind}, which watches and caches only the metadata. */
export function kindMetadata<T extends KubernetesObject, R = Request>(
  options: KindMetadataSourceOptions<T, R>,
): Source<R> {
  const { cache, kind } = options;
  return new KindSource(options, async (call) => await cache.getInformer(kind, { ...call, metadataOnly: true }));
}

const RETRY_MS = 10_000;

interface Attached {
  readonly informer: Informer;
  readonly registration: HandlerRegistration;
}

interface KindOptions<T extends KubernetesObject, R> extends HandledBy<T, R> {
  readonly cache: Cache;
  readonly kind: GroupVersionKind;
}

class KindSource<T extends KubernetesObject, R> implements Source<R> {
  readonly #options: KindOptions<T, R>;
  readonly #getInformer: (call: GetInformerOptions) => Promise<Informer<T>>;
  #attached: Promise<Attached | undefined> = Promise.resolve(undefined);
  #lastError: unknown;

  constructor(options: KindOptions<T, R>, getInformer: (call: GetInformerOptions) => Promise<Informer<T>>) {
    this.#options = options;
    this.#getInformer = getInformer;
  }

  describe(): string {
    return `kind source ${gvkToString(this.#options.kind)}`;
  }

  start(context: SourceContext<R>): void {
    this.#attached = handledLater(this.#attach(context));
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const attached = await Promise.race([this.#attached, whenAborted(signal)]);
    if (attached === undefined) {
      throw new CacheSyncError(this.#options.kind, this.#lastError);
    }
    await attached.informer.waitForSync(signal);
    if (!(await this.#options.cache.waitForCacheSync(signal))) {
      throw new CacheSyncError(this.#options.kind);
    }
    await attached.registration.waitForSync(signal);
  }

  async #attach(context: SourceContext<R>): Promise<Attached | undefined> {
    const informer = await this.#findInformer(context);
    if (informer === undefined || context.signal.aborted) {
      return undefined;
    }
    const registration = informer.addEventHandler(filteredHandler(this.#options, context));
    onAbort(context.signal, () => registration.remove());
    return { informer: informer as unknown as Informer, registration };
  }

  async #findInformer(context: SourceContext<R>): Promise<Informer<T> | undefined> {
    while (!context.signal.aborted) {
      try {
        return await this.#getInformer({ blockUntilSynced: false, signal: context.signal });
      } catch (error) {
        if (!context.signal.aborted) {
          this.#report(error, context);
        }
      }
      await sleep(context.clock, RETRY_MS, context.signal).catch(() => undefined);
    }
    return undefined;
  }

  #report(error: unknown, context: SourceContext<R>): void {
    const fields = { kind: gvkToString(this.#options.kind) };
    if (this.#lastError === undefined) {
      context.log.error(
        error,
        "cannot watch the kind; if it is a custom resource, its CRD may not be installed",
        fields,
      );
    } else {
      context.log.debug("still cannot watch the kind", { ...fields, error: messageOf(error) });
    }
    this.#lastError = error;
  }
}

/** The context of a source, valid until its signal aborts. */
export interface SourceContext<R = Request> extends HandlerContext<R> {
  /** The clock of the controller. */
  readonly clock: Clock;
}

/**
 * A source of events that enqueues requests.
 *
 * controller-runtime: pkg/source.Source
 */
export interface Source<R = Request> {
  /** Starts without waiting for events; the source stops when the context's signal aborts. */
  start(context: SourceContext<R>): void | Promise<void>;
  /** Resolves when the initial events are queued. Fails: with the missing object when the signal aborts first. */
  waitForSync?(signal: AbortSignal): Promise<void>;
  /** Returns a description for messages. */
  describe?(): string;
}

/** The handler of a source's events. */
export interface HandledBy<T extends KubernetesObject, R = Request> {
  /** Maps events to requests. */
  readonly handler: EventHandler<T, R>;
  /** Predicates that an event must pass. Default: none. */
  readonly predicates?: readonly Predicate<T>[];
}

/** Options of {@link informer}. */
export interface InformerSourceOptions<T extends KubernetesObject, R = Request> extends HandledBy<T, R> {
  /** The informer. */
  readonly informer: Informer<T>;
}

/**
 * Creates a source of an informer's events.
 *
 * controller-runtime: pkg/source.Informer
 */
export function informer<T extends KubernetesObject, R = Request>(options: InformerSourceOptions<T, R>): Source<R> {
  return {
    start: (context) => {
      const registration = options.informer.addEventHandler(filteredHandler(options, context));
      onAbort(context.signal, () => registration.remove());
    },
    describe: () => "informer source",
  };
}

/**
 * Creates a source from a function that adds requests to the queue.
 *
 * controller-runtime: pkg/source.Func
 */
export function func<R = Request>(start: (context: SourceContext<R>) => void | Promise<void>): Source<R> {
  return { start, describe: () => "function source" };
}

/** Options of {@link channel}. */
export interface ChannelSourceOptions<T extends KubernetesObject, R = Request> extends HandledBy<T, R> {
  /** The channel. */
  readonly channel: EventChannel<T>;
  /** The number of buffered events before senders wait; less than 1 is taken for 1. Default: 1024. */
  readonly bufferSize?: number;
}

const CHANNEL_BUFFER = 1024;

/**
 * Creates a source of the generic events that a program sends to a channel.
 *
 * controller-runtime: pkg/source.Channel
 */
export function channel<T extends KubernetesObject, R = Request>(options: ChannelSourceOptions<T, R>): Source<R> {
  checkNumbers("the channel source", options, { bufferSize: "integer" });
  return {
    start: (context) => {
      const receive = receiverOf(options, context);
      options.channel.subscribe(receive, {
        bufferSize: options.bufferSize ?? CHANNEL_BUFFER,
        signal: context.signal,
      });
    },
    describe: () => "channel source",
  };
}

function receiverOf<T extends KubernetesObject, R>(
  { handler, predicates = [] }: HandledBy<T, R>,
  context: SourceContext<R>,
): (event: GenericEvent<T>) => Promise<void> {
  return async (event) => {
    try {
      if (predicates.every((predicate) => passes(predicate.generic(event)))) {
        await handler.generic(event, contextOf(context, "generic", event.object));
      }
    } catch (error) {
      context.log.error(error, "an event handler failed, dropping the event", { event: "generic" });
    }
  };
}
