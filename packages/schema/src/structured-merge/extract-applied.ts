import { goJson, type JSONValue, parseServerJson } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { type DeepCalls, runDeep } from "../json/deep-calls.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../json/json-value.ts";
import { type FieldNode, fieldSetOf, type FieldSet } from "./field-set.ts";

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
  const { metadata: stated, ...fields } = extractRoot({ value, set: fieldsOf(own?.fieldsV1), others });
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

/** A value, and the fields below it: of the owner, and of others. */
interface Owned<T extends JSONValue> {
  readonly value: T;
  readonly set: FieldSet;
  readonly others: readonly FieldSet[];
}

type Calls = DeepCalls<Owned<JSONValue>, JSONValue>;

function extractRoot(root: Owned<JsonObject>): JsonObject {
  const run = (task: Owned<JSONValue>, calls: Calls): JSONValue =>
    task === root ? extractMap(root, calls) : extract(task, calls);
  return runDeep<Owned<JSONValue>, JSONValue>(root, { run, placeholder: null }) as JsonObject;
}

function extractMap({ value, set, others }: Owned<JsonObject>, calls: Calls): JsonObject {
  const entries = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JSONValue])[] => {
    const element = `f:${name}`;
    const node = set.get(element);
    if (node === undefined) return [];
    return [[name, calls.call({ value: member, set: node.children, others: below(others, element) })]];
  });
  return Object.fromEntries(entries);
}

function extract({ value, set, others }: Owned<JSONValue>, calls: Calls): JSONValue {
  if (isJsonObject(value)) {
    // What has parts of others is merged by its parts: the owner applied none of them.
    return set.size === 0 && others.length === 0 ? value : extractMap({ value, set, others }, calls);
  }
  if (!isJsonList(value)) return value;
  if (set.size === 0) return others.length === 0 ? value : [];
  const nodeOf = nodesByItem(set);
  return value.flatMap((item): readonly JSONValue[] => {
    const found = nodeOf(item);
    if (found === undefined) return [];
    return [calls.call({ value: item, set: found[1].children, others: below(others, found[0]) })];
  });
}

// The sets of other owners that have something below a place.
function below(others: readonly FieldSet[], element: string): readonly FieldSet[] {
  return others.flatMap((set) => {
    const children = set.get(element)?.children;
    return children === undefined || children.size === 0 ? [] : [children];
  });
}

/** An element of a list that owners have: its key, or its value. */
interface Element {
  readonly index: number;
  readonly entry: readonly [element: string, node: FieldNode];
  readonly stated: JSONValue;
  /** The names of its keys; undefined for an element of a set. */
  readonly keys: readonly string[] | undefined;
}

// Looks the elements of items up; a key that an item leaves out has its default there. Indexes them by the keys that items have, since lists are long.
function nodesByItem(set: FieldSet): (item: JSONValue) => Element["entry"] | undefined {
  const kinds = new Map<string, Element[]>();
  for (const [index, entry] of [...set].entries()) {
    const stated = parseServerJson(entry[0].slice(2)) as JSONValue;
    const keys = entry[0].startsWith("v:") || !isJsonObject(stated) ? undefined : Object.keys(stated);
    const kind = JSON.stringify(keys ?? null);
    const elements = kinds.get(kind) ?? [];
    kinds.set(kind, elements);
    elements.push({ index, entry, stated, keys });
  }
  const indexes = new Map<string, ReadonlyMap<string, Element>>();
  return (item) => {
    let first: Element | undefined;
    for (const [kind, elements] of kinds) {
      const keys = elements[0]?.keys;
      if (keys !== undefined && !isJsonObject(item)) continue;
      const present = keys?.filter((key) => Object.hasOwn(item as JsonObject, key));
      const name = `${kind} ${JSON.stringify(present ?? null)}`;
      const index = indexes.get(name) ?? indexOf(elements, present);
      indexes.set(name, index);
      const found = index.get(textOf(item, present));
      if (found !== undefined && (first === undefined || found.index < first.index)) first = found;
    }
    return first?.entry;
  };
}

function indexOf(elements: readonly Element[], keys: readonly string[] | undefined): ReadonlyMap<string, Element> {
  const index = new Map<string, Element>();
  for (const element of elements) {
    const text = textOf(element.stated, keys);
    if (!index.has(text)) index.set(text, element);
  }
  return index;
}

function textOf(value: JSONValue, keys: readonly string[] | undefined): string {
  return goJson(keys === undefined ? value : keys.map((key) => (value as JsonObject)[key] ?? null));
}
