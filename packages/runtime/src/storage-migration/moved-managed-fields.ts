import { apiVersionOf, type GroupVersionKind, type JSONValue } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { fieldSetOf, isJsonObject, printFieldSet, unionOf } from "@kubescaffold/schema";
import { type DeepCalls, runDeep } from "@kubescaffold/schema/values";

/** An object with the version to which its managed fields move. */
export interface MovedManagedFields {
  /** The object in the target version. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly entries: readonly ManagedFieldsEntry[];
  /** The version of the object. */
  readonly target: GroupVersionKind;
  /** Returns whether the fields of a version of this group move. */
  readonly isLeaving: (version: string) => boolean;
}

/** Returns whether one of the entries is of a version that leaves. */
export function hasLeavingFields(
  entries: readonly ManagedFieldsEntry[],
  group: string,
  isLeaving: (version: string) => boolean,
): boolean {
  return entries.some((entry) => isOfLeaving(entry, group, isLeaving));
}

/**
 * Returns the managed fields with the entries of leaving versions in the target version. API servers drop the entries of versions that they do not know, after which
 * server-side apply would no longer remove the fields.
 *
 * A field moves if the object has one of its path in the target version. The conversions of objects do not tell where a renamed field went, so
 * nobody owns it until it is written again.
 */
export function movedManagedFields({
  object,
  entries,
  target,
  isLeaving,
}: MovedManagedFields): readonly ManagedFieldsEntry[] {
  const apiVersion = apiVersionOf(target);
  const moved = new Map<string, ManagedFieldsEntry>();
  for (const entry of entries) {
    const isMoving = isOfLeaving(entry, target.group, isLeaving);
    const fieldsV1 = isMoving ? presentFields(entry.fieldsV1 as JSONValue | undefined, object) : entry.fieldsV1;
    // An entry without fields is none.
    if (fieldsV1 === undefined) continue;
    const changed: ManagedFieldsEntry = isMoving ? { ...entry, apiVersion, fieldsV1 } : entry;
    const key = entryKey(changed);
    const other = moved.get(key);
    moved.set(key, other === undefined ? changed : united(other, changed));
  }
  return [...moved.values()];
}

function isOfLeaving(
  { apiVersion = "" }: ManagedFieldsEntry,
  group: string,
  isLeaving: (version: string) => boolean,
): boolean {
  const [entryGroup, version = "", ...rest] = apiVersion.split("/");
  return rest.length === 0 && entryGroup === group && isLeaving(version);
}

function entryKey({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, apiVersion, subresource ?? ""]);
}

function united(left: ManagedFieldsEntry, right: ManagedFieldsEntry): ManagedFieldsEntry {
  const setOf = ({ fieldsV1 }: ManagedFieldsEntry): ReturnType<typeof fieldSetOf> =>
    fieldSetOf(fieldsV1 as JSONValue | undefined);
  const [older, newer] = (left.time ?? "") <= (right.time ?? "") ? [left, right] : [right, left];
  return { ...older, ...newer, fieldsV1: printFieldSet(unionOf(setOf(left), setOf(right))) };
}

/** Returns the part of a `fieldsV1` whose paths a value has; undefined if it has none. */
function presentFields(fields: JSONValue | undefined, value: unknown): Present {
  return runDeep<Owned, Present>({ fields, value }, { run: presentBelow, placeholder: undefined });
}

type Present = Record<string, JSONValue> | undefined;

interface Owned {
  readonly fields: JSONValue | undefined;
  readonly value: unknown;
}

function presentBelow({ fields, value }: Owned, calls: DeepCalls<Owned, Present>): Present {
  if (!isJsonObject(fields)) return undefined;
  const present: Record<string, JSONValue> = {};
  for (const [element, below] of Object.entries(fields)) {
    if (element === ".") {
      present[element] = below;
      continue;
    }
    const child = childAt(value, element);
    if (child === undefined) continue;
    const isLeaf = !isJsonObject(below) || Object.keys(below).length === 0;
    const kept = isLeaf ? {} : calls.call({ fields: below, value: child.value });
    if (kept !== undefined) present[element] = kept;
  }
  return Object.keys(present).length === 0 ? undefined : present;
}

// Source: structured-merge-diff, fieldpath.DeserializePathElement
function childAt(value: unknown, element: string): { readonly value: unknown } | undefined {
  const text = element.slice(2);
  if (element.startsWith("f:")) {
    const isThere = isJsonObject(value) && Object.hasOwn(value, text);
    return isThere ? { value: value[text] } : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  if (element.startsWith("i:")) return Number(text) < items.length ? { value: items[Number(text)] } : undefined;
  const expected = parsed(text);
  const found = items.findIndex((item) =>
    element.startsWith("k:") ? hasKeys(item, expected) : isSame(item, expected),
  );
  return found < 0 ? undefined : { value: items[found] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasKeys(item: unknown, keys: unknown): boolean {
  return (
    isJsonObject(item) &&
    isJsonObject(keys) &&
    Object.entries(keys).every(([key, value]) => isSame((item as Record<string, unknown>)[key], value))
  );
}

// Keys and items of sets are scalars.
function isSame(left: unknown, right: unknown): boolean {
  return left === right;
}
