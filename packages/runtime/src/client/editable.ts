import { deepClone, type DeepReadonly } from "@kubescaffold/k8s";

import { copyMark } from "./partial-object.ts";

/**
 * Returns a deep copy of an object, which may be changed; objects from the cache are frozen, since all readers share them. Of `undefined` it returns `undefined`,
 * so that optional fields and the results of searches need no condition.
 *
 * Go: `DeepCopy` of API types.
 *
 * @example
 * const guestbook = editable(await client.get(Guestbook, request));
 * guestbook.spec.size = 3;
 * await client.update(guestbook);
 */
export function editable<E>(list: readonly DeepReadonly<E>[]): E[];
export function editable<E>(list: readonly DeepReadonly<E>[] | undefined): E[] | undefined;
export function editable<T>(object: DeepReadonly<T>): T;
export function editable<T>(object: DeepReadonly<T> | undefined): T | undefined;
export function editable<T>(object: DeepReadonly<T> | undefined): T | undefined {
  if (object === undefined) return undefined;
  // The copy has the fields of T, and nothing is frozen.
  return copyMark(object, deepClone(object)) as T;
}

const FROZEN =
  /^Cannot (?:assign to read only property|add property|delete property|define property|redefine property) /u;

/** Returns the field `hint` of the log of an error, if it is one of changing a frozen object. */
export function frozenFields(error: unknown): { readonly hint?: string } {
  return error instanceof TypeError && FROZEN.test(error.message)
    ? { hint: "objects from the cache are frozen: change the copy that editable(object) returns" }
    : {};
}
