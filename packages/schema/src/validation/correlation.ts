import { goJson, type JSONValue } from "@kubescaffold/k8s";

import { deepEqual } from "../json/deep-equal.ts";
import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";
import { additionalSchemaOf, itemsOf, propertyOf, type JsonSchema } from "../model/json-schema.ts";

/**
 * Pairs a value with the one that stood in its place before an update.
 *
 * What has not changed is not reported again (ratcheting). Items correlate in lists of type map only.
 */
export interface Correlation {
  readonly value: JSONValue;
  readonly previous: JSONValue;
  readonly schema: JsonSchema;
}

/** Returns the pair of a member, or undefined where it has no counterpart. */
export function correlateMember(correlation: Correlation | undefined, name: string): Correlation | undefined {
  if (correlation === undefined || !isJsonObject(correlation.value) || !isJsonObject(correlation.previous)) {
    return undefined;
  }
  const value = memberOf(correlation.value, name);
  const previous = memberOf(correlation.previous, name);
  const schema = propertyOf(correlation.schema, name) ?? additionalSchemaOf(correlation.schema);
  return value === undefined || previous === undefined || schema === undefined
    ? undefined
    : { value, previous, schema };
}

/** Returns the pair of a list item, found by the keys of its list, or undefined where it has no counterpart. */
export function correlateItem(correlation: Correlation | undefined, index: number): Correlation | undefined {
  if (correlation === undefined || !isJsonList(correlation.value) || !isJsonList(correlation.previous)) {
    return undefined;
  }
  const { schema } = correlation;
  const value = correlation.value[index];
  const items = itemsOf(schema);
  if (schema["x-kubernetes-list-type"] !== "map" || items === undefined || !isJsonObject(value)) {
    return undefined;
  }
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const text = keysText(value, keys);
  const previous = text === undefined ? undefined : previousByKeys(correlation, correlation.previous, keys).get(text);
  return previous === undefined ? undefined : { value, previous, schema: items };
}

// Every item of a list looks for its counterpart.
const indexes = new WeakMap<Correlation, ReadonlyMap<string, JsonObject>>();

function previousByKeys(
  correlation: Correlation,
  previous: readonly JSONValue[],
  keys: readonly string[],
): ReadonlyMap<string, JsonObject> {
  const known = indexes.get(correlation);
  if (known !== undefined) return known;
  const index = new Map<string, JsonObject>();
  for (const item of previous) {
    if (!isJsonObject(item)) continue;
    const text = keysText(item, keys);
    if (text !== undefined && !index.has(text)) index.set(text, item);
  }
  indexes.set(correlation, index);
  return index;
}

// Undefined for an item that lacks a key, or has a key that is no scalar: it has no counterpart.
function keysText(item: JsonObject, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => memberOf(item, key));
  const isComplete = values.every((value) => value !== undefined && typeof value !== "object");
  return isComplete ? values.map((value) => goJson(value as JSONValue)).join("\n") : undefined;
}

/** Reports whether nothing of a value has changed. */
export function isUnchanged(correlation: Correlation): boolean {
  const { value, previous } = correlation;
  if (isJsonList(value) && isJsonList(previous)) {
    return value.length === previous.length && areItemsUnchanged(correlation, value);
  }
  if (isJsonObject(value) && isJsonObject(previous)) {
    const names = Object.keys(value);
    return (
      names.length === Object.keys(previous).length &&
      names.every((name) => isPairUnchanged(correlateMember(correlation, name)))
    );
  }
  return deepEqual(value, previous);
}

function areItemsUnchanged(correlation: Correlation, items: readonly JSONValue[]): boolean {
  return correlation.schema["x-kubernetes-list-type"] === "map"
    ? items.every((_, index) => isPairUnchanged(correlateItem(correlation, index)))
    : deepEqual(correlation.value, correlation.previous);
}

function isPairUnchanged(correlation: Correlation | undefined): boolean {
  return correlation !== undefined && isUnchanged(correlation);
}
