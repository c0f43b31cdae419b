import { gvkToString } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Cache } from "../cache/cache.ts";
import { CacheSyncError } from "../cache/errors.ts";
import type { HandlerRegistration, Informer } from "../cache/informer.ts";
import type { KindRef } from "../client/client.ts";
import { type Clock, onAbort, sleep, whenAborted } from "../clock/clock.ts";
import type { GenericEvent } from "../event/event.ts";
import { type EventHandler, filteredHandler, type HandlerContext } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/reconcile.ts";
import type { EventChannel } from "./event-channel.ts";

/** A kind, the cache that watches it, and what handles its events. */
export interface KindSourceOptions<T extends KubernetesObject, R = Request> extends HandledBy<T, R> {
  readonly cache: Cache;
  readonly kind: KindRef<T>;
  /** Watches the metadata alone. */
  readonly metadataOnly?: boolean;
}

/** Creates a source of the changes of a kind's objects; a kind that is not installed yet is looked for every 10 seconds. */
export function kind<T extends KubernetesObject, R = Request>(options: KindSourceOptions<T, R>): Source<R> {
  return new KindSource(options);
}

const RETRY_MS = 10_000;

interface Attached {
  readonly informer: Informer;
  readonly registration: HandlerRegistration;
}

class KindSource<T extends KubernetesObject, R> implements Source<R> {
  readonly #options: KindSourceOptions<T, R>;
  #attached: Promise<Attached | undefined> = Promise.resolve(undefined);
  #lastError: unknown;

  constructor(options: KindSourceOptions<T, R>) {
    this.#options = options;
  }

  describe(): string {
    return `kind source ${gvkToString(this.#options.kind)}`;
  }

  start(context: SourceContext<R>): void {
    this.#attached = this.#attach(context);
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
    const { cache, kind, metadataOnly = false } = this.#options;
    while (!context.signal.aborted) {
      try {
        return await cache.getInformer(kind, { blockUntilSynced: false, metadataOnly, signal: context.signal });
      } catch (error) {
        this.#report(error, context);
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
      context.log.debug("still cannot watch the kind", { ...fields, error: String(error) });
    }
    this.#lastError = error;
  }
}

/** Where a source puts requests, and what else it may use until the signal aborts. */
export interface SourceContext<R = Request> extends HandlerContext<R> {
  readonly clock: Clock;
}

/** A stream of events that asks for reconciliations. */
export interface Source<R = Request> {
  /** Starts without waiting for events; it ends when the context's signal aborts. */
  start(context: SourceContext<R>): void | Promise<void>;
  /** Resolves when everything of the beginning is in the queue. Fails: when the signal aborts first, with what it waited for. */
  waitForSync?(signal: AbortSignal): Promise<void>;
  /** Says what it is, for messages. */
  describe?(): string;
}

/** What handles the events of a source. */
export interface HandledBy<T extends KubernetesObject, R = Request> {
  readonly handler: EventHandler<T, R>;
  /** All of them must let an event pass. */
  readonly predicates?: readonly Predicate<T>[];
}

/** An informer and what handles its events. */
export interface InformerSourceOptions<T extends KubernetesObject, R = Request> extends HandledBy<T, R> {
  readonly informer: Informer<T>;
}

/** Creates a source of an informer's events. */
export function informer<T extends KubernetesObject, R = Request>(options: InformerSourceOptions<T, R>): Source<R> {
  return {
    start: (context) => {
      const registration = options.informer.addEventHandler(filteredHandler(options, context));
      context.signal.addEventListener("abort", () => registration.remove(), { once: true });
    },
    describe: () => "informer source",
  };
}

/** Creates a source of a function, which puts requests in line as it likes. */
export function func<R = Request>(start: (context: SourceContext<R>) => void | Promise<void>): Source<R> {
  return { start, describe: () => "function source" };
}

/** A channel and what handles its events. */
export interface ChannelSourceOptions<T extends KubernetesObject, R = Request> extends HandledBy<T, R> {
  readonly channel: EventChannel<T>;
  /** How many events wait here before the sender has to; 1024 unless given. */
  readonly bufferSize?: number;
}

const CHANNEL_BUFFER = 1024;

/** Creates a source of the generic events that a program sends into a channel. */
export function channel<T extends KubernetesObject, R = Request>(options: ChannelSourceOptions<T, R>): Source<R> {
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
      if (predicates.every((predicate) => predicate.generic(event))) {
        await handler.generic(event, context);
      }
    } catch (error) {
      context.log.error(error, "an event handler failed, the event is lost", { event: "generic" });
    }
  };
}
