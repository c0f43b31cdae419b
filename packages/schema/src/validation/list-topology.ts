import { duplicateField, type FieldError, goJson, invalidField, type JSONValue } from "@kubescaffold/k8s";

import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";
import { childPath, keyPath, type FieldPath } from "../model/field-path.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema } from "../model/json-schema.ts";

/** Checks that lists of type set have no item twice, and lists of type map no key twice. */
export function checkListTopology(schema: JsonSchema, value: JSONValue, path: FieldPath): readonly FieldError[] {
  if (isJsonList(value)) {
    return checkListValue(schema, value, path);
  }
  return isJsonObject(value) ? checkMembers(schema, value, path) : [];
}

function checkMembers(schema: JsonSchema, object: JsonObject, path: FieldPath): readonly FieldError[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const property = propertyOf(schema, name);
    const additional = additionalSchemaOf(schema);
    return [
      ...(additional === undefined ? [] : checkListTopology(additional, value, keyPath(path, name))),
      ...(property === undefined ? [] : checkListTopology(property, value, childPath(path, name))),
    ];
  });
}

function checkListValue(schema: JsonSchema, list: readonly JSONValue[], path: FieldPath): readonly FieldError[] {
  const items = itemsOf(schema);
  return [
    ...checkUniqueness(schema, list, path),
    ...(items === undefined ? [] : list.flatMap((item, index) => checkListTopology(items, item, keyPath(path, index)))),
  ];
}

function checkUniqueness(schema: JsonSchema, list: readonly JSONValue[], path: FieldPath): readonly FieldError[] {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return secondAppearances(list).map((index) => duplicateField(keyPath(path, index), list[index]));
    case "map":
      return checkMapKeys(schema["x-kubernetes-list-map-keys"] ?? [], list, path);
    default:
      return [];
  }
}

function checkMapKeys(keys: readonly string[], list: readonly JSONValue[], path: FieldPath): readonly FieldError[] {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    return [invalidField(keyPath(path, stranger), list[stranger], "must be an object for an array of list-type map")];
  }
  const keyValues = list.map((item) => pickKeys(keys, item));
  return secondAppearances(keyValues).map((index) => duplicateField(keyPath(path, index), keyValues[index]));
}

function pickKeys(keys: readonly string[], item: JSONValue): JsonObject {
  const picked: { [key: string]: JSONValue } = {};
  for (const key of keys) {
    const value = isJsonObject(item) ? memberOf(item, key) : undefined;
    if (value !== undefined) {
      picked[key] = value;
    }
  }
  return picked;
}

// Upstream reports a repeated item once, where it appears for the second time.
function secondAppearances(items: readonly JSONValue[]): readonly number[] {
  const counts = new Map<string, number>();
  const repeated: number[] = [];
  items.forEach((item, index) => {
    const text = goJson(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) {
      repeated.push(index);
    }
  });
  return repeated;
}
