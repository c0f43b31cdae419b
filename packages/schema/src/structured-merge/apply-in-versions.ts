import { messageOf } from "@kubescaffold/k8s";
import { addToList } from "@kubescaffold/platform";

import type { JsonObject } from "../json/json-value.ts";
import type { Comparison } from "./compare-values.ts";
import {
  type ApplyOutcome,
  changedFields,
  fieldsOfValue,
  filtered,
  type OwnershipOptions,
  removeFields,
  withNamedFields,
} from "./field-ownership.ts";
import { differenceOf, type FieldSet, intersectionOf, unionOf, unionOfAll } from "./field-set.ts";
import { mergeValues } from "./merge-values.ts";
import { reconciledFields } from "./reconciled-fields.ts";

/** The fields of a manager, and the version of the object that they are fields of. */
interface VersionedFields {
  readonly version: string;
  readonly fields: FieldSet;
}

/** An object in a version of its kind. */
interface VersionedObject {
  readonly version: string;
  readonly object: JsonObject;
}

/** The versions of a kind. */
export interface MergeVersions {
  /** Returns an object in another version; undefined if the kind has no such version. Fails: if the version does not describe the object. */
  readonly convert: (object: VersionedObject, version: string) => Promise<JsonObject | undefined>;
  /** Returns how objects of a version are merged. */
  readonly optionsOf: (version: string) => OwnershipOptions;
}

/** The input of an apply whose object has owners in several versions. */
interface VersionedApply {
  /** The object as it is stored, in the version of the apply. */
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly version: string;
  readonly owners: ReadonlyMap<string, VersionedFields>;
  readonly manager: string;
  readonly force: boolean;
}

/**
 * Applies what one manager states to an object whose other managers own fields of other versions: each compares the object in its own version.
 *
 * Fails: if a version of an owner does not describe the object, with upstream's message.
 *
 * Source: `structured-merge-diff/v6/merge`, `update.go`.
 */
export async function applyInVersions(input: VersionedApply, versions: MergeVersions): Promise<ApplyOutcome> {
  const { live, applied, version, manager, force } = input;
  const options = versions.optionsOf(version);
  const owners = await reconciled(input, versions);
  const merged = mergeValues(live, applied, options) as JsonObject;
  const fields = filtered(fieldsOfValue(applied, options.schema, options), options);
  const last = owners.get(manager);
  const next = new Map(owners).set(manager, { version, fields });
  const object = await wrapped("failed to prune fields", async () =>
    last === undefined || last.fields.size === 0
      ? merged
      : await prune({ version, object: merged }, last, next, versions),
  );
  const changes = await changesOf({ ...input, owners: next }, object, versions);
  const others = [...next].filter(([name]) => name !== manager && changes.has(name));
  const conflicts = new Map<string, FieldSet>();
  const left = new Map<string, FieldSet>();
  for (const [name, { fields: own }] of others) {
    const { added, modified, removed } = changes.get(name) as Comparison;
    const changed = unionOf(added, modified);
    const taken = intersectionOf(own, changed);
    if (taken.size > 0) conflicts.set(name, taken);
    const kept = differenceOf(own, unionOf(removed, changed));
    if (kept.size > 0) left.set(name, kept);
  }
  if (conflicts.size > 0 && !force) return { kind: "conflict", conflicts };
  if (fields.size > 0) left.set(manager, fields);
  return { kind: "applied", object, owners: left };
}

// Owners of versions that there are no more are forgotten.
async function reconciled(
  { live, version, owners }: VersionedApply,
  versions: MergeVersions,
): Promise<ReadonlyMap<string, VersionedFields>> {
  const result = new Map<string, VersionedFields>();
  // An object may have thousands of owners, and a conversion may be a request.
  const served = new Map<string, boolean>();
  for (const [name, own] of owners) {
    const isServed =
      served.get(own.version) ?? (await versions.convert({ version, object: live }, own.version)) !== undefined;
    served.set(own.version, isServed);
    if (!isServed) continue;
    result.set(name, { ...own, fields: reconciledFields(own.fields, versions.optionsOf(own.version)) });
  }
  return result;
}

// What the manager stated before goes; what anyone owns now comes back, and so does what never was the manager's.
async function prune(
  merged: VersionedObject,
  last: VersionedFields,
  owners: ReadonlyMap<string, VersionedFields>,
  versions: MergeVersions,
): Promise<JsonObject> {
  const { version } = last;
  const whole = await wrapped("failed to convert merged object to last applied version", () =>
    versions.convert(merged, version),
  );
  if (whole === undefined) return merged.object;
  const { named, fieldsOf, options } = namingIn(version, versions);
  const bare = removeFields(whole, named(last.fields), options);
  const owned = await wrapped("failed add back owned items", async () =>
    addOwned({ version, object: whole }, { version, object: bare }, owners, versions),
  );
  const pruned = await wrapped("failed add back dangling items", async () =>
    wrapped("failed to convert pruned object to last applied version", () => versions.convert(owned, version)),
  );
  const dangling = differenceOf(fieldsOf(whole), fieldsOf(pruned ?? whole));
  const object = removeFields(whole, intersectionOf(dangling, named(last.fields)), options);
  return (await versions.convert({ version, object }, merged.version)) ?? merged.object;
}

async function addOwned(
  merged: VersionedObject,
  pruned: VersionedObject,
  owners: ReadonlyMap<string, VersionedFields>,
  versions: MergeVersions,
): Promise<VersionedObject> {
  const byVersion = new Map<string, FieldSet[]>();
  for (const { version, fields } of owners.values()) {
    addToList(byVersion, version, fields);
  }
  // The version of what was pruned goes first, since conversions may need its fields.
  const order = [...byVersion.keys()].toSorted((left, right) =>
    left === merged.version ? -1 : right === merged.version ? 1 : left < right ? -1 : 1,
  );
  let [whole, part] = [merged, pruned];
  for (const version of order) {
    const [all, some] = [
      await wrapped(`failed to convert merged object at version ${version}`, () => versions.convert(whole, version)),
      await wrapped(`failed to convert pruned object at version ${version}`, () => versions.convert(part, version)),
    ];
    if (all === undefined || some === undefined) continue;
    const { named, fieldsOf, options } = namingIn(version, versions);
    const kept = unionOf(fieldsOf(some), named(unionOfAll(byVersion.get(version) ?? [])));
    whole = { version, object: all };
    part = { version, object: removeFields(all, differenceOf(fieldsOf(all), kept), options) };
  }
  return part;
}

interface Naming {
  readonly options: OwnershipOptions;
  readonly named: (set: FieldSet) => FieldSet;
  readonly fieldsOf: (object: JsonObject) => FieldSet;
}

function namingIn(version: string, versions: MergeVersions): Naming {
  const options = versions.optionsOf(version);
  const named = (set: FieldSet): FieldSet => withNamedFields(set, options.schema, options);
  return { options, named, fieldsOf: (object) => named(fieldsOfValue(object, options.schema, options)) };
}

// The change of the object in the version of each manager; none for versions that there are no more.
async function changesOf(
  { live, version, owners, manager }: VersionedApply,
  object: JsonObject,
  versions: MergeVersions,
): Promise<ReadonlyMap<string, Comparison>> {
  const known = new Map<string, Comparison | undefined>([
    [version, changedFields(live, object, versions.optionsOf(version))],
  ]);
  const changes = new Map<string, Comparison>();
  for (const [name, own] of owners) {
    if (name === manager) continue;
    if (!known.has(own.version)) {
      const before = await wrapped("failed to convert old object", () =>
        versions.convert({ version, object: live }, own.version),
      );
      const after = await wrapped("failed to convert new object", () =>
        versions.convert({ version, object }, own.version),
      );
      const isThere = before !== undefined && after !== undefined;
      known.set(own.version, isThere ? changedFields(before, after, versions.optionsOf(own.version)) : undefined);
    }
    const change = known.get(own.version);
    if (change !== undefined) changes.set(name, change);
  }
  return changes;
}

async function wrapped<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error });
  }
}
