import { deepClone, type JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "./json/deep-calls.ts";
import { isJsonList, isJsonObject, memberOf, setMember, type JsonObject } from "./json/json-value.ts";
import {
  additionalSchemaOf,
  defaultOf,
  itemsOf,
  propertyOf,
  type JsonSchema,
  type SchemaOptions,
  type SchemaResolver,
} from "./model/json-schema.ts";
import { resolveSchema } from "./model/resolve-schema.ts";

/** Options for defaults. */
export interface DefaultOptions extends SchemaOptions {
  /** Keeps disallowed nulls that have no default, as API servers do in the result of an apply. */
  readonly keepsNulls?: boolean;
}

/**
 * Sets the defaults of a schema and removes disallowed nulls, as API servers do on every write and read.
 *
 * A default fills an absent member, and null where the member is not nullable; its parent must exist. Other nulls of
 * members that are not nullable go away, except as items of a list.
 *
 * Guarantees: the value is not changed, and returned itself when there is nothing to do; a default is copied for every
 * place that it fills; defaulting twice is defaulting once.
 */
export function applyDefaults<T extends JSONValue>(schema: JsonSchema, value: T, options: DefaultOptions = {}): T {
  // Only nulls and absent members change, so an object stays an object and a list a list.
  const run = (task: Task, calls: DeepCalls<Task, JSONValue>): JSONValue => defaultValue(task, { calls, options });
  return runDeep<Task, JSONValue>({ schema, value }, { run, placeholder: null }) as T;
}

/** A value, and its schema. */
interface Task {
  readonly schema: JsonSchema;
  readonly value: JSONValue;
}

interface Walk {
  readonly calls: DeepCalls<Task, JSONValue>;
  readonly options: DefaultOptions;
}

function defaultValue({ schema: unresolved, value }: Task, walk: Walk): JSONValue {
  const schema = resolveSchema(unresolved, walk.options);
  if (isJsonList(value)) {
    return defaultItems(schema, value, walk);
  }
  return isJsonObject(value) ? defaultMembers(schema, value, walk) : value;
}

function defaultItems(schema: JsonSchema, list: readonly JSONValue[], { calls, options }: Walk): readonly JSONValue[] {
  const items = itemsOf(schema);
  if (items === undefined) {
    return list;
  }
  const changed = list.map((item) => calls.call({ schema: items, value: filled(items, item, options) ?? item }));
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function defaultMembers(schema: JsonSchema, object: JsonObject, walk: Walk): JsonObject {
  const { calls, options } = walk;
  // Most objects stay as they are, so the copy starts with the first change.
  let changed: { [key: string]: JSONValue } | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name];
    const member = value === undefined ? undefined : defaultMember(schema, name, value, walk);
    if (member !== value) changed ??= membersBefore(object, name);
    if (changed !== undefined && member !== undefined) setMember(changed, name, member);
  }
  for (const [name, property] of defaultedProperties(schema, options)) {
    if (memberOf(object, name) !== undefined) continue;
    const value = copyOfDefault(property, options);
    changed ??= membersBefore(object, undefined);
    if (value !== undefined) setMember(changed, name, calls.call({ schema: property, value }));
  }
  return changed ?? object;
}

function membersBefore(object: JsonObject, end: string | undefined): { [key: string]: JSONValue } {
  const members: { [key: string]: JSONValue } = {};
  for (const name of Object.keys(object)) {
    if (name === end) break;
    const value = object[name];
    if (value !== undefined) setMember(members, name, value);
  }
  return members;
}

type Property = readonly [name: string, schema: JsonSchema];

const NO_RESOLVER: SchemaResolver = () => undefined;
const knownProperties = new WeakMap<SchemaResolver, WeakMap<JsonSchema, readonly Property[]>>();

function defaultedProperties(schema: JsonSchema, options: DefaultOptions): readonly Property[] {
  const { resolve = NO_RESOLVER } = options;
  let known = knownProperties.get(resolve);
  if (known === undefined) {
    known = new WeakMap();
    knownProperties.set(resolve, known);
  }
  let properties = known.get(schema);
  if (properties === undefined) {
    properties = Object.entries(schema.properties ?? {}).filter(
      ([, property]) => defaultOf(resolveSchema(property, options)) !== undefined,
    );
    known.set(schema, properties);
  }
  return properties;
}

function defaultMember(
  schema: JsonSchema,
  name: string,
  value: JSONValue,
  { calls, options }: Walk,
): JSONValue | undefined {
  if (typeof value !== "object") return value;
  const member = propertyOf(schema, name) ?? additionalSchemaOf(schema);
  if (member === undefined) {
    return value;
  }
  const present = filled(member, value, options);
  return present === undefined ? undefined : calls.call({ schema: member, value: present });
}

// Returns the default in place of a null that is not allowed; where there is none, null if it is kept, else undefined.
function filled(schema: JsonSchema, value: JSONValue, options: DefaultOptions): JSONValue | undefined {
  if (value !== null || resolveSchema(schema, options).nullable === true) return value;
  return copyOfDefault(schema, options) ?? (options.keepsNulls === true ? null : undefined);
}

function copyOfDefault(schema: JsonSchema, options: DefaultOptions): JSONValue | undefined {
  const value = defaultOf(resolveSchema(schema, options));
  return value === undefined ? undefined : deepClone(value);
}
