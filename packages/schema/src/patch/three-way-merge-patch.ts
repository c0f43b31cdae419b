import type { JSONValue } from "@kubescaffold/k8s";

import { isJsonObject, setMember, type JsonObject } from "../json/json-value.ts";
import { createJsonMergePatch } from "./create-patch.ts";
import { applyJsonMergePatch } from "./json-merge-patch.ts";

/**
 * Creates the JSON merge patch that `kubectl apply` sends for custom resources: it sets what `modified` and `current` have in a different form, and removes what
 * `original` has and `modified` has not. What only `current` has stays.
 *
 * Guarantees: applied to `current`, the patch gives an object with all members of `modified`, if these have no null members.
 *
 * apimachinery: pkg/util/jsonmergepatch.CreateThreeWayJSONMergePatch
 */
export function createThreeWayJsonMergePatch(
  original: JsonObject,
  modified: JsonObject,
  current: JsonObject,
): JsonObject {
  const changes = withoutRemovals(createJsonMergePatch(current, modified));
  const removals = onlyRemovals(createJsonMergePatch(original, modified));
  return applyJsonMergePatch(removals, changes);
}

function withoutRemovals(patch: JsonObject): JsonObject {
  return mapMembers(patch, (value) => {
    if (value === null) return undefined;
    return isJsonObject(value) && Object.keys(value).length > 0 ? nonEmpty(withoutRemovals(value)) : value;
  });
}

function onlyRemovals(patch: JsonObject): JsonObject {
  return mapMembers(patch, (value) => {
    if (value === null) return null;
    return isJsonObject(value) ? nonEmpty(onlyRemovals(value)) : undefined;
  });
}

function nonEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

function mapMembers(object: JsonObject, change: (value: JSONValue) => JSONValue | undefined): JsonObject {
  const changed: { [name: string]: JSONValue } = {};
  for (const [name, value] of Object.entries(object)) {
    const result = value === undefined ? undefined : change(value);
    if (result !== undefined) setMember(changed, name, result);
  }
  return changed;
}
