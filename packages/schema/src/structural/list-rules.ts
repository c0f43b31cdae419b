import { type FieldError, forbiddenField, invalidField, requiredField, unsupportedField } from "@kubescaffold/k8s";

import { childPath, keyPath } from "../model/field-path.ts";
import { itemsOf, propertyOf, type JsonSchema } from "../model/json-schema.ts";

/** Which of the later list rules hold. */
export interface ListRequirements {
  readonly atomicSets: boolean;
  readonly mapKeys: boolean;
}

const LIST_TYPE = "x-kubernetes-list-type";
const MAP_KEYS = "x-kubernetes-list-map-keys";

/** Checks the topology of a list: its type, the keys of a map and the items of a set. */
export function checkListKeywords(
  schema: JsonSchema,
  path: string,
  requirements: ListRequirements,
): readonly FieldError[] {
  return [
    ...checkListType(schema, path, requirements),
    ...checkKeysNeedMap(schema, path),
    ...(schema[LIST_TYPE] === "map" ? checkMapList(schema, path) : []),
    ...(requirements.mapKeys ? checkKeysAlwaysThere(schema, path) : []),
  ];
}

function checkListType(schema: JsonSchema, path: string, requirements: ListRequirements): readonly FieldError[] {
  const listType = schema[LIST_TYPE];
  if (listType === undefined) {
    return [];
  }
  const type = schema.type ?? "";
  const at = childPath(path, "type");
  const detail = "must be array if x-kubernetes-list-type is specified";
  const errors: FieldError[] = [];
  if (type !== "array") {
    errors.push(type === "" ? requiredField(at, detail) : invalidField(at, type, detail));
  } else if (requirements.atomicSets && listType === "set") {
    errors.push(...checkSetItems(itemsOf(schema), path));
  }
  if (!["atomic", "set", "map"].includes(listType)) {
    errors.push(unsupportedField(childPath(path, LIST_TYPE), listType, ["atomic", "set", "map"]));
  }
  return errors;
}

function checkSetItems(items: JsonSchema | undefined, path: string): readonly FieldError[] {
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const at = (key: string): string => childPath(childPath(path, "items"), key);
  const listType = items?.[LIST_TYPE];
  if (items?.type === "array" && listType !== undefined && listType !== "atomic") {
    return [invalidField(at(LIST_TYPE), listType, detail)];
  }
  // Upstream shows the list type of the items as the offending value, not their map type.
  return items?.type === "object" && items["x-kubernetes-map-type"] !== "atomic"
    ? [invalidField(at("x-kubernetes-map-type"), listType ?? null, detail)]
    : [];
}

function checkKeysNeedMap(schema: JsonSchema, path: string): readonly FieldError[] {
  const listType = schema[LIST_TYPE];
  if ((schema[MAP_KEYS]?.length ?? 0) === 0 || listType === "map") {
    return [];
  }
  const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
  const at = childPath(path, LIST_TYPE);
  return [listType === undefined ? requiredField(at, detail) : invalidField(at, listType, detail)];
}

function checkMapList(schema: JsonSchema, path: string): readonly FieldError[] {
  const keys = schema[MAP_KEYS] ?? [];
  const items = itemsOf(schema);
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(requiredField(childPath(path, MAP_KEYS), "must not be empty if x-kubernetes-list-type is map"));
  }
  if (schema.items === undefined) {
    errors.push(requiredField(childPath(path, "items"), "must have a schema if x-kubernetes-list-type is map"));
  } else if (items === undefined) {
    errors.push(
      invalidField(
        childPath(path, "items"),
        schema.items,
        "must only have a single schema if x-kubernetes-list-type is map",
      ),
    );
  } else if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidField(childPath(childPath(path, "items"), "type"), items.type ?? "", detail));
  } else {
    errors.push(...checkKeyNames(keys, items, path));
  }
  return errors;
}

function checkKeyNames(keys: readonly string[], items: JsonSchema, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  return keys.flatMap((key) => {
    const property = propertyOf(items, key);
    const errors: FieldError[] = [];
    if (property === undefined) {
      errors.push(invalidField(childPath(path, MAP_KEYS), keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidField(childPath(keyPropertyPath(path, key), "type"), items.type, detail));
    }
    if (seen.has(key)) {
      errors.push(invalidField(childPath(path, MAP_KEYS), keys, "must not contain duplicate entries"));
    }
    seen.add(key);
    return errors;
  });
}

function keyPropertyPath(path: string, key: string): string {
  return keyPath(childPath(childPath(path, "items"), "properties"), key);
}

function checkKeysAlwaysThere(schema: JsonSchema, path: string): readonly FieldError[] {
  const listType = schema[LIST_TYPE];
  const items = itemsOf(schema);
  if (items === undefined || (listType !== "set" && listType !== "map")) {
    return [];
  }
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenField(childPath(childPath(path, "items"), "nullable"), detail));
  }
  const keys = listType === "map" ? (schema[MAP_KEYS] ?? []) : [];
  return [...errors, ...keys.flatMap((key) => checkKeyProperty(items, key, keyPropertyPath(path, key)))];
}

function checkKeyProperty(items: JsonSchema, key: string, at: string): readonly FieldError[] {
  const property = propertyOf(items, key);
  const errors: FieldError[] = [];
  if (property !== undefined && property.default === undefined && items.required?.includes(key) !== true) {
    const detail =
      "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
    errors.push(requiredField(childPath(at, "default"), detail));
  }
  if (property?.nullable === true) {
    errors.push(
      forbiddenField(
        childPath(at, "nullable"),
        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
      ),
    );
  }
  return errors;
}
