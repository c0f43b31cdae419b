import {
  apiVersionOf,
  formatFieldSelector,
  type GroupVersionKind,
  matchesLabels,
  objectKey,
  parseFieldSelector,
  parseLabelSelector,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import type { ListOptions, Selection } from "../client/options.ts";
import { CacheIndexMissingError, CacheListOptionError } from "./errors.ts";
import { type Lister, storeKey } from "./indexer.ts";

/** Returns the name of a field's index. */
export function fieldIndexName(field: string): string {
  return `field:${field}`;
}

/**
 * Lists cached objects in no particular order.
 *
 * Fails: {@link CacheIndexMissingError} for a field without an index, {@link CacheListOptionError} for options that only a server supports.
 */
export function listFrom<T extends KubernetesObject>(
  source: {
    /** Returns what holds the objects of a namespace, of all namespaces if it is empty. */
    listers(namespace: string): readonly Lister<T>[];
  },
  kind: GroupVersionKind,
  options: ListOptions,
): ListOf<T> {
  if ((options.continue ?? "") !== "") {
    throw new CacheListOptionError("with a continue token");
  }
  const namespace = options.namespace ?? "";
  const listers = source.listers(namespace);
  const isMatch = labelMatcher(options);
  const items = listers
    .flatMap((lister) => selectByFields(lister, kind, options))
    .filter((object) => namespace === "" || object.metadata.namespace === namespace)
    .filter((object) => isMatch(object.metadata.labels ?? {}));
  return listOf(kind, items, { limit: options.limit, resourceVersion: listers[0]?.resourceVersion ?? "" });
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
  lister: Lister<T>,
  kind: GroupVersionKind,
  options: ListOptions,
): readonly T[] {
  const [first, ...others] = Object.entries(exactFields(options)).map(([field, value]) =>
    objectsWithField(lister, kind, { field, value }),
  );
  if (first === undefined) {
    return lister.list();
  }
  const keySets = others.map((objects) => new Set(objects.map((object) => storeKey(object.metadata))));
  return first.filter((object) => keySets.every((keys) => keys.has(storeKey(object.metadata))));
}

function objectsWithField<T extends KubernetesObject>(
  lister: Lister<T>,
  kind: GroupVersionKind,
  wanted: { readonly field: string; readonly value: string },
): readonly T[] {
  const indexed = lister.byIndex(fieldIndexName(wanted.field), wanted.value);
  if (indexed !== undefined) {
    return indexed;
  }
  if (wanted.field === "metadata.name" || wanted.field === "metadata.namespace") {
    const part = wanted.field === "metadata.name" ? "name" : "namespace";
    return lister.list().filter((object) => objectKey(object)[part] === wanted.value);
  }
  throw new CacheIndexMissingError(kind, wanted.field);
}

/** Returns a function that reports whether labels match. Fails: `SelectorError` for an invalid selector. */
function labelMatcher(selection: Selection): (labels: Readonly<Record<string, string>>) => boolean {
  const { labels: wanted = {}, hasLabels = [], labelSelector = "" } = selection;
  const requirements = parseLabelSelector(labelSelector);
  return (labels) =>
    matchesLabels(requirements, labels) &&
    Object.entries(wanted).every(([name, value]) => labels[name] === value) &&
    hasLabels.every((name) => labels[name] !== undefined);
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
