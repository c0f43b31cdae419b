import type { JSONValue } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject } from "../json/json-value.ts";
import { itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "../model/json-schema.ts";
import { resolveSchema } from "../model/resolve-schema.ts";
import { shapeOf } from "./merge-shape.ts";

/** Returns the paths of the lists and objects in a value that are merged as a whole, such as `.spec.containers[0].args`. */
export function atomicFields(value: JSONValue, schema: JsonSchema, options: SchemaOptions): readonly string[] {
  const found: string[] = [];
  const open: Place[] = [{ path: "", value, schema }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const resolved = resolveSchema(place.schema, options);
    if (isAtomic(place.value, resolved, options)) found.push(place.path);
    for (const part of partsOf({ ...place, schema: resolved }).toReversed()) open.push(part);
  }
  return found;
}

interface Place {
  readonly path: string;
  readonly value: JSONValue;
  readonly schema: JsonSchema;
}

function isAtomic(value: JSONValue, schema: JsonSchema, options: SchemaOptions): boolean {
  return (isJsonList(value) || isJsonObject(value)) && shapeOf(schema, value, options).kind === "leaf";
}

function partsOf({ path, value, schema }: Place): readonly Place[] {
  if (isJsonList(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return [];
    return value.map((item, index) => ({ path: `${path}[${String(index)}]`, value: item, schema: items }));
  }
  if (!isJsonObject(value)) return [];
  // Values of maps are not searched, as upstream.
  return Object.entries(value).flatMap(([name, member]) => {
    const field = propertyOf(schema, name);
    return field === undefined ? [] : [{ path: `${path}.${name}`, value: member, schema: field }];
  });
}
