import { apiVersionOf, gvkOf, gvkToString, newApplyConflict, type StatusError } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import {
  applyFields,
  deepEqual,
  isJsonObject,
  ownersAfterUpdate,
  printFieldSet,
  undeclaredField,
  type FieldOwners,
  type JsonObject,
} from "@kubescaffold/schema";

import { badRequest, plainError } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { conflictsOf } from "./apply-conflicts.ts";
import {
  entryOf,
  managerKey,
  printManagedFields,
  readManagedFields,
  withoutIdentity,
  type ManagedFields,
  type Manager,
} from "./managers.ts";
import { mergeOptionsOf, type MergedType } from "./merge-options.ts";

/** What is applied to an object, by whom. */
export interface ObjectApply {
  readonly type: MergedType;
  /** The object as it is; undefined when there is none yet. */
  readonly live: ApiObject | undefined;
  readonly applied: JsonObject;
  readonly manager: Manager;
  /** Takes fields from other owners. */
  readonly force: boolean;
  readonly now: string;
  /** Whether owners are recorded already, though nobody may own anything. */
  readonly isTracked?: boolean;
}

/**
 * Applies what one owner states to an object (server-side apply); returns the object with its owners in `metadata.managedFields`.
 *
 * Fails: with 409 when others own fields with other values; with 400 when the body is of another version or brings owners along; with 500 when
 * it has a field that the kind does not have.
 */
export function applyToObject(apply: ObjectApply): JsonObject {
  const { type, live, applied, manager, force, now } = apply;
  checkApplied(apply);
  const options = mergeOptionsOf(type, manager.subresource);
  const before = live === undefined ? {} : withoutOwners(live);
  const known = ownersOf(apply, before);
  const key = managerKey(manager);
  const outcome = applyFields({ live: before, applied, owners: known.owners, manager: key, force }, options);
  if (outcome.kind === "conflict") throw applyConflict(outcome.conflicts, known);
  const owners = withoutIdentityOf(outcome.owners, key);
  // The time is that of the last change of the object, not of its owners.
  const time = deepEqual(before, outcome.object) ? known.entries.get(key)?.time : now;
  const entries = new Map([...known.entries, [key, entryOf(manager, time)]]);
  const printed = printManagedFields({ owners, entries });
  const stated = outcome.object["metadata"] as JsonObject;
  return {
    ...outcome.object,
    metadata: { ...stated, ...(printed === undefined ? {} : { managedFields: printed }) },
  } as unknown as JsonObject;
}

/** What an update changed, by whom. */
export interface ObjectUpdate {
  readonly type: MergedType;
  readonly before: ApiObject;
  readonly after: ApiObject;
  readonly manager: Manager;
  readonly now: string;
  /** Whether owners are recorded already, though nobody may own anything. */
  readonly isTracked?: boolean;
}

/** Writes into an updated object who owns its fields now. Nobody does until something is applied to it, as where servers do not track from the start. */
export function trackUpdate({ type, before, after, manager, now, isTracked = false }: ObjectUpdate): void {
  const known = readManagedFields(before.metadata.managedFields);
  if (known.owners.size === 0 && !isTracked) return;
  const options = mergeOptionsOf(type, manager.subresource);
  const key = managerKey(manager);
  const updated = ownersAfterUpdate(
    { before: withoutOwners(before), after: withoutOwners(after), owners: known.owners, manager: key },
    options,
  );
  // An update that changes nothing is not the manager's last change either.
  if (updated === known.owners) return;
  const owners = withoutIdentityOf(updated, key);
  if (sameOwners(owners, known.owners) && !known.owners.has(key)) return;
  const entries = new Map([...known.entries, [key, entryOf(manager, now)]]);
  const printed = printManagedFields({ owners, entries });
  // The metadata of a subresource's object is that of the stored one.
  const { managedFields: _managedFields, ...metadata } = after.metadata;
  after.metadata = { ...metadata, ...(printed === undefined ? {} : { managedFields: printed }) };
}

function checkApplied({ type, applied, manager }: ObjectApply): void {
  const { apiVersion, kind, metadata } = applied;
  const stated = gvkToString(gvkOf({ apiVersion: textOf(apiVersion), kind: textOf(kind) }));
  const expected = gvkToString(type);
  if (stated !== expected) throw badRequest(`invalid object type: ${stated}`);
  if (isJsonObject(metadata) && (metadata["managedFields"] ?? null) !== null)
    throw badRequest("metadata.managedFields must be nil");
  const { schema, resolve } = mergeOptionsOf(type, manager.subresource);
  const path = undeclaredField(applied, schema, { resolve });
  if (path === undefined) return;
  const { name = "", namespace = "" } = (metadata ?? {}) as { name?: string; namespace?: string };
  throw plainError(
    `failed to create typed patch object (${namespace}/${name}; ${expected}): ${path}: field not declared in schema`,
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function ownersOf({ type, live, now, manager, isTracked = false }: ObjectApply, before: JsonObject): ManagedFields {
  const known = readManagedFields(live?.metadata.managedFields);
  if (live === undefined || known.owners.size > 0 || isTracked) return known;
  return firstOwnersOf({ type, before, apiVersion: manager.apiVersion, now });
}

/** Returns who owns an object that was applied to by nobody yet. */
export function firstOwners(type: MergedType, live: ApiObject, now: string): readonly ManagedFieldsEntry[] {
  const before = withoutOwners(live);
  return printManagedFields(firstOwnersOf({ type, before, apiVersion: apiVersionOf(type), now })) ?? [];
}

interface FirstApply extends Pick<ObjectApply, "type" | "now"> {
  readonly before: JsonObject;
  readonly apiVersion: string;
}

// What an object holds at the first apply belongs to a manager of its own.
function firstOwnersOf({ type, before, apiVersion, now }: FirstApply): ManagedFields {
  const first: Manager = { manager: "before-first-apply", operation: "Update", apiVersion, subresource: "" };
  const key = managerKey(first);
  const all = ownersAfterUpdate(
    { before: {}, after: before, owners: new Map(), manager: key },
    { ...mergeOptionsOf(type, ""), filter: (set) => set },
  );
  return { owners: withoutIdentityOf(all, key), entries: new Map([[key, entryOf(first, now)]]) };
}

/** Returns an object without the record of who owns its fields. */
export function withoutOwners(object: ApiObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}

function withoutIdentityOf(owners: FieldOwners, key: string): FieldOwners {
  const set = owners.get(key);
  if (set === undefined) return owners;
  const stripped = withoutIdentity(set);
  const kept = new Map(owners);
  if (stripped.size === 0) kept.delete(key);
  else kept.set(key, stripped);
  return kept;
}

function sameOwners(left: FieldOwners, right: FieldOwners): boolean {
  return printOwners(left) === printOwners(right);
}

function printOwners(owners: FieldOwners): string {
  const printed = [...owners].map(([key, set]): readonly [string, unknown] => [key, printFieldSet(set)]);
  return JSON.stringify(printed.toSorted(([own], [other]) => (own < other ? -1 : 1)));
}

function applyConflict(conflicts: FieldOwners, { entries }: ManagedFields): StatusError {
  const { causes, message } = conflictsOf(conflicts, entries);
  return newApplyConflict(causes, message);
}
