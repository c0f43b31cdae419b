import type { JSONValue } from "@kubescaffold/k8s";
import { addToList } from "@kubescaffold/platform";

import { memberOf, type JsonObject } from "../../json/json-value.ts";
import { PatchTypeError } from "../../model/errors.ts";
import { orderElements } from "./element-order.ts";
import { deduplicate, kindOfItems, requireKey, requireObject, type List } from "./patch-lists.ts";
import { kindOf, type PatchField, type PatchType } from "./patch-meta.ts";
import { unknownPatchType } from "./unknown-patch-type.ts";

/** What the merge of two lists needs to know. */
export interface ListMerge {
  readonly field: PatchField;
  readonly mergeObjects: (original: JsonObject, patch: JsonObject, type: PatchType) => JsonObject;
  /** Reports that the patch lists what to remove. */
  readonly isDeleteList?: boolean;
}

/** Merges the list of a patch into a list: objects by their key, scalars as a set. */
export function mergeLists(original: List, patch: List, merge: ListMerge): List {
  if (original.length === 0 && patch.length === 0) {
    return original;
  }
  const { mergeKey } = merge.field;
  const kind = kindOfItems(original, patch);
  if (kind === "scalars") {
    if (merge.isDeleteList === true) {
      const deleted = new Set(patch);
      return original.filter((item) => !deleted.has(item));
    }
    const merged = deduplicate([...original, ...patch]);
    return orderElements(merged, { mergeKey, kind, patchOrder: patch, serverOrder: original });
  }
  if (mergeKey === "") {
    throw new PatchTypeError(`cannot merge lists without merge key for ${kindOf(merge.field.type.schema)}`);
  }
  const plain = applyItemDirectives(original.map(requireObject), patch.map(requireObject), mergeKey);
  const merged = mergeItems(plain.original, plain.patch, merge);
  return orderElements(merged, { mergeKey, kind, patchOrder: plain.patch, serverOrder: plain.original });
}

interface PlainLists {
  readonly original: readonly JsonObject[];
  readonly patch: readonly JsonObject[];
}

// Deletions take effect at once; one item that says replace makes the patch the new list.
function applyItemDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): PlainLists {
  const deleted = new Set<JSONValue | undefined>();
  let replaces = false;
  for (const item of patch) {
    const directive = memberOf(item, "$patch");
    if (directive === "delete") {
      deleted.add(requireKey(item, mergeKey));
    } else if (directive !== undefined) {
      replaces = requireReplace(directive, item);
    }
  }
  const plain = patch.filter((item) => memberOf(item, "$patch") === undefined);
  if (replaces) return { original: plain, patch: [] };
  return { original: original.filter((item) => !deleted.has(memberOf(item, mergeKey))), patch: plain };
}

function requireReplace(directive: JSONValue, item: JsonObject): true {
  if (directive === "replace") {
    return true;
  }
  if (directive === "merge") {
    throw new PatchTypeError("merging lists cannot yet be specified in the patch");
  }
  throw unknownPatchType(directive, item);
}

function mergeItems(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  { field, mergeObjects }: ListMerge,
): List {
  const merged = [...original];
  const places = new Map<JSONValue | undefined, number[]>();
  const addPlace = (item: JsonObject, index: number): void => {
    addToList(places, memberOf(item, field.mergeKey), index);
  };
  merged.forEach(addPlace);
  for (const item of patch) {
    const key = requireKey(item, field.mergeKey);
    const known = places.get(key);
    const [index = -1] = known ?? [];
    const current = merged[index];
    if (current === undefined) {
      addPlace(item, merged.push(item) - 1);
      continue;
    }
    merged[index] = mergeObjects(current, item, field.type);
    // A key that is null deletes itself.
    if (key === null) known?.shift();
  }
  return merged;
}
