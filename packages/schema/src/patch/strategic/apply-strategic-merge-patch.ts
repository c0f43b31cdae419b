import { goTypeName, goUnmarshalError, goValue, type JSONValue } from "@kubescaffold/k8s";

import { InvalidPatchError, PatchTypeError } from "../../errors.ts";
import type { JsonSchema, SchemaOptions } from "../../json-schema.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "../../json/json-value.ts";
import { checkOrderList, directiveField, orderElements } from "./element-order.ts";
import { mergeLists } from "./merge-lists.ts";
import { kindOfItems, requireList, type List } from "./patch-lists.ts";
import { fieldForList, fieldForObject, patchTypeOf, type PatchType } from "./patch-meta.ts";

/**
 * Applies a strategic merge patch as kube-apiserver does to built-in kinds.
 *
 * The schema says by `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key` which lists merge and by which key.
 * The directives `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…` work.
 *
 * Guarantees: neither object nor patch are changed.
 * Fails: {@link InvalidPatchError} for malformed directives, {@link PatchTypeError} when the patch does not fit the type,
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
  return mergeObjects(original, patch, patchTypeOf(schema, options));
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

function mergeObjects(original: JsonObject, patch: JsonObject, type: PatchType): JsonObject {
  const directive = memberOf(patch, PATCH);
  if (directive !== undefined) {
    return applyDirective(directive, patch);
  }
  const merged: Mutable = { ...original };
  const remaining: Mutable = { ...patch };
  retainKeys(merged, remaining);
  mergeOrderedLists(merged, remaining, type);
  for (const [key, value] of Object.entries(remaining)) {
    mergeMember(merged, key, value, type);
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

/** Creates the error for a `$patch` directive of another name. */
function unknownPatchType(directive: JSONValue, patch: JsonObject): PatchTypeError {
  const text = typeof directive === "string" ? directive : goValue(directive);
  return new PatchTypeError(`unknown patch type: ${text} in map: ${goValue(patch)}`);
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

function mergeOrderedLists(merged: Mutable, patch: Mutable, type: PatchType): void {
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(ELEMENT_ORDER)) {
      Reflect.deleteProperty(patch, key);
      mergeOrderedList({ merged, patch, type }, directiveFieldOf(key, value), requireList(value));
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
}

function mergeOrderedList({ merged, patch, type }: ObjectMerge, name: string, patchOrder: List): void {
  const originalList = listMember(merged, name);
  const patchList = listMember(patch, name);
  const field = fieldForList(type, name);
  checkOrderList(patchList ?? [], patchOrder, field.mergeKey);
  if (originalList === undefined && patchList === undefined) {
    return;
  }
  const { mergeKey } = field;
  let list = originalList ?? requireList(withoutDirectives(patchList ?? []) ?? []);
  if (originalList !== undefined && patchList !== undefined) {
    list = field.strategy === "merge" ? mergeLists(originalList, patchList, { field, mergeObjects }) : patchList;
  }
  const kind = kindOfItems(originalList ?? [], patchList ?? []);
  setMember(merged, name, orderElements(list, { mergeKey, kind, patchOrder, serverOrder: originalList ?? [] }));
  Reflect.deleteProperty(patch, name);
}

function listMember(object: JsonObject, name: string): List | undefined {
  const value = memberOf(object, name);
  return value === undefined ? undefined : requireList(value);
}

function mergeMember(merged: Mutable, key: string, value: JSONValue, type: PatchType): void {
  const isDeleteList = key.startsWith(DELETE_LIST);
  const name = isDeleteList ? directiveField(key, DELETE_LIST) : key;
  const current = memberOf(merged, name);
  if (value === null) {
    Reflect.deleteProperty(merged, name);
  } else if (current === undefined || goTypeName(current) !== goTypeName(value)) {
    if (!isDeleteList) {
      setOrDelete(merged, name, withoutDirectives(withoutNulls(value)));
    }
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const field = fieldForObject(type, name);
    setMember(merged, name, field.strategy === "replace" ? value : mergeObjects(current, value, field.type));
  } else if (isJsonList(current) && isJsonList(value)) {
    const field = fieldForList(type, name);
    const merges = field.strategy === "merge" || isDeleteList;
    setMember(merged, name, merges ? mergeLists(current, value, { field, mergeObjects, isDeleteList }) : value);
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

function withoutNulls(value: JSONValue): JSONValue {
  if (isJsonList(value)) {
    return value.map(withoutNulls);
  }
  return isJsonObject(value)
    ? mapMembers(value, (member) => (member === null ? undefined : withoutNulls(member)))
    : value;
}

// Returns undefined for an object that is itself a directive.
function withoutDirectives(value: JSONValue): JSONValue | undefined {
  if (isJsonList(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return memberOf(value, PATCH) === undefined ? mapMembers(value, withoutDirectives) : undefined;
}

function mapMembers(object: JsonObject, change: (value: JSONValue) => JSONValue | undefined): JsonObject {
  const changed: Mutable = {};
  for (const [name, value] of Object.entries(object)) {
    const member = change(value);
    if (member !== undefined) {
      setMember(changed, name, member);
    }
  }
  return changed;
}
