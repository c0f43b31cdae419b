import type { JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import type { JsonSchema, Schema } from "@kubescaffold/schema";

import { type MergedValues, isSame, MERGED_LEVELS, mergeValues } from "./merge-values.ts";

/** A field that is lost when an object is converted to another version and back. */
export interface FieldChange extends MergedValues {
  /** The names of the field and of those that contain it, outermost first. */
  readonly path: readonly string[];
  /** The value after the round trip; undefined if it is absent. */
  readonly was?: JSONValue;
  /** The value before the round trip; undefined if it is absent. */
  readonly is?: JSONValue;
}

/** Returns the fields whose values differ between an object after a round trip and before it. Metadata are not compared. */
export function changesBetween<T extends KubernetesObject>(was: T, is: T): readonly FieldChange[] {
  return changesOf(fieldsOf(was), fieldsOf(is), []);
}

function fieldsOf({ apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...fields }: KubernetesObject): Fields {
  return fields;
}

type Fields = Readonly<Record<string, unknown>>;

function changesOf(was: Fields, is: Fields, above: readonly string[]): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name): readonly FieldChange[] => {
    const [before, after] = [was[name], is[name]];
    const path = [...above, name];
    if (isSame(before, after)) return [];
    if (isRecord(before) && isRecord(after) && path.length < MERGED_LEVELS) return changesOf(before, after, path);
    return [{ path, ...valueOf("was", before), ...valueOf("is", after) }];
  });
}

function valueOf(name: "was" | "is", value: unknown): { readonly was?: JSONValue; readonly is?: JSONValue } {
  return value === undefined ? {} : { [name]: value as JSONValue };
}

/**
 * Returns an object with the values that its fields had before a round trip.
 *
 * Guarantees: fields that were changed since keep their values; changes whose values the schema refuses are ignored, and unknown fields dropped.
 */
export function restoreChanges<T extends KubernetesObject>(
  object: T,
  changes: readonly FieldChange[],
  schema: Schema<T>,
): T {
  if (changes.length === 0) return object;
  const known = new Set(errorsOf(object, schema));
  const fits = (changed: T): boolean => errorsOf(changed, schema).every((error) => known.has(error));
  const restore = (target: T, some: readonly FieldChange[]): T => {
    const changed = some.reduce((each, change) => restored(each, change, schema.schema), target as Fields);
    return schema.prune(changed as unknown as T).value;
  };
  const whole = restore(object, changes);
  if (fits(whole)) return whole;
  return changes.reduce((target, change) => {
    const changed = restore(target, [change]);
    return fits(changed) ? changed : target;
  }, object);
}

function errorsOf<T>(object: T, schema: Schema<T>): readonly string[] {
  return schema.validate(object).map(({ type, field, detail }) => `${type} ${field} ${detail}`);
}

function restored(fields: Fields, { path, ...values }: FieldChange, schema: JsonSchema | undefined): Fields {
  const [name, ...below] = path;
  if (name === undefined) return fields;
  const { [name]: now, ...others } = fields;
  const next = restoredValue(now, { path: below, ...values }, memberSchema(schema, name));
  return next === undefined ? others : { ...fields, [name]: next };
}

function restoredValue(now: unknown, change: FieldChange, schema: JsonSchema | undefined): unknown {
  if (change.path.length === 0) return mergeValues(change, now as JSONValue | undefined, schema);
  if (isRecord(now)) return restored(now, change, schema);
  return now === undefined && change.is !== undefined ? restored({}, change, schema) : now;
}

function memberSchema(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}
