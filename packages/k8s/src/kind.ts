import type { KubernetesObject } from "./api/meta/v1.ts";
import { apiVersionOf, type GroupVersion, type GroupVersionKind } from "./group-version.ts";
import { deepClone, type FieldsOf } from "./json/json-value.ts";

/**
 * The value with the same name as an object type: its group, version, and kind, and a function that creates objects.
 *
 * Clients, builders and webhooks take it where Go code passes an empty object.
 */
export interface Kind<T extends KubernetesObject> extends GroupVersionKind {
  /** Returns an object of this kind with `apiVersion` and `kind` filled in. It shares nothing with the given fields, which may be parts of objects from a cache. */
  readonly create: (fields: FieldsOf<Omit<T, "apiVersion" | "kind">>) => T;
}

/** The type of the objects of a kind. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

/** Defines the value of a kind, which has the same name as its interface. */
export function defineKind<T extends KubernetesObject>(groupVersion: GroupVersion, kind: string): Kind<T> {
  const apiVersion = apiVersionOf(groupVersion);
  return Object.freeze({
    group: groupVersion.group,
    version: groupVersion.version,
    kind,
    // The two halves of T cannot be proven to make a T; the type of `fields` guarantees it. Spreading keeps symbols, such as the mark of partial objects.
    create: (fields: FieldsOf<Omit<T, "apiVersion" | "kind">>) =>
      ({ apiVersion, kind, ...fields, ...deepClone(fields) }) as unknown as T,
  });
}
