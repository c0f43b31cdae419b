import { type JSONValue, printServerJson } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject } from "../json/json-value.ts";
import {
  additionalSchemaOf,
  defaultOf,
  itemsOf,
  propertyOf,
  type JsonSchema,
  type SchemaOptions,
} from "../model/json-schema.ts";
import { resolveSchema } from "../model/resolve-schema.ts";

/** How server-side apply merges values of a schema. */
export type MergeShape =
  /** Replaced as a whole: a scalar, or what is atomic. */
  | { readonly kind: "leaf" }
  | { readonly kind: "map"; readonly fieldOf: (name: string) => MapField }
  | { readonly kind: "list"; readonly items: JsonSchema; readonly elementOf: (item: JSONValue) => string };

/** A field of a map: its schema, and whether the schema names it. */
interface MapField {
  readonly schema: JsonSchema;
  readonly isNamed: boolean;
}

/** Describes how a value of a schema is merged; what the schema leaves open follows from the value: objects by their fields, lists as a whole. */
export function shapeOf(schema: JsonSchema, value: JSONValue | undefined, options: SchemaOptions): MergeShape {
  const resolved = resolveSchema(schema, options);
  if (isJsonList(value) || (value === undefined && resolved.type === "array")) return listShape(resolved, options);
  if (isJsonObject(value) || (value === undefined && resolved.type === "object")) return mapShape(resolved);
  return LEAF;
}

const LEAF: MergeShape = { kind: "leaf" };
const ANYTHING: JsonSchema = {};

// One apply walks the same schemas several times.
const mapShapes = new WeakMap<JsonSchema, MergeShape>();

function mapShape(schema: JsonSchema): MergeShape {
  let shape = mapShapes.get(schema);
  if (shape === undefined) {
    shape = newMapShape(schema);
    mapShapes.set(schema, shape);
  }
  return shape;
}

function newMapShape(schema: JsonSchema): MergeShape {
  if (schema["x-kubernetes-map-type"] === "atomic" || isAnyObject(schema)) return LEAF;
  const other: MapField = { schema: additionalSchemaOf(schema) ?? ANYTHING, isNamed: false };
  const named = new Map<string, MapField>();
  return {
    kind: "map",
    fieldOf: (name) => {
      const known = named.get(name);
      if (known !== undefined) return known;
      const own = propertyOf(schema, name);
      if (own === undefined) return other;
      const field: MapField = { schema: own, isNamed: true };
      named.set(name, field);
      return field;
    },
  };
}

// Built-in kinds have any object, of which nothing is known, as a whole.
function isAnyObject(schema: JsonSchema): boolean {
  return (
    schema.type === "object" &&
    schema.properties === undefined &&
    schema.additionalProperties === undefined &&
    schema["x-kubernetes-preserve-unknown-fields"] !== true &&
    schema["x-kubernetes-embedded-resource"] !== true
  );
}

function listShape(schema: JsonSchema, options: SchemaOptions): MergeShape {
  const items = itemsOf(schema) ?? ANYTHING;
  const type = schema["x-kubernetes-list-type"];
  if (type === "set") return { kind: "list", items, elementOf: (item) => `v:${printValue(item)}` };
  if (type !== "map") return LEAF;
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).toSorted();
  return { kind: "list", items, elementOf: (item) => `k:${printKeys(item, keys, resolveSchema(items, options))}` };
}

// Keys stand in the order of their names; one that is left out has its default.
function printKeys(item: JSONValue, keys: readonly string[], items: JsonSchema): string {
  const stated = isJsonObject(item) ? item : {};
  const entries = keys.flatMap((key): readonly (readonly [string, JSONValue])[] => {
    const value = Object.hasOwn(stated, key) ? stated[key] : defaultOf(propertyOf(items, key) ?? ANYTHING);
    return value === undefined ? [] : [[key, value]];
  });
  return printValue(Object.fromEntries(entries));
}

function printValue(value: JSONValue): string {
  return printServerJson(value);
}
