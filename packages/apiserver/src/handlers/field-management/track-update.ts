import { apiVersionOf, deepFreeze, DEEPEST_JSON } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import {
  changedFields,
  fieldsWithout,
  reconciledFields,
  unionOf,
  unionOfAll,
  type FieldComparison,
  type FieldSet,
  type OwnershipOptions,
} from "@kubescaffold/schema/structured-merge";
import { deepEqual, type JsonObject } from "@kubescaffold/schema/values";

import type { ApiObject } from "../../storage/api-object.ts";
import {
  entryOf,
  isReset,
  managedFieldsProblem,
  managerKey,
  readManagedFields,
  sortEntries,
  withFields,
  withoutIdentity,
  type Manager,
} from "./managers.ts";
import { emptyObjectOf, mergeOptionsOf, type MergedType, untypedProblem } from "./merged-type.ts";

/** A write of an object by one manager, by any means but applying. */
export interface TrackedWrite {
  readonly type: MergedType;
  /** The stored object; undefined when it is created. */
  readonly before: ApiObject | undefined;
  readonly after: ApiObject;
  readonly manager: Manager;
  readonly now: string;
  /**
   * Returns both objects in another version of their kind; undefined where there is no such version any more.
   *
   * Fails: when they cannot be converted.
   */
  readonly inVersion?: (apiVersion: string) => VersionedWrite | undefined;
}

/** Both objects of a write in another version. */
export interface VersionedWrite {
  readonly type: MergedType;
  readonly before: ApiObject;
  readonly after: ApiObject;
}

/**
 * Writes into a changed object who owns its fields now: `metadata.managedFields`.
 *
 * Owners that the request states replace those of the stored object, if they can be read; an empty list, or one empty entry, ends the tracking
 * of an object. When owners cannot be computed, the object keeps those of the stored one; until 1.36, it has none.
 */
export function trackUpdate(write: TrackedWrite): void {
  const entries = entriesAfter(write);
  // The metadata of a subresource's object may be that of the stored one. V8 gives each copy by spread a hidden class of its own where objects differ in shape, which takes more memory than the object.
  const metadata: ApiObject["metadata"] = Object.assign({}, write.after.metadata);
  if (entries !== undefined) metadata.managedFields = entries;
  else if (metadata.managedFields !== undefined) delete metadata.managedFields;
  write.after.metadata = metadata;
}

function entriesAfter(write: TrackedWrite): ManagedFieldsEntry[] | undefined {
  const known = knownEntries(write);
  if (known.length === 0 && write.before !== undefined) return undefined;
  try {
    const entries = capped(updatedEntries(write, known));
    return entries.length === 0 ? undefined : sortEntries(entries);
  } catch {
    const { release } = write.type;
    return release.since("1.37") ? write.before?.metadata.managedFields?.slice() : undefined;
  }
}

// Requests to a subresource cannot state owners.
function knownEntries({ before, after, manager }: TrackedWrite): readonly ManagedFieldsEntry[] {
  const stated = after.metadata.managedFields;
  if (manager.subresource === "") {
    if (isReset(stated)) return [];
    if (stated !== undefined && managedFieldsProblem(stated) === undefined) return stated;
  }
  const stored = before?.metadata.managedFields ?? [];
  return managedFieldsProblem(stored) === undefined ? stored : [];
}

function updatedEntries(write: TrackedWrite, known: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const { before, after, manager, type } = write;
  const options = mergeOptionsOf(type, manager.subresource);
  const [from, to] = [before === undefined ? undefined : bare(before), bare(after)];
  checkTyped(type, after, to);
  if (before !== undefined && from !== undefined) checkTyped(type, before, from);
  const change = changedFields(from ?? emptyObjectOf(type), to, options);
  const own = withoutIdentity(unionOf(change.added, change.modified));
  if (isDeeperThan(own, DEEPEST)) return [];
  const key = managerKey(manager);
  const changes = new Map([[manager.apiVersion, change]]);
  const { owners, entries } = readManagedFields(known);
  const kept = new Map<string, ManagedFieldsEntry>();
  let all = own;
  for (const [name, entry] of entries) {
    const versioned = changeIn(write, entry.apiVersion ?? "", changes);
    if (versioned === undefined) continue;
    const fields = owners.get(name) as FieldSet;
    const left = withoutChanged(reconciled(write, entry, fields, options), versioned);
    if (left.size === 0) continue;
    if (name === key && own.size > 0) all = unionOf(left, own);
    else kept.set(name, left === fields && isStored(before, entry) ? entry : withFields(entry, left));
  }
  if (own.size > 0) kept.set(key, shared(withFields(entryOf(manager, write.now), all)));
  return [...kept.values()];
}

// Objects that were stored by an earlier schema cannot be compared. What a write leaves is stored as it is, so that the next one finds it checked.
function checkTyped(type: MergedType, object: ApiObject, withoutOwners: JsonObject): void {
  const schema = type.schema?.();
  if (schema === undefined || typedBy.get(schema)?.has(object) === true) return;
  const problem = untypedProblem(type, withoutOwners);
  if (problem !== undefined) throw new Error(problem);
  const typed = typedBy.get(schema);
  if (typed === undefined) typedBy.set(schema, new WeakSet([object]));
  else typed.add(object);
}

const typedBy = new WeakMap<object, WeakSet<ApiObject>>();

// Objects that one manager writes in the same second have equal entries, which take more memory than a small object.
const MOST_SHARED = 500;
const entriesByText = new Map<string, ManagedFieldsEntry>();

function shared(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const text = JSON.stringify(entry);
  const known = entriesByText.get(text);
  if (known !== undefined) return known;
  if (entriesByText.size >= MOST_SHARED) entriesByText.clear();
  const frozen = deepFreeze(entry);
  entriesByText.set(text, frozen);
  return frozen;
}

// Of objects that are nested nearly as deep as servers read them, whose owners could not be sent back, no owners are recorded.
const DEEPEST = DEEPEST_JSON - 10;

function isDeeperThan(set: FieldSet, levels: number): boolean {
  let level: readonly FieldSet[] = set.size > 0 ? [set] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    const below: FieldSet[] = [];
    for (const each of level) {
      for (const { children } of each.values()) if (children.size > 0) below.push(children);
    }
    level = below;
  }
  return false;
}

function isStored(before: ApiObject | undefined, entry: ManagedFieldsEntry): boolean {
  return before?.metadata.managedFields?.includes(entry) === true;
}

// Lists and maps of a definition may have become atomic since their owners were recorded.
function reconciled(
  { type }: TrackedWrite,
  { apiVersion }: ManagedFieldsEntry,
  fields: FieldSet,
  options: OwnershipOptions,
): FieldSet {
  return type.schema === undefined || apiVersion !== apiVersionOf(type) ? fields : reconciledFields(fields, options);
}

function withoutChanged(fields: FieldSet, { added, modified, removed }: FieldComparison): FieldSet {
  return fieldsWithout(fieldsWithout(fieldsWithout(fields, added), modified), removed);
}

function changeIn(
  { inVersion, manager }: TrackedWrite,
  apiVersion: string,
  changes: Map<string, FieldComparison>,
): FieldComparison | undefined {
  const known = changes.get(apiVersion);
  if (known !== undefined) return known;
  const versioned = inVersion?.(apiVersion);
  if (versioned === undefined) return undefined;
  const { type, before, after } = versioned;
  // Fields that requests cannot own are stated by version.
  const { schema, resolve, filter } = mergeOptionsOf(type, manager.subresource);
  const options = type.schema === undefined && filter !== undefined ? { schema, resolve, filter } : { schema, resolve };
  const change = changedFields(bare(before), bare(after), options);
  changes.set(apiVersion, change);
  return change;
}

/** Returns an object without the record of who owns its fields. */
export function bare(object: ApiObject): JsonObject {
  if (object.metadata.managedFields === undefined) return object as unknown as JsonObject;
  // V8 copies all members but one several times faster in a loop than with a rest pattern.
  const metadata: Record<string, unknown> = {};
  for (const name of Object.keys(object.metadata) as (keyof ApiObject["metadata"])[]) {
    if (name !== "managedFields") metadata[name] = object.metadata[name];
  }
  return { ...object, metadata } as unknown as JsonObject;
}

const MOST_UPDATERS = 10;
const ANCIENT = "ancient-changes";

// The oldest entries of updates are merged, those of each version by themselves.
function capped(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const updates = entries.filter(({ operation }) => operation === "Update");
  if (updates.length <= MOST_UPDATERS) return entries;
  const all = new Map(entries.map((entry): readonly [string, ManagedFieldsEntry] => [managerKey(entry), entry]));
  const firsts = new Map<string, string>();
  const merged = new Map<string, FieldSet[]>();
  let count = updates.length;
  for (const entry of updates.toSorted(compareAge)) {
    if (count <= MOST_UPDATERS) break;
    const { apiVersion = "", time } = entry;
    const first = firsts.get(apiVersion);
    if (first === undefined) {
      firsts.set(apiVersion, managerKey(entry));
      continue;
    }
    const bucket = entryOf({ manager: ANCIENT, operation: "Update", apiVersion, subresource: "" }, time);
    const key = managerKey(bucket);
    const sets =
      merged.get(key) ?? [all.get(key) ?? all.get(first)].flatMap((each) => (each === undefined ? [] : fieldsOf(each)));
    merged.set(key, sets);
    if (!all.has(key)) all.delete(first);
    all.delete(managerKey(entry));
    sets.push(fieldsOf(entry));
    all.set(key, bucket);
    count -= 1;
  }
  for (const [key, sets] of merged) all.set(key, withFields(all.get(key) ?? {}, unionOfAll(sets)));
  return [...all.values()];
}

function fieldsOf(entry: ManagedFieldsEntry): FieldSet {
  return readManagedFields([entry]).owners.get(managerKey(entry)) as FieldSet;
}

function compareAge(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  const [own, other] = [left.time ?? "", right.time ?? ""];
  if (own !== other) return own < other ? -1 : 1;
  return managerKey(left) < managerKey(right) ? -1 : 1;
}

/**
 * Returns the owners of a changed object, with the times of the stored one where nothing else has changed: an update that changes
 * nothing but times is none.
 */
export function withoutNewTimes(object: ApiObject, old: ApiObject): ApiObject {
  const [own, before] = [object.metadata.managedFields ?? [], old.metadata.managedFields ?? []];
  if (own.length === 0 || own.length !== before.length || own.every(({ time }, at) => time === before[at]?.time))
    return object;
  const isSame =
    equalBeside("metadata", object, old) &&
    equalBeside("managedFields", object.metadata, old.metadata) &&
    own.every((entry, at) => equalBeside("time", entry, before[at] ?? {}));
  return isSame ? { ...object, metadata: { ...object.metadata, managedFields: before } } : object;
}

// Reports whether two objects are equal but for one member.
function equalBeside(name: string, left: object, right: object): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  names.delete(name);
  return [...names].every((each) => deepEqual(memberOf(left, each), memberOf(right, each)));
}

function memberOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}
