import { compareStrings, type JSONValue } from "@kubescaffold/k8s";

import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "./json-schema.ts";
import { isJsonList, isJsonObject, setMember, type JsonObject } from "./json/json-value.ts";
import { resolveSchema } from "./resolve-schema.ts";

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
  const unknownFields: string[] = [];
  const pruned = pruneValue(root, value, { options, unknownFields, path: undefined });
  // Pruning takes members away and keeps the type of every value.
  return { value: pruned as T, unknownFields: unknownFields.sort(compareStrings) };
}

/** Prints an unknown field as strict field validation reports it. */
export function unknownFieldMessage(path: string): string {
  return `unknown field "${path}"`;
}

interface PruneStep {
  readonly options: SchemaOptions;
  readonly unknownFields: string[];
  readonly path: PathNode | undefined;
}

/** A linked path, which is printed only if a field is unknown. */
interface PathNode {
  readonly parent: PathNode | undefined;
  readonly segment: string | number;
}

const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function pruneValue(unresolved: JsonSchema | undefined, value: JSONValue, step: PruneStep): JSONValue {
  const schema = unresolved === undefined ? undefined : resolveSchema(unresolved, step.options);
  if (schema !== undefined && keepsUnknownFields(schema, step.options)) {
    return pruneSpecifiedOnly(schema, value, step);
  }
  if (isJsonList(value)) {
    const items = schema === undefined ? undefined : itemsOf(schema);
    return mapItems(value, (item, index) => pruneValue(items, item, withSegment(step, index)));
  }
  return isJsonObject(value) ? pruneMembers(schema, value, step) : value;
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

function pruneMembers(schema: JsonSchema | undefined, object: JsonObject, step: PruneStep): JsonObject {
  return mapMembers(object, (name, value) => {
    if (schema?.["x-kubernetes-embedded-resource"] === true && META_FIELDS.has(name)) {
      return value;
    }
    const property = schema === undefined ? undefined : propertyOf(schema, name);
    if (property !== undefined) {
      return pruneValue(property, value, withSegment(step, name));
    }
    if (schema?.additionalProperties !== undefined) {
      return pruneValue(additionalSchemaOf(schema), value, withSegment(step, name));
    }
    recordUnknown(step, name, schema === undefined);
    return undefined;
  });
}

function recordUnknown(step: PruneStep, name: string, isBelowUnspecified: boolean): void {
  if (isBelowUnspecified || step.path !== undefined || !META_FIELDS.has(name)) {
    step.unknownFields.push(printPath({ parent: step.path, segment: name }));
  }
}

function pruneSpecifiedOnly(schema: JsonSchema, value: JSONValue, step: PruneStep): JSONValue {
  if (isJsonList(value)) {
    const items = itemsOf(schema);
    return items === undefined
      ? value
      : mapItems(value, (item, index) =>
          pruneSpecifiedOnly(resolveSchema(items, step.options), item, withSegment(step, index)),
        );
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return mapMembers(value, (name, member) => {
    if (schema["x-kubernetes-embedded-resource"] === true && META_FIELDS.has(name)) {
      return member;
    }
    const property = propertyOf(schema, name);
    if (property === undefined && schema.additionalProperties === undefined) {
      return member;
    }
    return pruneValue(property ?? additionalSchemaOf(schema), member, withSegment(step, name));
  });
}

function withSegment({ options, unknownFields, path }: PruneStep, segment: string | number): PruneStep {
  return { options, unknownFields, path: { parent: path, segment } };
}

function printPath({ parent, segment }: PathNode): string {
  const before = parent === undefined ? "" : printPath(parent);
  if (typeof segment === "number") {
    return `${before}[${String(segment)}]`;
  }
  return before === "" ? segment : `${before}.${segment}`;
}

function mapItems(
  list: readonly JSONValue[],
  change: (item: JSONValue, index: number) => JSONValue,
): readonly JSONValue[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function mapMembers(object: JsonObject, change: (name: string, value: JSONValue) => JSONValue | undefined): JsonObject {
  const changed: { [key: string]: JSONValue } = {};
  let isSame = true;
  for (const [name, value] of Object.entries(object)) {
    const member = value === undefined ? undefined : change(name, value);
    isSame &&= member === value;
    if (member !== undefined) {
      setMember(changed, name, member);
    }
  }
  return isSame ? object : changed;
}
