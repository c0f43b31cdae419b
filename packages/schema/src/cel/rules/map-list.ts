import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema } from "../../json-schema.ts";
import { isJsonList, isJsonObject, memberOf } from "../../json/json-value.ts";

/** Returns what finds the counterparts of items in a list of type map by their keys; of other lists no item has one. */
export function itemFinder(
  schema: JsonSchema,
  list: JSONValue | undefined,
): (item: JSONValue) => JSONValue | undefined {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const isMap = schema.type === "array" && schema["x-kubernetes-list-type"] === "map" && keys.length > 0;
  if (!isMap || !isJsonList(list)) {
    return () => undefined;
  }
  const byKey = new Map<string, JSONValue>();
  for (const item of list) {
    const key = keyOf(keys, item);
    if (key !== undefined && !byKey.has(key)) {
      byKey.set(key, item);
    }
  }
  return (item) => {
    const key = keyOf(keys, item);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function keyOf(keys: readonly string[], item: JSONValue): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  const values = keys.map((key) => memberOf(item, key));
  return values.every((value) => value !== undefined && value !== null && typeof value !== "object")
    ? JSON.stringify(values)
    : undefined;
}
