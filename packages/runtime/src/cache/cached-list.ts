import {
  apiVersionOf,
  type DeepReadonly,
  formatFieldSelector,
  type GroupVersionKind,
  labelMatcher,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import type { ListOptions, Selection } from "../client/options.ts";
import type { Stored } from "../client/partial-object.ts";
import { CacheIndexMissingError, CacheListOptionError } from "./errors.ts";
import type { Lister } from "./indexer.ts";

/** Returns the name of a field's index. */
export function fieldIndexName(field: string): string {
  return `field:${field}`;
}

/** A store, and the namespace that is read from it; undefined for all. */
export interface ScopedLister<T extends KubernetesObject> {
  readonly lister: Lister<T>;
  readonly namespace: string | undefined;
}

/**
 * Lists cached objects in no particular order.
 *
 * Fails: {@link CacheIndexMissingError} for a field without an index, {@link CacheListOptionError} for options that only a server supports.
 */
export function listFrom<T extends KubernetesObject>(
  source: {
    /** Returns the parts that contain the objects of a namespace, of all namespaces if it is empty. */
    listers(namespace: string): readonly ScopedLister<T>[];
  },
  kind: GroupVersionKind,
  options: ListOptions,
): ListOf<DeepReadonly<Stored<T>>> {
  if ((options.continue ?? "") !== "") {
    throw new CacheListOptionError("with a continue token");
  }
  const parts = source.listers(options.namespace ?? "");
  const isMatch = selectionMatcher(options);
  const items = parts
    .flatMap((part) => selectByFields(part, kind, options))
    .filter((object) => isMatch(object.metadata.labels ?? {}));
  return listOf(kind, items, { limit: options.limit, resourceVersion: oldestVersion(parts) });
}

// All objects of the list are at least as new as its oldest part.
function oldestVersion(parts: readonly ScopedLister<KubernetesObject>[]): string {
  const [oldest = ""] = parts
    .map(({ lister }) => lister.resourceVersion)
    .toSorted((left, right) => left.length - right.length || (left < right ? -1 : 1));
  return oldest;
}

function listOf<T>(
  kind: GroupVersionKind,
  items: T[],
  page: { readonly limit: number | undefined; readonly resourceVersion: string },
): ListOf<T> {
  const isTruncated = page.limit !== undefined && page.limit > 0 && items.length > page.limit;
  return {
    apiVersion: apiVersionOf(kind),
    kind: `${kind.kind}List`,
    metadata: {
      resourceVersion: page.resourceVersion,
      ...(isTruncated ? { continue: "continue-not-supported" } : {}),
    },
    items: isTruncated ? items.slice(0, page.limit) : items,
  };
}

function selectByFields<T extends KubernetesObject>(
  part: ScopedLister<T>,
  kind: GroupVersionKind,
  options: ListOptions,
): readonly DeepReadonly<Stored<T>>[] {
  const [first, ...others] = Object.entries(exactFields(options)).map(([field, value]) =>
    objectsWithField(part, kind, { field, value }),
  );
  if (first === undefined) {
    return part.lister.list(part.namespace);
  }
  const selections = others.map((objects) => new Set(objects));
  return first.filter((object) => selections.every((selection) => selection.has(object)));
}

function objectsWithField<T extends KubernetesObject>(
  { lister, namespace }: ScopedLister<T>,
  kind: GroupVersionKind,
  { field, value }: { readonly field: string; readonly value: string },
): readonly DeepReadonly<Stored<T>>[] {
  const indexed = lister.byIndex(fieldIndexName(field), value, namespace);
  if (indexed !== undefined) {
    return indexed;
  }
  if (field === "metadata.namespace") {
    return namespace === undefined || namespace === value ? lister.list(value) : [];
  }
  if (field === "metadata.name") {
    return namespace === undefined
      ? lister.list().filter((object) => object.metadata.name === value)
      : [lister.get({ namespace, name: value })].filter((object) => object !== undefined);
  }
  throw new CacheIndexMissingError(kind, field);
}

/** Returns a function that reports whether labels match. Fails: `SelectorError` for an invalid selector. */
function selectionMatcher(selection: Selection): (labels: Readonly<Record<string, string>>) => boolean {
  const { labels: wanted = {}, hasLabels = [], labelSelector = "" } = selection;
  const isSelected = labelMatcher(parseLabelSelector(labelSelector));
  const exact = Object.entries(wanted);
  return (labels) =>
    isSelected(labels) &&
    exact.every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value) &&
    hasLabels.every((name) => Object.hasOwn(labels, name));
}

/**
 * Returns the fields with exact values.
 *
 * Fails: {@link CacheListOptionError} when the field selector contains any other operator.
 */
function exactFields(selection: Selection): Readonly<Record<string, string>> {
  const requirements = parseFieldSelector(selection.fieldSelector ?? "");
  const inexact = requirements.find(({ operator }) => operator === "!=");
  if (inexact !== undefined) {
    throw new CacheListOptionError(
      `by the field selector ${JSON.stringify(formatFieldSelector([inexact]))}, which is not an exact match`,
    );
  }
  return { ...Object.fromEntries(requirements.map(({ field, value }) => [field, value])), ...selection.fields };
}
