import { goTypeName, goValue, type JSONValue } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../../json/json-value.ts";
import { PatchNotApplicableError, PatchTypeError } from "../../model/errors.ts";

/** A list of a JSON value. */
export type List = readonly JSONValue[];

const LIST_TYPE = goTypeName([]);
const OBJECT_TYPE = goTypeName({});

/** Returns a value that must be a list. */
export function requireList(value: JSONValue): List {
  if (!isJsonList(value)) {
    throw new PatchTypeError(`expected a ${LIST_TYPE}, but received a ${goTypeText(value)}`);
  }
  return value;
}

/** Returns an item that must be an object. */
export function requireObject(value: JSONValue | undefined): JsonObject {
  if (!isJsonObject(value)) {
    throw new PatchTypeError(`expected a ${OBJECT_TYPE}, but received a ${goTypeText(value)}`);
  }
  return value;
}

// What has no type is printed as `%s` prints it.
function goTypeText(value: JSONValue | undefined): string {
  return value === null || value === undefined ? "%!s(<nil>)" : goTypeName(value);
}

/** Returns the merge key's value of an item, which must have one. */
export function requireKey(item: JsonObject, mergeKey: string): JSONValue {
  const value = memberOf(item, mergeKey);
  if (value === undefined) {
    throw new PatchTypeError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return value;
}

/** Reports whether lists hold objects or scalars; all items must be of one type, which is not a list. */
export function kindOfItems(...lists: readonly List[]): "objects" | "scalars" {
  let type: string | undefined;
  for (const item of lists.flat(1)) {
    const current = goTypeText(item);
    if (type === undefined && current === LIST_TYPE) {
      throw new PatchNotApplicableError("lists of lists are not supported");
    }
    if (type !== undefined && type !== current) {
      throw new PatchTypeError(`list element types are not identical: ${goValue(lists)}`);
    }
    type = current;
  }
  if (type === undefined) {
    throw new PatchTypeError("no elements in any of the given slices");
  }
  return type === OBJECT_TYPE ? "objects" : "scalars";
}

/**
 * Returns a function that reports whether an item of a list has a value as its key.
 *
 * Guarantees: a question takes the same time for each length of the list.
 * Fails: the function, if an item up to the searched one is not an object.
 */
export function keyFinder(list: List, mergeKey: string): (key: JSONValue) => boolean {
  const end = list.findIndex((item) => !isJsonObject(item));
  const keys = new Set(
    list.slice(0, end < 0 ? list.length : end).map((item) => memberOf(item as JsonObject, mergeKey)),
  );
  return (key) => {
    if (keys.has(key)) return true;
    if (end >= 0) throw new PatchTypeError(`value for key ${String(end)} is not a map`);
    return false;
  };
}

/** Returns scalars without repetitions; the last one takes the place of a repeated one, as upstream. */
export function deduplicate(list: List): List {
  const kept = [...list];
  const places = new Map<JSONValue, Set<number>>();
  const addPlace = (item: JSONValue, index: number): void => {
    const known = places.get(item);
    if (known === undefined) places.set(item, new Set([index]));
    else known.add(index);
  };
  kept.forEach(addPlace);
  for (let index = 0; index < kept.length; index++) {
    const item = kept[index] as JSONValue;
    const repeated = [...(places.get(item) ?? [])].sort((left, right) => left - right).slice(1);
    for (const place of repeated) {
      while (kept.length > place) {
        const last = kept.pop() as JSONValue;
        if (last === item) continue;
        places.get(last)?.delete(kept.length);
        kept[place] = last;
        addPlace(last, place);
        break;
      }
    }
  }
  return kept;
}
