import { goTypeName, goUnmarshalError, type JSONValue } from "@kubescaffold/k8s";

import { InvalidPatchError } from "../errors.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "../json/json-value.ts";

/**
 * Applies a JSON merge patch (RFC 7386) as kube-apiserver does: objects merge, null removes, everything else replaces.
 *
 * Nulls inside lists stay; nulls in objects that are new go away.
 *
 * Guarantees: neither document nor patch are changed.
 * Fails: {@link InvalidPatchError} when the patch is not an object.
 */
export function applyJsonMergePatch(document: JsonObject, patch: JSONValue): JsonObject {
  if (!isJsonObject(patch)) {
    const wrongKind = `error decoding patch: ${goUnmarshalError(patch, goTypeName({}))}`;
    throw new InvalidPatchError(patch === null ? "Invalid JSON Patch" : wrongKind);
  }
  return mergeObjects(document, patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged: { [key: string]: JSONValue } = { ...document };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      Reflect.deleteProperty(merged, name);
    } else if (value !== undefined) {
      setMember(merged, name, mergeValues(memberOf(document, name), value));
    }
  }
  return merged;
}

function mergeValues(current: JSONValue | undefined, patch: JSONValue): JSONValue {
  return isJsonObject(current) && isJsonObject(patch) ? mergeObjects(current, patch) : withoutNulls(patch);
}

function withoutNulls(value: JSONValue): JSONValue {
  if (isJsonList(value)) {
    return value.map(withoutNulls);
  }
  return isJsonObject(value) ? mergeObjects({}, value) : value;
}
