import type { JsonSchema, SchemaOptions } from "../json-schema.ts";
import { deepEqual } from "../json/deep-equal.ts";
import type { JsonObject } from "../json/json-value.ts";
import { compareValues, type Comparison } from "./compare-values.ts";
import { differenceOf, intersectionOf, NO_FIELDS, unionOf, type FieldSet } from "./field-set.ts";
import { fieldsOfValue } from "./fields-of-value.ts";
import { mergeValues } from "./merge-values.ts";
import { removeFields, withNamedFields } from "./select-fields.ts";

/** Who owns which fields of an object: the sets of its managers, by whatever names a manager. */
export type FieldOwners = ReadonlyMap<string, FieldSet>;

/** What ownership depends on besides the objects. */
export interface OwnershipOptions extends SchemaOptions {
  readonly schema: JsonSchema;
  /** Leaves out the fields that nobody owns; all count when left out. */
  readonly filter?: (set: FieldSet) => FieldSet;
}

/** What an apply leads to: the object and its owners, or the fields that others own with other values. */
export type ApplyOutcome =
  | { readonly kind: "applied"; readonly object: JsonObject; readonly owners: FieldOwners }
  | { readonly kind: "conflict"; readonly conflicts: FieldOwners };

/** What one manager applies. */
export interface AppliedFields {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly owners: FieldOwners;
  readonly manager: string;
  /** Takes fields from other owners. */
  readonly force: boolean;
}

/**
 * Applies what one manager states to an object: it is merged by the schema, and what the manager stated before and no longer does goes, unless
 * another one owns it.
 *
 * Guarantees: inputs are not changed.
 */
export function applyFields(input: AppliedFields, options: OwnershipOptions): ApplyOutcome {
  const { live, applied, owners, manager, force } = input;
  const merged = mergeValues(live, applied, options) as JsonObject;
  const stated = filtered(fieldsOfValue(applied, options.schema, options), options);
  const others = new Map([...owners].filter(([name]) => name !== manager));
  const object = prune(
    { merged, last: owners.get(manager) ?? NO_FIELDS, managers: [stated, ...others.values()] },
    options,
  );
  const change = filteredComparison(compareValues(live, object, options), options);
  const conflicts = takenFrom(others, change);
  if (conflicts.size > 0 && !force) return { kind: "conflict", conflicts };
  return { kind: "applied", object, owners: withSet(losing(others, change), manager, stated) };
}

/**
 * Returns who owns which fields after a manager has changed an object in any way but by applying.
 *
 * Guarantees: the owners themselves are returned when nothing was changed.
 */
export function ownersAfterUpdate(
  { before, after, owners, manager }: UpdatedFields,
  options: OwnershipOptions,
): FieldOwners {
  if (deepEqual(before, after)) return owners;
  const change = filteredComparison(compareValues(before, after, options), options);
  const kept = losing(owners, change);
  const own = unionOf(kept.get(manager) ?? NO_FIELDS, unionOf(change.added, change.modified));
  return withSet(kept, manager, own);
}

/** What one manager changed. */
export interface UpdatedFields {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly owners: FieldOwners;
  readonly manager: string;
}

interface Pruning {
  readonly merged: JsonObject;
  /** What the manager applied before. */
  readonly last: FieldSet;
  /** What the managers own now, the one that applies among them. */
  readonly managers: readonly FieldSet[];
}

// What the manager stated before goes; what anyone owns comes back, and so does what never was the manager's.
function prune({ merged, last, managers }: Pruning, options: OwnershipOptions): JsonObject {
  if (last.size === 0) return merged;
  const named = (set: FieldSet): FieldSet => withNamedFields(set, options.schema, options);
  const fieldsOf = (object: JsonObject): FieldSet => named(fieldsOfValue(object, options.schema, options));
  const all = fieldsOf(merged);
  const lastNamed = named(last);
  const owned = named(managers.reduce(unionOf, NO_FIELDS));
  const bare = removeFields(merged, lastNamed, options);
  const kept = removeFields(merged, differenceOf(all, unionOf(fieldsOf(bare), owned)), options);
  return removeFields(merged, intersectionOf(differenceOf(all, fieldsOf(kept)), lastNamed), options);
}

function takenFrom(owners: FieldOwners, { added, modified }: Comparison): FieldOwners {
  const changed = unionOf(added, modified);
  const taken = [...owners].map(([name, set]): readonly [string, FieldSet] => [name, intersectionOf(set, changed)]);
  return new Map(taken.filter(([, set]) => set.size > 0));
}

function losing(owners: FieldOwners, { added, modified, removed }: Comparison): FieldOwners {
  const lost = unionOf(removed, unionOf(added, modified));
  const kept = [...owners].map(([name, set]): readonly [string, FieldSet] => [name, differenceOf(set, lost)]);
  return new Map(kept.filter(([, set]) => set.size > 0));
}

function withSet(owners: FieldOwners, manager: string, set: FieldSet): FieldOwners {
  const next = new Map(owners);
  if (set.size === 0) next.delete(manager);
  else next.set(manager, set);
  return next;
}

function filteredComparison({ added, modified, removed }: Comparison, options: OwnershipOptions): Comparison {
  return {
    added: filtered(added, options),
    modified: filtered(modified, options),
    removed: filtered(removed, options),
  };
}

function filtered(set: FieldSet, { filter }: OwnershipOptions): FieldSet {
  return filter === undefined ? set : filter(set);
}
