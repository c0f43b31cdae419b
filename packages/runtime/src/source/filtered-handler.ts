import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { ResourceEventHandler } from "../cache/informer.ts";
import type { EventHandler, HandlerContext } from "../handler/event-handler.ts";
import type { Predicate } from "../predicate/predicate.ts";

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
