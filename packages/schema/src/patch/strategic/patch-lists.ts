import { goTypeName, goValue, type JSONValue } from "@kubescaffold/k8s";

import { PatchNotApplicableError, PatchTypeError } from "../../errors.ts";
import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../../json/json-value.ts";

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

/** Finds the item of a key's value; every item up to it must be an object. */
export function findByKey(list: List, mergeKey: string, value: JSONValue): number {
  return list.findIndex((item, index) => {
    if (!isJsonObject(item)) {
      throw new PatchTypeError(`value for key ${String(index)} is not a map`);
    }
    return memberOf(item, mergeKey) === value;
  });
}

/** Returns scalars without repetitions; the last one takes the place of a repeated one, as upstream. */
export function deduplicate(list: List): List {
  const kept = [...list];
  for (let index = 0; index < kept.length - 1; index++) {
    for (let other = index + 1; other < kept.length; other++) {
      if (kept[index] === kept[other]) {
        const last = kept.pop();
        if (other < kept.length && last !== undefined) {
          kept[other] = last;
        }
        other--;
      }
    }
  }
  return kept;
}
