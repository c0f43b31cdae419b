import { apiVersionOf, gvkOf, gvkToString, messageOf, StatusError } from "@kubescaffold/k8s";
import {
  applyFields,
  applyInVersions,
  type ApplyOutcome,
  changedFields,
  reconciledFields,
  typedError,
  unionOf,
  type FieldOwners,
  type FieldSet,
  type MergeVersions,
  type OwnershipOptions,
} from "@kubescaffold/schema/structured-merge";
import { deepEqual, isJsonObject, type JsonObject } from "@kubescaffold/schema/values";

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

/** Converts the objects of an apply to the versions of other owners. */
export interface ApplyVersions {
  /** Returns the type of a version; undefined if the kind has no such version. Fails: for a version that a definition has no longer. */
  readonly typeOf: (apiVersion: string) => MergedType | undefined;
  /** Returns an object in another version. */
  readonly convert: (object: ApiObject, way: { readonly from: string; readonly to: string }) => Promise<ApiObject>;
}

/**
 * Applies an apply configuration to an object (server-side apply); returns the object with its owners in `metadata.managedFields`.
 *
 * Fails: with 409 when others own fields with other values; with 400 when the body is of another version or brings owners along; with 500 when
 * it has a field that the kind does not have.
 */
export function applyToObject(apply: ObjectApply): JsonObject {
  const { before, known, key } = prepared(apply);
  const { type, applied, manager, force } = apply;
  const options = mergeOptionsOf(type, manager.subresource);
  return objectOf(
    apply,
    { before, known },
    applyFields({ live: before, applied, owners: known.owners, manager: key, force }, options),
  );
}

/**
 * Does the same for an object whose owners may have written it in other versions: each is compared in its own version.
 *
 * Fails: as {@link applyToObject} does; with 500 when the version of an owner does not describe the object.
 */
export async function applyInAllVersions(apply: ObjectApply, versions: ApplyVersions): Promise<JsonObject> {
  const { manager, live } = apply;
  const entries = live?.metadata.managedFields ?? [];
  if (entries.every(({ apiVersion }) => apiVersion === manager.apiVersion)) return applyToObject(apply);
  const { before, known, key } = prepared(apply);
  const { applied, force } = apply;
  const owners = new Map(
    [...known.owners].map(([name, fields]) => [name, { version: known.entries.get(name)?.apiVersion ?? "", fields }]),
  );
  const input = { live: before, applied, version: manager.apiVersion, owners, manager: key, force };
  try {
    return objectOf(apply, { before, known }, await applyInVersions(input, mergeVersions(apply, versions)));
  } catch (error) {
    throw error instanceof StatusError ? error : plainError(messageOf(error));
  }
}

function mergeVersions({ type, manager }: ObjectApply, { typeOf, convert }: ApplyVersions): MergeVersions {
  const own = manager.apiVersion;
  const typeIn = (version: string): MergedType | undefined => (version === own ? type : typeOf(version));
  return {
    optionsOf: (version) => versionedOptions(typeIn(version) ?? type, manager.subresource, version === own),
    convert: async ({ version, object }, to) => {
      if (version === to) return object;
      const other = typeIn(to);
      if (other === undefined) return undefined;
      const converted = bare(await convert(object as unknown as ApiObject, { from: version, to }));
      const { schema, resolve } = mergeOptionsOf(other, "");
      const problem = other.schema === undefined ? undefined : typedError(converted, schema, { resolve });
      if (problem !== undefined) throw new Error(problem);
      return converted;
    },
  };
}

// Fields that requests cannot own are stated by version.
function versionedOptions(type: MergedType, subresource: string, isOwn: boolean): OwnershipOptions {
  const options = mergeOptionsOf(type, subresource);
  if (isOwn || type.schema === undefined) return options;
  const { schema, resolve } = options;
  return { schema, resolve };
}

interface Prepared {
  readonly before: JsonObject;
  readonly known: ManagedFields;
  /** The key of the manager. */
  readonly key: string;
}

function prepared(apply: ObjectApply): Prepared {
  const { live, manager } = apply;
  checkStatedType(apply);
  const before = live === undefined ? {} : bare(live);
  // The reference reads what is stored before what is applied.
  const known = ownersOf(apply, before);
  checkApplied(apply);
  checkLive(apply, before);
  return { before, known, key: managerKey(manager) };
}

function objectOf(
  { manager, now }: ObjectApply,
  { before, known }: Pick<Prepared, "before" | "known">,
  outcome: ApplyOutcome,
): JsonObject {
  if (outcome.kind === "conflict") throw applyConflict(outcome.conflicts, known);
  const key = managerKey(manager);
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
  const problem = untypedProblem(type, before);
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
