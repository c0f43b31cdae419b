import type { JSONValue } from "@kubescaffold/k8s";

import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { unfold, type Unfolded } from "../json/unfold.ts";
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
  return selected(patch, (value) => (value === null ? undefined : value), isEmpty);
}

function onlyRemovals(patch: JsonObject): JsonObject {
  return selected(
    patch,
    (value) => (value === null ? null : undefined),
    () => false,
  );
}

/** Returns the members of a patch that `select` returns a value for; objects that lose all of theirs go, too. */
function selected(
  patch: JsonObject,
  select: (value: JSONValue) => JSONValue | undefined,
  isKept: (object: JsonObject) => boolean,
): JsonObject {
  const make = (value: JSONValue | undefined): Unfolded<JSONValue | undefined> =>
    isJsonObject(value)
      ? { kind: "object", members: Object.entries(value), isOptional: !isKept(value) }
      : { kind: "value", value: value === undefined ? undefined : select(value) };
  return (unfold<JSONValue | undefined>(patch, make) as JsonObject | undefined) ?? {};
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
