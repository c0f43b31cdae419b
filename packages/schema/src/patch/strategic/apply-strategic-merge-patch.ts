import { goTypeName, goUnmarshalError, type JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../../json/deep-calls.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "../../json/json-value.ts";
import { unfold, type Unfolded } from "../../json/unfold.ts";
import { InvalidPatchError } from "../../model/errors.ts";
import type { JsonSchema, SchemaOptions } from "../../model/json-schema.ts";
import { checkOrderList, directiveField, orderElements } from "./element-order.ts";
import { mergeLists, type ListMerge } from "./merge-lists.ts";
import { kindOfItems, requireList, type List } from "./patch-lists.ts";
import { fieldForList, fieldForObject, patchTypeOf, type PatchType } from "./patch-meta.ts";
import { unknownPatchType } from "./unknown-patch-type.ts";

/**
 * Applies a strategic merge patch as kube-apiserver does to built-in kinds.
 *
 * The schema says by `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key` which lists merge and by which key.
 * The directives `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…` work.
 *
 * Guarantees: neither object nor patch are changed.
 * Fails: {@link InvalidPatchError} for malformed directives, `PatchTypeError` when the patch does not fit the type,
 * {@link PatchNotApplicableError} for lists of lists.
 */
export function applyStrategicMergePatch(
  original: JsonObject,
  patch: JSONValue,
  { schema, ...options }: StrategicMergeOptions,
): JsonObject {
  if (patch === null) {
    return original;
  }
  if (!isJsonObject(patch)) {
    throw new InvalidPatchError(goUnmarshalError(patch, goTypeName({})));
  }
  const root = { original, patch, type: patchTypeOf(schema, options) };
  return runDeep<Merge, JsonObject>(root, { run: mergeObjects, placeholder: {} });
}

/** Options of a strategic merge patch. */
export interface StrategicMergeOptions extends SchemaOptions {
  /** The schema of the object, or a reference to it. */
  readonly schema: JsonSchema;
}

const DELETE_LIST = "$deleteFromPrimitiveList";
const ELEMENT_ORDER = "$setElementOrder";
const RETAIN_KEYS = "$retainKeys";
const PATCH = "$patch";

type Mutable = { [key: string]: JSONValue };

/** An object, and its patch. */
interface Merge {
  readonly original: JsonObject;
  readonly patch: JsonObject;
  readonly type: PatchType;
}

type Calls = DeepCalls<Merge, JsonObject>;

function mergeObjects({ original, patch, type }: Merge, calls: Calls): JsonObject {
  const directive = memberOf(patch, PATCH);
  if (directive !== undefined) {
    return applyDirective(directive, patch);
  }
  const merged: Mutable = { ...original };
  const remaining: Mutable = { ...patch };
  retainKeys(merged, remaining);
  mergeOrderedLists({ merged, patch: remaining, type, calls });
  for (const [key, value] of Object.entries(remaining)) {
    mergeMember({ merged, patch: remaining, type, calls }, key, value);
  }
  return merged;
}

function applyDirective(directive: JSONValue, patch: JsonObject): JsonObject {
  if (directive === "replace") {
    const { [PATCH]: _directive, ...replacement } = patch;
    return replacement;
  }
  if (directive === "delete") {
    return {};
  }
  throw unknownPatchType(directive, patch);
}

const BAD_RETAIN_KEYS = "invalid patch format of retainKeys";

function retainKeys(merged: Mutable, patch: Mutable): void {
  const retained = memberOf(patch, RETAIN_KEYS);
  if (retained === undefined) {
    return;
  }
  Reflect.deleteProperty(patch, RETAIN_KEYS);
  if (!isJsonList(retained)) {
    throw new InvalidPatchError(BAD_RETAIN_KEYS);
  }
  const keys = new Set<JSONValue>(retained);
  const isExempt = (key: string): boolean => key.startsWith(DELETE_LIST) || key.startsWith(ELEMENT_ORDER);
  if (Object.entries(patch).some(([key, value]) => value !== null && !isExempt(key) && !keys.has(key))) {
    throw new InvalidPatchError(BAD_RETAIN_KEYS);
  }
  for (const key of Object.keys(merged)) {
    if (!keys.has(key)) {
      Reflect.deleteProperty(merged, key);
    }
  }
}

function mergeOrderedLists(merge: ObjectMerge): void {
  const { patch } = merge;
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(ELEMENT_ORDER)) {
      Reflect.deleteProperty(patch, key);
      mergeOrderedList(merge, directiveFieldOf(key, value), requireList(value));
    }
  }
}

// Upstream looks at the list before it looks at the name of the field.
function directiveFieldOf(key: string, value: JSONValue): string {
  requireList(value);
  return directiveField(key, ELEMENT_ORDER);
}

interface ObjectMerge {
  readonly merged: Mutable;
  readonly patch: Mutable;
  readonly type: PatchType;
  readonly calls: Calls;
}

function mergeOrderedList({ merged, patch, type, calls }: ObjectMerge, name: string, patchOrder: List): void {
  const originalList = listMember(merged, name);
  const patchList = listMember(patch, name);
  const field = fieldForList(type, name);
  checkOrderList(patchList ?? [], patchOrder, field.mergeKey);
  if (originalList === undefined && patchList === undefined) {
    return;
  }
  const { mergeKey } = field;
  let list = originalList ?? requireList(withoutDirectives(patchList ?? []));
  if (originalList !== undefined && patchList !== undefined) {
    list =
      field.strategy === "merge"
        ? mergeLists(originalList, patchList, { field, mergeObjects: mergeWith(calls) })
        : patchList;
  }
  const kind = kindOfItems(originalList ?? [], patchList ?? []);
  setMember(merged, name, orderElements(list, { mergeKey, kind, patchOrder, serverOrder: originalList ?? [] }));
  Reflect.deleteProperty(patch, name);
}

function listMember(object: JsonObject, name: string): List | undefined {
  const value = memberOf(object, name);
  return value === undefined ? undefined : requireList(value);
}

function mergeWith(calls: Calls): ListMerge["mergeObjects"] {
  return (original, patch, type) => calls.call({ original, patch, type });
}

function mergeMember({ merged, type, calls }: ObjectMerge, key: string, value: JSONValue): void {
  const isDeleteList = key.startsWith(DELETE_LIST);
  const name = isDeleteList ? directiveField(key, DELETE_LIST) : key;
  const current = memberOf(merged, name);
  if (value === null) {
    Reflect.deleteProperty(merged, name);
  } else if (current === undefined || goTypeName(current) !== goTypeName(value)) {
    if (!isDeleteList) {
      setOrDelete(merged, name, withoutNullsAndDirectives(value));
    }
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const field = fieldForObject(type, name);
    const task = { original: current, patch: value, type: field.type };
    setMember(merged, name, field.strategy === "replace" ? value : calls.call(task));
  } else if (isJsonList(current) && isJsonList(value)) {
    const field = fieldForList(type, name);
    const merges = field.strategy === "merge" || isDeleteList;
    const merge = { field, mergeObjects: mergeWith(calls), isDeleteList };
    setMember(merged, name, merges ? mergeLists(current, value, merge) : value);
  } else {
    setMember(merged, name, value);
  }
}

function setOrDelete(object: Mutable, name: string, value: JSONValue | undefined): void {
  if (value === undefined) {
    Reflect.deleteProperty(object, name);
  } else {
    setMember(object, name, value);
  }
}

// Undefined for an object that is itself a directive.
function withoutNullsAndDirectives(value: JSONValue): JSONValue | undefined {
  return unfold<JSONValue>(value, (part) => withoutDirective(part, (member) => member !== null));
}

function withoutDirectives(list: List): JSONValue {
  return unfold<JSONValue>(list, (part) => withoutDirective(part, () => true)) ?? [];
}

function withoutDirective(value: JSONValue, isKept: (member: JSONValue) => boolean): Unfolded<JSONValue> {
  if (isJsonList(value)) return { kind: "list", items: value.filter((item) => !isDirective(item, isKept)) };
  if (!isJsonObject(value)) return { kind: "value", value };
  if (isDirective(value, isKept)) return { kind: "value", value: undefined };
  return { kind: "object", members: Object.entries(value).filter(([, member]) => isKept(member)), isOptional: false };
}

function isDirective(value: JSONValue, isKept: (member: JSONValue) => boolean): boolean {
  const directive = isJsonObject(value) ? memberOf(value, PATCH) : undefined;
  return directive !== undefined && isKept(directive);
}
