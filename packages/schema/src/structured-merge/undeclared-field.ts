import type { JSONValue } from "@kubescaffold/k8s";

import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema, type SchemaOptions } from "../json-schema.ts";
import { isJsonList, isJsonObject } from "../json/json-value.ts";
import { resolveSchema } from "../resolve-schema.ts";

/** Returns the path of the first field that a schema does not have, as `.spec.sise`; undefined when it has all of them. */
export function undeclaredField(value: JSONValue, schema: JsonSchema, options: SchemaOptions): string | undefined {
  const resolved = resolveSchema(schema, options);
  if (isJsonList(value)) {
    const items = itemsOf(resolved);
    return items === undefined ? undefined : firstOf(value, (item, index) => below(`[${index}]`, item, items, options));
  }
  if (!isJsonObject(value) || isOpen(resolved)) return undefined;
  return firstOf(Object.entries(value), ([name, member]) => {
    const field = propertyOf(resolved, name) ?? additionalSchemaOf(resolved);
    return field === undefined ? `.${name}` : below(`.${name}`, member, field, options);
  });
}

function below(step: string, value: JSONValue, schema: JsonSchema, options: SchemaOptions): string | undefined {
  const found = undeclaredField(value, schema, options);
  return found === undefined ? undefined : `${step}${found}`;
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOpen(schema: JsonSchema): boolean {
  if (schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-embedded-resource"] === true)
    return true;
  return schema.properties === undefined && additionalSchemaOf(schema) === undefined;
}
