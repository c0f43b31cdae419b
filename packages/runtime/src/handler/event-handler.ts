import { objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { ResourceEventHandler } from "../cache/informer.ts";
import type { CreateEvent, DeleteEvent, EventContext, GenericEvent, UpdateEvent } from "../event/event.ts";
import type { ReconcileTrigger } from "../observe/observer.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { passes } from "../reconcile/returned-value.ts";
import { isPriorityQueue, type RateLimitingQueue } from "../workqueue/queue.ts";

/** The context of an event handler, with the queue that it adds requests to. */
export interface HandlerContext<R = Request> extends EventContext {
  /** The queue of the controller. */
  readonly queue: RateLimitingQueue<R>;
  /** Returns the queue for the requests of one event, so that observers learn why they were queued. Default: `queue`. */
  readonly queueOf?: (trigger: ReconcileTrigger) => RateLimitingQueue<R>;
}

/** The result of a handler's function; the next event of a source waits until the promise resolves. */
export type Handled = undefined | void | Promise<void>;

/**
 * Maps events to requests; an error is logged and the event is dropped.
 *
 * controller-runtime: pkg/handler.EventHandler
 */
export interface EventHandler<T extends KubernetesObject = KubernetesObject, R = Request> {
  /** Handles a created object. */
  readonly create: (event: CreateEvent<T>, context: HandlerContext<R>) => Handled;
  /** Handles a changed object. */
  readonly update: (event: UpdateEvent<T>, context: HandlerContext<R>) => Handled;
  /** Handles a deleted object. */
  readonly delete: (event: DeleteEvent<T>, context: HandlerContext<R>) => Handled;
  /** Handles a generic event. */
  readonly generic: (event: GenericEvent<T>, context: HandlerContext<R>) => Handled;
}

/**
 * Creates a handler from functions; events without a function are ignored.
 *
 * controller-runtime: pkg/handler.Funcs
 */
export function funcs<T extends KubernetesObject, R = Request>(
  functions: Partial<EventHandler<T, R>>,
): EventHandler<T, R> {
  return { create: ignore, update: ignore, delete: ignore, generic: ignore, ...functions };
}

/**
 * The priority of requests without changes: those of the initial list and of resyncs.
 *
 * controller-runtime: pkg/handler.LowPriority
 */
export const LOW_PRIORITY = -100;

/** Reports whether an object existed when the watch started. */
export function isUnchangedCreate(event: Pick<CreateEvent, "isInInitialList">): boolean {
  return event.isInInitialList;
}

/** Reports whether an update contains no change. */
export function isUnchangedUpdate(event: UpdateEvent): boolean {
  return event.objectOld.metadata.resourceVersion === event.objectNew.metadata.resourceVersion;
}

/** Adds requests to a queue, with low priority if nothing has changed and the queue has priorities. */
export function enqueue<R>(queue: RateLimitingQueue<R>, requests: readonly R[], isUnchanged: boolean = false): void {
  if (isUnchanged && isPriorityQueue(queue)) {
    queue.addWithOptions({ priority: LOW_PRIORITY }, ...requests);
  } else {
    for (const request of requests) {
      queue.add(request);
    }
  }
}

function ignore(): undefined {
  return undefined;
}

/**
 * Creates a handler that enqueues a request for the object of the event.
 *
 * controller-runtime: pkg/handler.EnqueueRequestForObject
 */
export function enqueueRequestForObject<T extends KubernetesObject = KubernetesObject>(): EventHandler<T> {
  return {
    create: (event, { queue }) => enqueue(queue, [objectKey(event.object)], isUnchangedCreate(event)),
    update: (event, { queue }) => enqueue(queue, [objectKey(event.objectNew)], isUnchangedUpdate(event)),
    delete: (event, { queue }) => enqueue(queue, [objectKey(event.object)]),
    generic: (event, { queue }) => enqueue(queue, [objectKey(event.object)]),
  };
}

/** Converts the notifications of an informer into events, and passes those that match all predicates to the handler. */
export function filteredHandler<T extends KubernetesObject, R>(
  options: { readonly handler: EventHandler<T, R>; readonly predicates?: readonly Predicate<T>[] },
  context: HandlerContext<R>,
): ResourceEventHandler<T> {
  const { handler, predicates = [] } = options;
  return {
    onAdd: (object, isInInitialList) => {
      const event = { object, isInInitialList };
      return predicates.every((predicate) => passes(predicate.create(event)))
        ? handler.create(event, contextOf(context, isUnchangedCreate(event) ? "initial-list" : "created", object))
        : undefined;
    },
    onUpdate: (objectOld, objectNew) => {
      const event = { objectOld, objectNew };
      return predicates.every((predicate) => passes(predicate.update(event)))
        ? handler.update(event, contextOf(context, isUnchangedUpdate(event) ? "resync" : "updated", objectNew))
        : undefined;
    },
    onDelete: (object, deleteStateUnknown) => {
      const event = { object, deleteStateUnknown };
      return predicates.every((predicate) => passes(predicate.delete(event)))
        ? handler.delete(event, contextOf(context, "deleted", object))
        : undefined;
    },
  };
}

/** Returns the context of an event, whose queue tells the observers of a manager about it. */
export function contextOf<R>(
  context: HandlerContext<R>,
  reason: ReconcileTrigger["reason"],
  { apiVersion, kind, metadata }: ReadonlyObject,
): HandlerContext<R> {
  if (context.queueOf === undefined) return context;
  const object = { apiVersion, kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" };
  return { ...context, queue: context.queueOf({ reason, object }) };
}
