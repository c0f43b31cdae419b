import { compareStrings, goTypeName, goValue, type JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../../json/deep-calls.ts";
import { deepEqual } from "../../json/deep-equal.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "../../json/json-value.ts";
import type { StrategicMergeOptions } from "./apply-strategic-merge-patch.ts";
import { hasSameKey, sortByOrder } from "./element-order.ts";
import { deduplicate, kindOfItems, requireKey, requireObject, type List } from "./patch-lists.ts";
import { fieldForList, fieldForObject, patchTypeOf, type PatchField, type PatchType } from "./patch-meta.ts";

/**
 * Creates the strategic merge patch that turns one object into another, as client-go does; an empty object when they are the same.
 *
 * Guarantees: applied to `original` it gives `modified`, as long as lists that merge have every key once.
 * Fails: {@link PatchTypeError} when an object does not fit the schema.
 */
export function createStrategicMergePatch(
  original: JsonObject,
  modified: JsonObject,
  { schema, ...options }: StrategicMergeOptions,
): JsonObject {
  const root = { original, modified, type: patchTypeOf(schema, options), retainsKeys: false };
  return runDeep<ObjectDiff, JsonObject>(root, { run: diffObjects, placeholder: {} });
}

type Mutable = { [key: string]: JSONValue };

/** Two objects, and how they are patched. */
interface ObjectDiff {
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly type: PatchType;
  readonly retainsKeys: boolean;
}

type Calls = DeepCalls<ObjectDiff, JsonObject>;

function diffObjects({ original, modified, type, retainsKeys }: ObjectDiff, calls: Calls): JsonObject {
  const patch: Mutable = {};
  for (const [name, after] of Object.entries(modified)) {
    if (after === undefined) {
      continue;
    }
    const before = memberOf(original, name);
    if (before === undefined || goTypeName(before) !== goTypeName(after)) {
      setMember(patch, name, after);
    } else {
      diffMember(patch, { name, before, after }, { type, calls });
    }
  }
  const removed = Object.keys(original).filter((name) => memberOf(modified, name) === undefined);
  removed.forEach((name) => setMember(patch, name, null));
  const loses = removed.some((name) => original[name] !== null);
  addRetainKeys(patch, modified, retainsKeys && (Object.keys(patch).length > 0 || loses));
  return patch;
}

function addRetainKeys(patch: Mutable, modified: JsonObject, isWanted: boolean): void {
  const keys = Object.entries(modified).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [name],
  );
  if (isWanted && keys.length > 0) {
    patch["$retainKeys"] = keys.sort(compareStrings);
  }
}

interface MemberDiff {
  readonly name: string;
  readonly before: JSONValue;
  readonly after: JSONValue;
}

interface Place {
  readonly type: PatchType;
  readonly calls: Calls;
}

function diffMember(patch: Mutable, { name, before, after }: MemberDiff, place: Place): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    // Objects are compared member by member, and each member once.
    diffObjectMember(patch, { name, before, after }, place);
  } else if (deepEqual(before, after)) {
    return;
  } else if (isJsonList(before) && isJsonList(after)) {
    diffListMember(patch, { name, before, after }, place);
  } else {
    setMember(patch, name, after);
  }
}

function diffObjectMember(
  patch: Mutable,
  { name, before, after }: MemberDiff & { readonly before: JsonObject; readonly after: JsonObject },
  { type, calls }: Place,
): void {
  if (before === after) {
    return;
  }
  const field = fieldOf({ name, before, after }, type);
  if (field === undefined) {
    return;
  }
  if (field.strategy === "replace") {
    if (!deepEqual(before, after)) setMember(patch, name, after);
    return;
  }
  const { type: inner, retainsKeys } = field;
  const change = calls.call({ original: before, modified: after, type: inner, retainsKeys });
  if (Object.keys(change).length > 0) {
    setMember(patch, name, change);
  }
}

// A field that the type lacks stays out of the patch if it is the same.
function fieldOf({ name, before, after }: MemberDiff, type: PatchType): PatchField | undefined {
  try {
    return fieldForObject(type, name);
  } catch (error) {
    if (deepEqual(before, after)) return undefined;
    throw error;
  }
}

function diffListMember(
  patch: Mutable,
  { name, before, after }: MemberDiff & { readonly before: List; readonly after: List },
  { type, calls }: Place,
): void {
  const field = fieldForList(type, name);
  if (field.strategy !== "merge" || before.length === 0) {
    setMember(patch, name, after);
    return;
  }
  const diff =
    kindOfItems(before, after) === "objects"
      ? diffKeyedLists({ before, after }, field, calls)
      : diffScalarLists(before, after);
  if (diff.changes.length > 0) {
    setMember(patch, name, diff.changes);
  }
  if (diff.deletions.length > 0) {
    setMember(patch, `$deleteFromPrimitiveList/${name}`, diff.deletions);
  }
  if (diff.order.length > 0) {
    setMember(patch, `$setElementOrder/${name}`, diff.order);
  }
}

interface ListDiff {
  readonly changes: List;
  readonly deletions: List;
  readonly order: List;
}

function diffScalarLists(before: List, after: List): ListDiff {
  const sortedBefore = [...before].sort(compareScalars);
  const added: JSONValue[] = [];
  const deleted: JSONValue[] = [];
  walkSorted(sortedBefore, [...after].sort(compareScalars), {
    keyOf: goValue,
    removed: (item) => deleted.push(item),
    added: (item) => added.push(item),
    both: () => undefined,
  });
  const order = deleted.length > 0 || !deepEqual(sortedBefore, after) ? after : [];
  return {
    changes: sortByOrder(added, after, { mergeKey: "", kind: "scalars" }),
    deletions: deduplicate(deleted),
    order,
  };
}

function compareScalars(left: JSONValue, right: JSONValue): number {
  return compareStrings(goValue(left), goValue(right));
}

interface Lists {
  readonly before: List;
  readonly after: List;
}

function diffKeyedLists({ before, after }: Lists, { type, mergeKey, retainsKeys }: PatchField, calls: Calls): ListDiff {
  const changes: JSONValue[] = [];
  const deletions: JSONValue[] = [];
  const keyOf = (item: JSONValue): string => goValue(requireKey(requireObject(item), mergeKey));
  const byKey = (left: JSONValue, right: JSONValue): number => compareStrings(keyOf(left), keyOf(right));
  walkSorted([...before].sort(byKey), [...after].sort(byKey), {
    keyOf,
    removed: (item) => deletions.push({ [mergeKey]: requireKey(requireObject(item), mergeKey), $patch: "delete" }),
    added: (item) => changes.push(item),
    both: (left, right) => {
      const change = calls.call({ original: requireObject(left), modified: requireObject(right), type, retainsKeys });
      if (Object.keys(change).length > 0) {
        changes.push({ ...change, [mergeKey]: requireKey(requireObject(right), mergeKey) });
      }
    },
  });
  const all = [...sortByOrder(changes, after, { mergeKey, kind: "objects" }), ...deletions];
  const isOrderSame =
    before.length === after.length && after.every((item, index) => hasSameKey(before[index] ?? null, item, mergeKey));
  const order =
    all.length > 0 || !isOrderSame
      ? after.map((item) => ({ [mergeKey]: requireKey(requireObject(item), mergeKey) }))
      : [];
  return { changes: all, deletions: [], order };
}

interface SortedWalk {
  readonly keyOf: (item: JSONValue) => string;
  readonly removed: (item: JSONValue) => void;
  readonly added: (item: JSONValue) => void;
  readonly both: (before: JSONValue, after: JSONValue) => void;
}

function walkSorted(before: List, after: List, walk: SortedWalk): void {
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old, current] = [before[left], after[right]];
    const order =
      old === undefined ? 1 : current === undefined ? -1 : compareStrings(walk.keyOf(old), walk.keyOf(current));
    if (order < 0 && old !== undefined) {
      walk.removed(old);
      left++;
    } else if (order > 0 && current !== undefined) {
      walk.added(current);
      right++;
    } else if (old !== undefined && current !== undefined) {
      walk.both(old, current);
      left++;
      right++;
    }
  }
}
