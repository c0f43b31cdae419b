import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { CreateEvent, DeleteEvent, EventContext, GenericEvent, UpdateEvent } from "../event/event.ts";
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
