import type { JSONValue } from "@kubescaffold/k8s";

import { deepEqual } from "../json/deep-equal.ts";
import { formatPointer } from "../json/json-pointer.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "../json/json-value.ts";
import type { JsonPatchOperation } from "./json-patch.ts";

/**
 * Creates the JSON merge patch that turns one object into another; an empty object when they are the same.
 *
 * Guarantees: applied to `from` it gives `to`, as long as `to` has no null members, which a merge patch cannot set.
 */
export function createJsonMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: { [key: string]: JSONValue } = {};
  for (const [name, value] of Object.entries(to)) {
    if (value !== undefined) {
      addMemberChange(patch, name, memberOf(from, name), value);
    }
  }
  for (const name of Object.keys(from)) {
    if (memberOf(from, name) !== undefined && memberOf(to, name) === undefined) {
      setMember(patch, name, null);
    }
  }
  return patch;
}

function addMemberChange(
  patch: { [key: string]: JSONValue },
  name: string,
  before: JSONValue | undefined,
  after: JSONValue,
): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    const change = createJsonMergePatch(before, after);
    if (Object.keys(change).length > 0) {
      setMember(patch, name, change);
    }
  } else if (before === undefined || !deepEqual(before, after)) {
    setMember(patch, name, after);
  }
}

/**
 * Creates a JSON patch that turns one value into another; no operations when they are the same.
 *
 * Lists are compared index by index, their surplus removed or added at the end.
 *
 * Guarantees: applied to `from` it gives `to`.
 */
export function createJsonPatch(from: JSONValue, to: JSONValue): readonly JsonPatchOperation[] {
  return diffValues(from, to, []);
}

type Tokens = readonly string[];

function diffValues(from: JSONValue, to: JSONValue, tokens: Tokens): readonly JsonPatchOperation[] {
  if (isJsonObject(from) && isJsonObject(to)) {
    return diffObjects(from, to, tokens);
  }
  if (isJsonList(from) && isJsonList(to)) {
    return diffLists(from, to, tokens);
  }
  return deepEqual(from, to) ? [] : [{ op: "replace", path: formatPointer(tokens), value: to }];
}

function diffObjects(from: JsonObject, to: JsonObject, tokens: Tokens): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const name of Object.keys(from)) {
    if (memberOf(from, name) !== undefined && memberOf(to, name) === undefined) {
      operations.push({ op: "remove", path: formatPointer([...tokens, name]) });
    }
  }
  for (const [name, value] of Object.entries(to)) {
    const before = memberOf(from, name);
    if (before === undefined && value !== undefined) {
      operations.push({ op: "add", path: formatPointer([...tokens, name]), value });
    } else if (before !== undefined && value !== undefined) {
      for (const each of diffValues(before, value, [...tokens, name])) operations.push(each);
    }
  }
  return operations;
}

function diffLists(
  from: readonly JSONValue[],
  to: readonly JSONValue[],
  tokens: Tokens,
): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (let index = from.length - 1; index >= to.length; index--) {
    operations.push({ op: "remove", path: formatPointer([...tokens, String(index)]) });
  }
  to.forEach((item, index) => {
    const before = from[index];
    if (before === undefined) {
      operations.push({ op: "add", path: formatPointer([...tokens, "-"]), value: item });
    } else {
      for (const each of diffValues(before, item, [...tokens, String(index)])) operations.push(each);
    }
  });
  return operations;
}
