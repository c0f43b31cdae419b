import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Informer } from "../cache/informer.ts";
import type { Clock } from "../clock/clock.ts";
import type { GenericEvent } from "../event/event.ts";
import type { EventHandler, HandlerContext } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/reconcile.ts";
import type { EventChannel } from "./event-channel.ts";
import { filteredHandler } from "./filtered-handler.ts";

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
