import { goTypeName, goUnmarshalError, type JSONValue } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";
import { unfold, type Unfolded } from "../json/unfold.ts";
import { InvalidPatchError } from "../model/errors.ts";

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
  return unfold<Merge>({ document, patch }, merged) as JsonObject;
}

/** A patch, and the value that it is applied to; undefined for a value that stays as it is. */
interface Merge {
  readonly document: JSONValue | undefined;
  readonly patch: JSONValue | undefined;
}

function merged({ document, patch }: Merge): Unfolded<Merge> {
  if (patch === undefined) return { kind: "value", value: document };
  if (isJsonList(patch)) return { kind: "list", items: patch.map((item) => ({ document: undefined, patch: item })) };
  if (!isJsonObject(patch)) return { kind: "value", value: patch };
  const own = isJsonObject(document) ? document : {};
  const added = Object.keys(patch).filter((name) => !Object.hasOwn(own, name));
  const members = [...Object.keys(own), ...added]
    .filter((name) => memberOf(patch, name) !== null)
    .map((name) => [name, { document: memberOf(own, name), patch: memberOf(patch, name) }] as const);
  return { kind: "object", members, isOptional: false };
}
