import { type DeepReadonly, labelSelectorMatcher } from "@kubescaffold/k8s";
import type { KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";

import type { Stored } from "../client/partial-object.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "../event/event.ts";
import { passes } from "../reconcile/returned-value.ts";

/**
 * Filters the events of a handler.
 *
 * controller-runtime: pkg/predicate.Predicate
 */
export interface Predicate<T extends KubernetesObject = KubernetesObject> {
  /** Reports whether a create event passes. */
  readonly create: (event: CreateEvent<T>) => boolean;
  /** Reports whether an update event passes. */
  readonly update: (event: UpdateEvent<T>) => boolean;
  /** Reports whether a delete event passes. */
  readonly delete: (event: DeleteEvent<T>) => boolean;
  /** Reports whether a generic event passes. */
  readonly generic: (event: GenericEvent<T>) => boolean;
}

/**
 * Creates a predicate from functions; events without a function pass.
 *
 * controller-runtime: pkg/predicate.Funcs
 */
export function funcs<T extends KubernetesObject>(functions: Partial<Predicate<T>>): Predicate<T> {
  return { create: pass, update: pass, delete: pass, generic: pass, ...functions };
}

/**
 * Creates a predicate that tests the object of an event; of an update, the new object. Generic events whose object the server has not stored need
 * {@link funcs}.
 *
 * controller-runtime: pkg/predicate.NewPredicateFuncs
 */
export function ofObject<T extends KubernetesObject>(test: (object: DeepReadonly<Stored<T>>) => boolean): Predicate<T> {
  return {
    create: (event) => test(event.object),
    update: (event) => test(event.objectNew),
    delete: (event) => test(event.object),
    generic: (event) => test(event.object as DeepReadonly<Stored<T>>),
  };
}

/**
 * Passes events whose object matches a label selector; of an update, the new object. Fails: `SelectorError` for an invalid selector.
 *
 * controller-runtime: pkg/predicate.LabelSelectorPredicate
 */
export function labelSelector(selector: LabelSelector): Predicate {
  const isMatch = labelSelectorMatcher(selector);
  return ofObject((object) => isMatch(object.metadata.labels));
}

/**
 * Passes updates with a changed resourceVersion, and all other events.
 *
 * controller-runtime: pkg/predicate.ResourceVersionChangedPredicate
 */
export const resourceVersionChanged: Predicate = onUpdate(
  (event) => event.objectOld.metadata.resourceVersion !== event.objectNew.metadata.resourceVersion,
);

/**
 * Passes updates with a changed generation, and all other events.
 *
 * The generation follows the spec, so writes of the status or metadata do not pass; kinds without a generation receive no updates at all.
 *
 * controller-runtime: pkg/predicate.GenerationChangedPredicate
 */
export const generationChanged: Predicate = onUpdate(
  (event) => event.objectOld.metadata.generation !== event.objectNew.metadata.generation,
);

/**
 * Passes updates with a changed annotation, and all other events.
 *
 * controller-runtime: pkg/predicate.AnnotationChangedPredicate
 */
export const annotationChanged: Predicate = onUpdate(
  (event) => !equalMaps(event.objectOld.metadata.annotations, event.objectNew.metadata.annotations),
);

/**
 * Passes updates with a changed label, and all other events.
 *
 * controller-runtime: pkg/predicate.LabelChangedPredicate
 */
export const labelChanged: Predicate = onUpdate(
  (event) => !equalMaps(event.objectOld.metadata.labels, event.objectNew.metadata.labels),
);

/**
 * Passes events that pass all predicates; evaluation stops at the first that does not match.
 *
 * controller-runtime: pkg/predicate.And
 */
export function and<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (event) => predicates.every((predicate) => passes(predicate.create(event))),
    update: (event) => predicates.every((predicate) => passes(predicate.update(event))),
    delete: (event) => predicates.every((predicate) => passes(predicate.delete(event))),
    generic: (event) => predicates.every((predicate) => passes(predicate.generic(event))),
  };
}

/**
 * Passes events that pass any predicate; evaluation stops at the first that matches.
 *
 * controller-runtime: pkg/predicate.Or
 */
export function or<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (event) => predicates.some((predicate) => passes(predicate.create(event))),
    update: (event) => predicates.some((predicate) => passes(predicate.update(event))),
    delete: (event) => predicates.some((predicate) => passes(predicate.delete(event))),
    generic: (event) => predicates.some((predicate) => passes(predicate.generic(event))),
  };
}

/**
 * Passes events that do not pass the predicate.
 *
 * controller-runtime: pkg/predicate.Not
 */
export function not<T extends KubernetesObject>(predicate: Predicate<T>): Predicate<T> {
  return {
    create: (event) => !passes(predicate.create(event)),
    update: (event) => !passes(predicate.update(event)),
    delete: (event) => !passes(predicate.delete(event)),
    generic: (event) => !passes(predicate.generic(event)),
  };
}

function pass(): boolean {
  return true;
}

function onUpdate(test: (event: UpdateEvent) => boolean): Predicate {
  return { create: pass, update: test, delete: pass, generic: pass };
}

function equalMaps(left: Readonly<Record<string, string>> = {}, right: Readonly<Record<string, string>> = {}): boolean {
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
