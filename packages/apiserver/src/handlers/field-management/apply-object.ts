import { apiVersionOf, gvkOf, gvkToString } from "@kubescaffold/k8s";
import {
  applyFields,
  changedFields,
  deepEqual,
  isJsonObject,
  reconciledFields,
  typedError,
  unionOf,
  type FieldOwners,
  type FieldSet,
  type JsonObject,
} from "@kubescaffold/schema";

import { badRequest, plainError } from "../../request/failures.ts";
import { textOf } from "../../resources/fields.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { applyConflict } from "./conflicts.ts";
import {
  entryOf,
  managerKey,
  printManagedFields,
  readManagedFields,
  withoutIdentity,
  type ManagedFields,
  type Manager,
} from "./managers.ts";
import { emptyObjectOf, mergeOptionsOf, type MergedType, untypedProblem } from "./merged-type.ts";
import { bare } from "./track-update.ts";

/** A server-side apply to an object by one manager. */
interface ObjectApply {
  readonly type: MergedType;
  /** The object as it is; undefined when there is none yet. */
  readonly live: ApiObject | undefined;
  readonly applied: JsonObject;
  readonly manager: Manager;
  /** Takes fields from other owners. */
  readonly force: boolean;
  readonly now: string;
}

/**
 * Applies an apply configuration to an object (server-side apply); returns the object with its owners in `metadata.managedFields`.
 *
 * Fails: with 409 when others own fields with other values; with 400 when the body is of another version or brings owners along; with 500 when
 * it has a field that the kind does not have.
 */
export function applyToObject(apply: ObjectApply): JsonObject {
  const { type, live, applied, manager, force, now } = apply;
  checkStatedType(apply);
  const options = mergeOptionsOf(type, manager.subresource);
  const before = live === undefined ? {} : bare(live);
  // The reference reads what is stored before what is applied.
  const known = ownersOf(apply, before);
  checkApplied(apply);
  checkLive(apply, before);
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

function checkStatedType({ type, applied: { apiVersion, kind } }: ObjectApply): void {
  const stated = gvkToString(gvkOf({ apiVersion: textOf(apiVersion), kind: textOf(kind) }));
  if (stated !== gvkToString(type)) throw badRequest(`invalid object type: ${stated}`);
}

function checkApplied({ type, applied, manager }: ObjectApply): void {
  const { metadata } = applied;
  if (isJsonObject(metadata) && (metadata["managedFields"] ?? null) !== null)
    throw badRequest("metadata.managedFields must be nil");
  const { schema, resolve } = mergeOptionsOf(type, manager.subresource);
  const problem = typedError(applied, schema, { resolve });
  if (problem === undefined) return;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  throw plainError(
    `failed to create typed patch object (${textOf(namespace)}/${textOf(name)}; ${gvkToString(type)}): ${problem}`,
  );
}

// A custom resource may have been stored by an earlier schema.
function checkLive({ type, live }: ObjectApply, before: JsonObject): void {
  const problem = live === undefined ? undefined : untypedProblem(type, before);
  if (problem === undefined) return;
  const { name, namespace } = live?.metadata ?? {};
  throw plainError(
    `failed to create typed live object (${textOf(namespace)}/${textOf(name)}; ${gvkToString(type)}): ${problem}`,
  );
}

function ownersOf({ type, live, now, manager }: ObjectApply, before: JsonObject): ManagedFields {
  const known = readManagedFields(live?.metadata.managedFields);
  if (live === undefined) return known;
  return known.owners.size > 0 ? reconciledOwners(type, known) : firstOwners(type, before, manager, now);
}

// Lists and maps of a definition may have become atomic, or granular, since their owners were recorded.
function reconciledOwners(type: MergedType, { owners, entries }: ManagedFields): ManagedFields {
  if (type.schema === undefined) return { owners, entries };
  const apiVersion = apiVersionOf(type);
  const options = mergeOptionsOf(type, "");
  const sets = [...owners].map(([key, set]): readonly [string, FieldSet] => [
    key,
    entries.get(key)?.apiVersion === apiVersion ? reconciledFields(set, options) : set,
  ]);
  return { owners: new Map(sets), entries };
}

// Fields of an object whose owners are not tracked belong to a separate manager at the first apply.
function firstOwners(
  type: MergedType,
  before: JsonObject,
  { apiVersion, subresource }: Manager,
  now: string,
): ManagedFields {
  const problem = typedError(before, mergeOptionsOf(type, subresource).schema, mergeOptionsOf(type, subresource));
  if (problem !== undefined) {
    const { name, namespace } = isJsonObject(before["metadata"]) ? before["metadata"] : {};
    const place = `${textOf(namespace)}/${textOf(name)}; ${gvkToString(type)}`;
    throw plainError(
      `failed to create manager for existing fields: failed to convert new object (${place}) to smd typed: ${problem}`,
    );
  }
  const first: Manager = { manager: "before-first-apply", operation: "Update", apiVersion, subresource };
  const key = managerKey(first);
  const { added, modified } = changedFields(emptyObjectOf(type), before, mergeOptionsOf(type, subresource));
  const all = new Map([[key, unionOf(added, modified)]]);
  return { owners: withoutIdentityOf(all, key), entries: new Map([[key, entryOf(first, now)]]) };
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
