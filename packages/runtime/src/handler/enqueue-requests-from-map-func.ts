import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { EventContext } from "../event/event.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { itemKey } from "../workqueue/item-key.ts";
import {
  enqueue,
  isUnchangedCreate,
  isUnchangedUpdate,
  type EventHandler,
  type Handled,
  type HandlerContext,
} from "./event-handler.ts";

/** Returns the requests that an object concerns; it may read from a cache. */
export type MapFunction<T extends KubernetesObject = KubernetesObject, R = Request> = (
  object: T,
  context: EventContext,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Creates a handler that asks for whatever a function makes of the object; of an update, of the old and the new one.
 *
 * Guarantees: one event puts each request in line once. What the function throws is logged, and the event is lost.
 */
export function enqueueRequestsFromMapFunc<T extends KubernetesObject, R = Request>(
  map: MapFunction<T, R>,
): EventHandler<T, R> {
  return {
    create: (event, context) => enqueueMapped({ map, isUnchanged: isUnchangedCreate(event) }, [event.object], context),
    update: (event, context) =>
      enqueueMapped({ map, isUnchanged: isUnchangedUpdate(event) }, [event.objectOld, event.objectNew], context),
    delete: (event, context) => enqueueMapped({ map, isUnchanged: false }, [event.object], context),
    generic: (event, context) => enqueueMapped({ map, isUnchanged: false }, [event.object], context),
  };
}

interface Mapping<T extends KubernetesObject, R> {
  readonly map: MapFunction<T, R>;
  readonly isUnchanged: boolean;
}

function enqueueMapped<T extends KubernetesObject, R>(
  mapping: Mapping<T, R>,
  objects: readonly T[],
  context: HandlerContext<R>,
): Handled {
  const mapped = objects.map((object) => mapping.map(object, context));
  if (mapped.every((requests) => isReady(requests))) {
    enqueue(context.queue, distinct(mapped.flat()), mapping.isUnchanged);
    return undefined;
  }
  return Promise.all(mapped.map(async (requests) => await requests)).then((requests) => {
    enqueue(context.queue, distinct(requests.flat()), mapping.isUnchanged);
  });
}

function isReady<R>(requests: readonly R[] | Promise<readonly R[]>): requests is readonly R[] {
  return Array.isArray(requests);
}

function distinct<R>(requests: readonly R[]): readonly R[] {
  return [...new Map(requests.map((request) => [itemKey(request), request])).values()];
}
