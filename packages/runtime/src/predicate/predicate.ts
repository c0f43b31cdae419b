import { labelRequirements, matchesLabels } from "@kubescaffold/k8s";
import type { KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";

import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "../event/event.ts";

/** Decides which events reach a handler. */
export interface Predicate<T extends KubernetesObject = KubernetesObject> {
  readonly create: (event: CreateEvent<T>) => boolean;
  readonly update: (event: UpdateEvent<T>) => boolean;
  readonly delete: (event: DeleteEvent<T>) => boolean;
  readonly generic: (event: GenericEvent<T>) => boolean;
}

/** Creates a predicate of some functions; events without one pass. */
export function funcs<T extends KubernetesObject>(functions: Partial<Predicate<T>>): Predicate<T> {
  return { create: pass, update: pass, delete: pass, generic: pass, ...functions };
}

/** Creates a predicate that asks the same of every event's object; of an update's, the new one. */
export function ofObject<T extends KubernetesObject>(test: (object: T) => boolean): Predicate<T> {
  return {
    create: (event) => test(event.object),
    update: (event) => test(event.objectNew),
    delete: (event) => test(event.object),
    generic: (event) => test(event.object),
  };
}

/** Lets events pass whose object, of an update the new one, a selector chooses. Fails: `SelectorError` when the selector is wrong. */
export function labelSelector(selector: LabelSelector): Predicate {
  const requirements = labelRequirements(selector);
  return ofObject((object) => matchesLabels(requirements, object.metadata.labels));
}

/** Lets updates pass that changed the resourceVersion, and everything that is no update. */
export const resourceVersionChanged: Predicate = onUpdate(
  (event) => event.objectOld.metadata.resourceVersion !== event.objectNew.metadata.resourceVersion,
);

/**
 * Lets updates pass that changed the generation, and everything that is no update.
 *
 * The generation follows the spec, so writes of status or metadata do not pass; kinds that have no generation get no updates at all.
 */
export const generationChanged: Predicate = onUpdate(
  (event) => event.objectOld.metadata.generation !== event.objectNew.metadata.generation,
);

/** Lets updates pass that changed an annotation, and everything that is no update. */
export const annotationChanged: Predicate = onUpdate(
  (event) => !equalMaps(event.objectOld.metadata.annotations, event.objectNew.metadata.annotations),
);

/** Lets updates pass that changed a label, and everything that is no update. */
export const labelChanged: Predicate = onUpdate(
  (event) => !equalMaps(event.objectOld.metadata.labels, event.objectNew.metadata.labels),
);

/** Lets pass what all predicates let pass; they are asked in order until one refuses. */
export function and<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (event) => predicates.every((predicate) => predicate.create(event)),
    update: (event) => predicates.every((predicate) => predicate.update(event)),
    delete: (event) => predicates.every((predicate) => predicate.delete(event)),
    generic: (event) => predicates.every((predicate) => predicate.generic(event)),
  };
}

/** Lets pass what any predicate lets pass; they are asked in order until one agrees. */
export function or<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    create: (event) => predicates.some((predicate) => predicate.create(event)),
    update: (event) => predicates.some((predicate) => predicate.update(event)),
    delete: (event) => predicates.some((predicate) => predicate.delete(event)),
    generic: (event) => predicates.some((predicate) => predicate.generic(event)),
  };
}

/** Lets pass what the predicate does not. */
export function not<T extends KubernetesObject>(predicate: Predicate<T>): Predicate<T> {
  return {
    create: (event) => !predicate.create(event),
    update: (event) => !predicate.update(event),
    delete: (event) => !predicate.delete(event),
    generic: (event) => !predicate.generic(event),
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
