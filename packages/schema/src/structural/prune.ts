import { compareStrings, type JSONValue } from "@kubescaffold/k8s";

import { isJsonList, type JsonObject } from "../json/json-value.ts";
import { unfold, type Unfolded } from "../json/unfold.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "../model/json-schema.ts";
import { resolveSchema } from "../model/resolve-schema.ts";

/** Options for pruning. */
export interface PruneOptions extends SchemaOptions {
  /** Whether the value is a whole object, whose `apiVersion`, `kind`, and `metadata` are kept. Default: true. */
  readonly isResourceRoot?: boolean;
}

/** The result of pruning. */
export interface Pruned<T> {
  /** The value without unknown fields: the same reference when there were none. */
  readonly value: T;
  /** The sorted paths of the removed fields, such as `spec.ports[0].bogus`. */
  readonly unknownFields: readonly string[];
}

/**
 * Removes the fields that a schema does not specify, as API servers do before they store an object.
 *
 * Fields below `x-kubernetes-preserve-unknown-fields` stay, except inside properties that are specified there.
 *
 * Guarantees: the value is not changed; pruning twice is pruning once.
 */
export function prune<T extends JSONValue>(schema: JsonSchema, value: T, options: PruneOptions = {}): Pruned<T> {
  const root = (options.isResourceRoot ?? true) ? { ...schema, "x-kubernetes-embedded-resource": true } : schema;
  const found: UnknownField[] = [];
  const place: Place = { parent: undefined, segment: "", removed: undefined, changed: undefined };
  const open: Task[] = [{ schema: root, value, place, isBelowPreserved: false }];
  for (let task = open.pop(); task !== undefined; task = open.pop()) visit(task, { options, open, found });
  // Pruning takes members away and keeps the type of every value.
  const isSame = place.removed === undefined && place.changed === undefined;
  const pruned = isSame ? value : (unfold<Kept>({ value, place }, kept) as T);
  return { value: pruned, unknownFields: found.map(printPath).sort(compareStrings) };
}

/** Prints an unknown field as strict field validation reports it. */
export function unknownFieldMessage(path: string): string {
  return `unknown field "${path}"`;
}

/** A place in the value: its path, and what pruning removes there and below. */
interface Place {
  readonly parent: Place | undefined;
  readonly segment: string | number;
  removed: Set<string> | undefined;
  /** The places below that lose fields. */
  changed: Map<string | number, Place> | undefined;
}

interface UnknownField {
  readonly place: Place;
  readonly name: string;
}

/** A value that is looked at. */
interface Task {
  readonly schema: JsonSchema | undefined;
  readonly value: JSONValue;
  readonly place: Place;
  /** Whether it is an item of a list that keeps unknown fields. */
  readonly isBelowPreserved: boolean;
}

interface Walk {
  readonly options: SchemaOptions;
  readonly open: Task[];
  readonly found: UnknownField[];
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function visit({ schema: unresolved, value, place, isBelowPreserved }: Task, walk: Walk): void {
  if (typeof value !== "object" || value === null) return;
  const schema = unresolved === undefined ? undefined : resolveSchema(unresolved, walk.options);
  const isPreserved = isBelowPreserved || (schema !== undefined && keepsUnknownFields(schema, walk.options));
  if (isJsonList(value)) {
    const items = schema === undefined ? undefined : itemsOf(schema);
    if (isPreserved && items === undefined) return;
    for (const [index, item] of value.entries()) {
      walk.open.push({ schema: items, value: item, place: placeIn(place, index), isBelowPreserved: isPreserved });
    }
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || (schema?.["x-kubernetes-embedded-resource"] === true && META_FIELDS.has(name)))
      continue;
    const property = schema === undefined ? undefined : (propertyOf(schema, name) ?? additionalSchemaOf(schema));
    if (property !== undefined || schema?.additionalProperties !== undefined) {
      walk.open.push({ schema: property, value: member, place: placeIn(place, name), isBelowPreserved: false });
    } else if (!isPreserved) {
      remove({ place, name }, schema === undefined, walk.found);
    }
  }
}

function placeIn(parent: Place, segment: string | number): Place {
  return { parent, segment, removed: undefined, changed: undefined };
}

// Built-in schemas say "anything" by saying nothing: raw extensions, field sets, arbitrary JSON.
function keepsUnknownFields(schema: JsonSchema, options: SchemaOptions): boolean {
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) {
    return true;
  }
  const { properties, additionalProperties, items } = schema;
  return (
    options.resolve !== undefined &&
    properties === undefined &&
    additionalProperties === undefined &&
    items === undefined
  );
}

function remove(field: UnknownField, isBelowUnspecified: boolean, found: UnknownField[]): void {
  const { place, name } = field;
  if (isBelowUnspecified || place.parent !== undefined || !META_FIELDS.has(name)) found.push(field);
  place.removed ??= new Set();
  place.removed.add(name);
  let below = place;
  for (let above = place.parent; above !== undefined; above = above.parent) {
    if (above.changed?.has(below.segment) === true) return;
    above.changed ??= new Map();
    above.changed.set(below.segment, below);
    below = above;
  }
}

function printPath({ place, name }: UnknownField): string {
  const segments: (string | number)[] = [name];
  for (let at = place; at.parent !== undefined; at = at.parent) segments.push(at.segment);
  return segments
    .toReversed()
    .map((segment, index) =>
      typeof segment === "number" ? `[${String(segment)}]` : `${index === 0 ? "" : "."}${segment}`,
    )
    .join("");
}

/** A value, and its place if it loses fields. */
interface Kept {
  readonly value: JSONValue | undefined;
  readonly place: Place | undefined;
}

function kept({ value, place }: Kept): Unfolded<Kept> {
  if (place === undefined) return { kind: "value", value };
  const { removed, changed } = place;
  if (isJsonList(value)) {
    return { kind: "list", items: value.map((item, index) => ({ value: item, place: changed?.get(index) })) };
  }
  const members = Object.entries(value as JsonObject)
    .filter(([name]) => removed?.has(name) !== true)
    .map(([name, member]) => [name, { value: member, place: changed?.get(name) }] as const);
  return { kind: "object", members, isOptional: false };
}
