import type { JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../json/deep-calls.ts";
import { type JsonObject, isJsonList, isJsonObject, setMember } from "../json/json-value.ts";
import type { JsonSchema, SchemaOptions } from "../model/json-schema.ts";
import { type Comparison, compareValues } from "./compare-values.ts";
import {
  type FieldNode,
  type FieldSet,
  NO_FIELDS,
  differenceOf,
  fieldSetAt,
  intersectionOf,
  unionOf,
  unionOfAll,
} from "./field-set.ts";
import { type MergeShape, shapeOf } from "./merge-shape.ts";
import { mergeValues } from "./merge-values.ts";

/** The field owners of an object: the field set of each manager. */
export type FieldOwners = ReadonlyMap<string, FieldSet>;

/** Options for field ownership. */
export interface OwnershipOptions extends SchemaOptions {
  /** The schema of the object. */
  readonly schema: JsonSchema;
  /** Excludes fields that have no owner. Default: includes all fields. */
  readonly filter?: (set: FieldSet) => FieldSet;
}

/** The result of an apply: the object and its owners, or the conflicts with other managers. */
export type ApplyOutcome =
  | { readonly kind: "applied"; readonly object: JsonObject; readonly owners: FieldOwners }
  | { readonly kind: "conflict"; readonly conflicts: FieldOwners };

/** The input of an apply. */
export interface AppliedFields {
  /** The object as it is stored. */
  readonly live: JsonObject;
  /** The apply configuration. */
  readonly applied: JsonObject;
  /** The fields of each manager. */
  readonly owners: FieldOwners;
  /** The manager that applies. */
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
  const last = owners.get(manager) ?? NO_FIELDS;
  // A manager that states again whatever it stated before gives up nothing.
  const isRepeated = differenceOf(last, stated).size === 0;
  const object = isRepeated ? merged : prune(merged, last, [stated, ...others.values()], options);
  const change = changedFields(live, object, options);
  const conflicts = takenFrom(others, change);
  if (conflicts.size > 0 && !force) return { kind: "conflict", conflicts };
  return { kind: "applied", object, owners: withSet(losing(others, change), manager, stated) };
}

/** Returns which fields two objects differ in, without those that have no owner. */
export function changedFields(before: JsonObject, after: JsonObject, options: OwnershipOptions): Comparison {
  return filteredComparison(compareValues(before, after, options), options);
}

// What the manager stated before, `last`, goes; what anyone owns now comes back, and so does what never was the manager's.
function prune(
  merged: JsonObject,
  last: FieldSet,
  managers: readonly FieldSet[],
  options: OwnershipOptions,
): JsonObject {
  const named = (set: FieldSet): FieldSet => withNamedFields(set, options.schema, options);
  const fieldsOf = (object: JsonObject): FieldSet => named(fieldsOfValue(object, options.schema, options));
  // Nothing goes outside the members that the manager stated.
  const part = membersIn(merged, last);
  const all = fieldsOf(part);
  const lastNamed = named(last);
  const owned = named(unionOfAll(managers));
  const bare = removeFields(part, lastNamed, options);
  const unowned = differenceOf(all, unionOf(fieldsOf(bare), owned));
  if (unowned.size === 0) return merged;
  const kept = removeFields(part, unowned, options);
  return removeFields(merged, intersectionOf(differenceOf(all, fieldsOf(kept)), lastNamed), options);
}

function membersIn(object: JsonObject, set: FieldSet): JsonObject {
  const members: { [name: string]: JSONValue } = {};
  for (const name of Object.keys(object)) {
    if (set.has(`f:${name}`)) setMember(members, name, object[name] ?? null);
  }
  return members;
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

/** Returns a set without the fields that have no owner. */
export function filtered(set: FieldSet, { filter }: OwnershipOptions): FieldSet {
  return filter === undefined ? set : filter(set);
}

/** Returns the fields that whoever states a value owns. */
export function fieldsOfValue(value: JSONValue, schema: JsonSchema, options: SchemaOptions): FieldSet {
  const run = (task: Stated, calls: DeepCalls<Stated, FieldNode>): FieldNode => nodeOfValue(task, { calls, options });
  return runDeep<Stated, FieldNode>({ value, schema }, { run, placeholder: MEMBER }).children;
}

/** A value, and its schema. */
interface Stated {
  readonly value: JSONValue;
  readonly schema: JsonSchema;
}

/** What a function needs that calls itself for the parts of a value. */
interface Walk<T, R> {
  readonly calls: DeepCalls<T, R>;
  readonly options: SchemaOptions;
}

function nodeOfValue({ value, schema }: Stated, { calls, options }: Walk<Stated, FieldNode>): FieldNode {
  const shape = shapeOf(schema, value, options);
  if (shape.kind === "map" && isJsonObject(value)) {
    const children = new Map<string, FieldNode>();
    for (const name of Object.keys(value)) {
      const member = value[name] ?? null;
      const field = shape.fieldOf(name);
      const node = calls.call({ value: member, schema: field.schema });
      const isMember = node.isMember || !field.isNamed || member === null || isEmptyMap(member);
      if (isMember || node.children.size > 0)
        children.set(`f:${name}`, isMember === node.isMember ? node : { isMember, children: node.children });
    }
    return { isMember: false, children };
  }
  if (shape.kind === "list" && isJsonList(value)) {
    const sets = value.map((item) =>
      fieldSetAt(shape.elementOf(item), { ...calls.call({ value: item, schema: shape.items }), isMember: true }),
    );
    return { isMember: false, children: unionOfAll(sets) };
  }
  return MEMBER;
}

const MEMBER: FieldNode = { isMember: true, children: NO_FIELDS };

function isEmptyMap(value: JSONValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Returns an object without the fields of a set; a list or map that is itself no member stays, as null when it has lost all of its elements. */
export function removeFields(value: JsonObject, set: FieldSet, { schema, resolve }: OwnershipOptions): JsonObject {
  const options = { resolve };
  const run = (task: Removal, calls: DeepCalls<Removal, JSONValue>): JSONValue => removeBelow(task, { calls, options });
  const left = runDeep<Removal, JSONValue>({ value, schema, set }, { run, placeholder: null });
  return isJsonObject(left) ? left : {};
}

/** A value, and the fields that are removed from it. */
interface Removal extends Stated {
  readonly set: FieldSet;
}

function removeBelow({ value, set, schema }: Removal, { calls, options }: Walk<Removal, JSONValue>): JSONValue {
  const shape = shapeOf(schema, value, options);
  if (shape.kind === "map" && isJsonObject(value)) {
    const kept: { [name: string]: JSONValue } = {};
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      const stated = { value: member, schema: shape.fieldOf(name).schema };
      const left = remaining(stated, set.get(`f:${name}`), calls);
      if (left !== undefined) setMember(kept, name, left);
    }
    return Object.keys(kept).length === 0 ? null : kept;
  }
  if (shape.kind === "list" && isJsonList(value)) {
    const kept = value
      .map((item) => remaining({ value: item, schema: shape.items }, set.get(shape.elementOf(item)), calls))
      .filter((each) => each !== undefined);
    return kept.length === 0 ? null : kept;
  }
  return value;
}

// Undefined for what is removed as a whole.
function remaining(
  { value, schema }: Stated,
  node: FieldNode | undefined,
  calls: DeepCalls<Removal, JSONValue>,
): JSONValue | undefined {
  if (node === undefined) return value;
  return node.isMember ? undefined : calls.call({ value, schema, set: node.children });
}

/** Returns a set in which every field that the schema names is a member when something below it is. */
export function withNamedFields(set: FieldSet, schema: JsonSchema, options: SchemaOptions): FieldSet {
  const run = (task: Owned, calls: DeepCalls<Owned, FieldSet>): FieldSet => namedBelow(task, { calls, options });
  return runDeep<Owned, FieldSet>({ set, schema }, { run, placeholder: NO_FIELDS });
}

/** A field set, and the schema of the value that it is about. */
interface Owned {
  readonly set: FieldSet;
  readonly schema: JsonSchema;
}

function namedBelow({ set, schema }: Owned, { calls, options }: Walk<Owned, FieldSet>): FieldSet {
  if (set.size === 0) return set;
  const shape = shapeOf(schema, undefined, options);
  const named = new Map<string, FieldNode>();
  for (const [element, node] of set) named.set(element, namedNode(element, node, { shape, calls }));
  return named;
}

interface NamedPlace {
  readonly shape: MergeShape;
  readonly calls: DeepCalls<Owned, FieldSet>;
}

function namedNode(element: string, node: FieldNode, { shape, calls }: NamedPlace): FieldNode {
  const { isMember, children } = node;
  if (children.size === 0) return node;
  if (shape.kind === "map" && element.startsWith("f:")) {
    const field = shape.fieldOf(element.slice(2));
    return { isMember: isMember || field.isNamed, children: calls.call({ set: children, schema: field.schema }) };
  }
  const items = shape.kind === "list" ? shape.items : {};
  return { isMember, children: calls.call({ set: children, schema: items }) };
}
