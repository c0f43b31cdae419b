import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { ResourceEventHandler } from "../cache/informer.ts";
import type { CreateEvent, DeleteEvent, EventContext, GenericEvent, UpdateEvent } from "../event/event.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { isPriorityQueue, type RateLimitingQueue } from "../workqueue/queue.ts";

/** Where a handler puts requests, and what else it may use while it is called. */
export interface HandlerContext<R = Request> extends EventContext {
  readonly queue: RateLimitingQueue<R>;
}

/** What a handler's function may return: events of one source come one after the other, each when the one before is dealt with. */
export type Handled = undefined | void | Promise<void>;

/** Turns events into requests; what it throws is logged and the event is lost, so it should throw nothing. */
export interface EventHandler<T extends KubernetesObject = KubernetesObject, R = Request> {
  readonly create: (event: CreateEvent<T>, context: HandlerContext<R>) => Handled;
  readonly update: (event: UpdateEvent<T>, context: HandlerContext<R>) => Handled;
  readonly delete: (event: DeleteEvent<T>, context: HandlerContext<R>) => Handled;
  readonly generic: (event: GenericEvent<T>, context: HandlerContext<R>) => Handled;
}

/** Creates a handler of some functions; events without one are ignored. */
export function funcs<T extends KubernetesObject, R = Request>(
  functions: Partial<EventHandler<T, R>>,
): EventHandler<T, R> {
  return { create: ignore, update: ignore, delete: ignore, generic: ignore, ...functions };
}

/** The priority of requests for which nothing has changed: those of the initial list and of resyncs. */
export const LOW_PRIORITY = -100;

/** Says whether an object was there already when watching began. */
export function isUnchangedCreate(event: CreateEvent): boolean {
  return event.isInInitialList;
}

/** Says whether an update tells of nothing new. */
export function isUnchangedUpdate(event: UpdateEvent): boolean {
  return event.objectOld.metadata.resourceVersion === event.objectNew.metadata.resourceVersion;
}

/** Puts requests in line, behind all others if nothing has changed and the queue has priorities. */
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

/** Creates a handler that asks for the object itself to be reconciled. */
export function enqueueRequestForObject<T extends KubernetesObject = KubernetesObject>(): EventHandler<T> {
  return {
    create: (event, { queue }) => enqueue(queue, [requestOf(event.object)], isUnchangedCreate(event)),
    update: (event, { queue }) => enqueue(queue, [requestOf(event.objectNew)], isUnchangedUpdate(event)),
    delete: (event, { queue }) => enqueue(queue, [requestOf(event.object)]),
    generic: (event, { queue }) => enqueue(queue, [requestOf(event.object)]),
  };
}

function requestOf({ metadata: { namespace = "", name = "" } }: KubernetesObject): Request {
  return { namespace, name };
}

/** Turns what an informer tells into events, and hands on those that all predicates let pass. */
export function filteredHandler<T extends KubernetesObject, R>(
  options: { readonly handler: EventHandler<T, R>; readonly predicates?: readonly Predicate<T>[] },
  context: HandlerContext<R>,
): ResourceEventHandler<T> {
  const { handler, predicates = [] } = options;
  return {
    onAdd: (object, isInInitialList) => {
      const event = { object, isInInitialList };
      return predicates.every((predicate) => predicate.create(event)) ? handler.create(event, context) : undefined;
    },
    onUpdate: (objectOld, objectNew) => {
      const event = { objectOld, objectNew };
      return predicates.every((predicate) => predicate.update(event)) ? handler.update(event, context) : undefined;
    },
    onDelete: (object, deleteStateUnknown) => {
      const event = { object, deleteStateUnknown };
      return predicates.every((predicate) => predicate.delete(event)) ? handler.delete(event, context) : undefined;
    },
  };
}
