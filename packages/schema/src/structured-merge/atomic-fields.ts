import type { JSONValue } from "@kubescaffold/k8s";

import { itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "../json-schema.ts";
import { isJsonList, isJsonObject } from "../json/json-value.ts";
import { resolveSchema } from "../resolve-schema.ts";
import { shapeOf } from "./merge-shape.ts";

/** Returns the paths of the lists and objects in a value that are merged as a whole, such as `.spec.containers[0].args`. */
export function atomicFields(value: JSONValue, schema: JsonSchema, options: SchemaOptions): readonly string[] {
  return atomicsAt("", value, { schema, options });
}

interface Place {
  readonly schema: JsonSchema;
  readonly options: SchemaOptions;
}

function atomicsAt(path: string, value: JSONValue, { schema, options }: Place): readonly string[] {
  const resolved = resolveSchema(schema, options);
  if (isJsonList(value)) {
    const items = itemsOf(resolved);
    const own = shapeOf(resolved, value, options).kind === "leaf" ? [path] : [];
    if (items === undefined) return own;
    return [
      ...own,
      ...value.flatMap((item, index) => atomicsAt(`${path}[${String(index)}]`, item, { schema: items, options })),
    ];
  }
  if (!isJsonObject(value)) return [];
  const own = shapeOf(resolved, value, options).kind === "leaf" ? [path] : [];
  // Values of maps are not searched, as upstream.
  const inner = Object.entries(value).flatMap(([name, member]) => {
    const field = propertyOf(resolved, name);
    return field === undefined ? [] : atomicsAt(`${path}.${name}`, member, { schema: field, options });
  });
  return [...own, ...inner];
}
