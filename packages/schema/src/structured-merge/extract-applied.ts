import { type JSONValue, parseServerJson } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { deepEqual } from "../json/deep-equal.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../json/json-value.ts";
import { fieldSetOf, type FieldSet } from "./field-set.ts";

/**
 * Returns the fields that a manager has applied, according to `metadata.managedFields`, and the identity of the object. Changing the
 * result and applying it again changes just that, and leaves what others own alone.
 *
 * Guarantees: the object is not changed. An owner that has applied nothing gets the identity alone, as in client-go; an object whose
 * `managedFields` were stripped, by a cache for instance, is such an object.
 *
 * @example
 * const mine = extractApplied<DeploymentApply>(deployment, "guestbook-controller");
 * await client.apply({ ...mine, spec: { ...mine.spec, replicas: 3 } }, { fieldOwner: "guestbook-controller" });
 */
export function extractApplied<T extends { readonly metadata: object }>(
  object: ReadonlyObject,
  fieldManager: string,
  subresource = "",
): T {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, managedFields = [] } = metadata;
  const isOwn = (entry: (typeof managedFields)[number]): boolean =>
    entry.manager === fieldManager && entry.operation === "Apply" && (entry.subresource ?? "") === subresource;
  const own = managedFields.find((entry) => isOwn(entry));
  const others = managedFields.filter((entry) => !isOwn(entry)).map(({ fieldsV1 }) => fieldsOf(fieldsV1));
  const value = object as unknown as JsonObject;
  const { metadata: stated, ...fields } = extractMap(value, fieldsOf(own?.fieldsV1), others);
  const identity = { name, ...(namespace === undefined ? {} : { namespace }) };
  const applied = {
    apiVersion,
    kind,
    metadata: { ...(isJsonObject(stated) ? stated : {}), ...identity },
    ...fields,
  };
  // What an owner applied is of the type that it applied.
  return applied as unknown as T;
}

function fieldsOf(fieldsV1: unknown): FieldSet {
  return fieldSetOf(fieldsV1 as JSONValue | undefined);
}

function extractMap(value: JsonObject, set: FieldSet, others: readonly FieldSet[]): Record<string, JSONValue> {
  const entries = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JSONValue])[] => {
    const element = `f:${name}`;
    const node = set.get(element);
    return node === undefined ? [] : [[name, extract(member, node.children, below(others, element))]];
  });
  return Object.fromEntries(entries);
}

function extract(value: JSONValue, set: FieldSet, others: readonly FieldSet[]): JSONValue {
  if (isJsonObject(value)) {
    // What has parts of others is merged by its parts: the owner applied none of them.
    return set.size === 0 && others.length === 0 ? value : extractMap(value, set, others);
  }
  if (!isJsonList(value)) return value;
  if (set.size === 0) return others.length === 0 ? value : [];
  return value.flatMap((item): readonly JSONValue[] => {
    const found = [...set].find(([element]) => isElement(element, item));
    return found === undefined ? [] : [extract(item, found[1].children, below(others, found[0]))];
  });
}

// The sets of other owners that have something below a place.
function below(others: readonly FieldSet[], element: string): readonly FieldSet[] {
  return others.flatMap((set) => {
    const children = set.get(element)?.children;
    return children === undefined || children.size === 0 ? [] : [children];
  });
}

// A key that the item leaves out has its default there.
function isElement(element: string, item: JSONValue): boolean {
  const stated = parseServerJson(element.slice(2)) as JSONValue;
  if (element.startsWith("v:")) return deepEqual(stated, item);
  if (!isJsonObject(stated) || !isJsonObject(item)) return false;
  return Object.entries(stated).every(([key, value]) => !Object.hasOwn(item, key) || deepEqual(item[key], value));
}
