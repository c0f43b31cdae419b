import { apiVersionOf, objectKey, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import type { ListOptions } from "../client/options.ts";
import { CacheIndexMissingError, CacheListOptionError } from "./errors.ts";
import { storeKey, type Lister } from "./indexer.ts";
import { exactFields, labelMatcher } from "./selection.ts";

/** What a cached list reads from. */
export interface ListSource<T extends KubernetesObject> {
  /** Returns what holds the objects of a namespace, of all namespaces if it is empty. */
  listers(namespace: string): readonly Lister<T>[];
}

/** How a field's index is called. */
export function fieldIndexName(field: string): string {
  return `field:${field}`;
}

/**
 * Lists what is held, in no particular order.
 *
 * Fails: {@link CacheIndexMissingError} for a field without index, {@link CacheListOptionError} for what only a server can do.
 */
export function listFrom<T extends KubernetesObject>(
  source: ListSource<T>,
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
  const keySets = others.map((objects) => new Set(objects.map((object) => storeKey(objectKey(object)))));
  return first.filter((object) => keySets.every((keys) => keys.has(storeKey(objectKey(object)))));
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
