import type { JSONValue } from "@kubescaffold/k8s";

import {
  additionalSchemaOf,
  defaultOf,
  itemsOf,
  propertyOf,
  type JsonSchema,
  type SchemaOptions,
} from "./json-schema.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "./json/json-value.ts";
import { resolveSchema } from "./resolve-schema.ts";

/**
 * Sets the defaults of a schema and removes disallowed nulls, as API servers do on every write and read.
 *
 * A default fills an absent member, and null where the member is not nullable; its parent must exist. Other nulls of
 * members that are not nullable go away, except as items of a list.
 *
 * Guarantees: the value is not changed, and returned itself when there is nothing to do; a default is copied for every
 * place that it fills; defaulting twice is defaulting once.
 */
export function applyDefaults<T extends JSONValue>(schema: JsonSchema, value: T, options: SchemaOptions = {}): T {
  // Only nulls and absent members change, so an object stays an object and a list a list.
  return defaultValue(schema, value, options) as T;
}

function defaultValue(unresolved: JsonSchema, value: JSONValue, options: SchemaOptions): JSONValue {
  const schema = resolveSchema(unresolved, options);
  if (isJsonList(value)) {
    return defaultItems(schema, value, options);
  }
  return isJsonObject(value) ? defaultMembers(schema, value, options) : value;
}

function defaultItems(schema: JsonSchema, list: readonly JSONValue[], options: SchemaOptions): readonly JSONValue[] {
  const items = itemsOf(schema);
  if (items === undefined) {
    return list;
  }
  const changed = list.map((item) => defaultValue(items, filled(items, item, options) ?? item, options));
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function defaultMembers(schema: JsonSchema, object: JsonObject, options: SchemaOptions): JsonObject {
  const changed: { [key: string]: JSONValue } = {};
  let isSame = true;
  for (const [name, value] of Object.entries(object)) {
    const member = value === undefined ? undefined : defaultMember(schema, name, value, options);
    isSame &&= member === value;
    if (member !== undefined) {
      setMember(changed, name, member);
    }
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const absent = memberOf(object, name) === undefined;
    const value = absent ? copyOfDefault(property, options) : undefined;
    if (value !== undefined) {
      isSame = false;
      setMember(changed, name, defaultValue(property, value, options));
    }
  }
  return isSame ? object : changed;
}

function defaultMember(
  schema: JsonSchema,
  name: string,
  value: JSONValue,
  options: SchemaOptions,
): JSONValue | undefined {
  const member = propertyOf(schema, name) ?? additionalSchemaOf(schema);
  if (member === undefined) {
    return value;
  }
  const present = filled(member, value, options);
  return present === undefined ? undefined : defaultValue(member, present, options);
}

// Returns the default in place of a null that is not allowed, and undefined where there is none.
function filled(schema: JsonSchema, value: JSONValue, options: SchemaOptions): JSONValue | undefined {
  return value === null && resolveSchema(schema, options).nullable !== true ? copyOfDefault(schema, options) : value;
}

function copyOfDefault(schema: JsonSchema, options: SchemaOptions): JSONValue | undefined {
  const value = defaultOf(resolveSchema(schema, options));
  return value === undefined ? undefined : structuredClone(value);
}
