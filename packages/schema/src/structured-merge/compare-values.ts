import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaOptions } from "../json-schema.ts";
import { deepEqual } from "../json/deep-equal.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../json/json-value.ts";
import { fieldSetAt, NO_FIELDS, unionOfAll, type FieldNode, type FieldSet } from "./field-set.ts";
import { shapeOf, type MergeShape } from "./merge-shape.ts";

/** Which fields two values differ in; no field is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two objects field by field, as they are merged. */
export function compareValues(
  before: JsonObject,
  after: JsonObject,
  { schema, ...options }: SchemaOptions & { readonly schema: JsonSchema },
): Comparison {
  const { added, modified, removed } = compare(before, after, schema, options);
  return { added: added.children, modified: modified.children, removed: removed.children };
}

interface NodeComparison {
  readonly added: FieldNode;
  readonly modified: FieldNode;
  readonly removed: FieldNode;
}

const NOTHING: FieldNode = { isMember: false, children: NO_FIELDS };
const ITSELF: FieldNode = { isMember: true, children: NO_FIELDS };
const SAME: NodeComparison = { added: NOTHING, modified: NOTHING, removed: NOTHING };

// One of the two values may be undefined: then all of the other was added or removed, and the place itself with it.
function compare(
  before: JSONValue | undefined,
  after: JSONValue | undefined,
  schema: JsonSchema,
  options: SchemaOptions,
): NodeComparison {
  if (before === after) return SAME;
  const shape = shapeOf(schema, after ?? before, options);
  const pairs = pairsOf(shape, before, after);
  if (pairs === undefined) return compareLeaf(before, after);
  const children = pairs.map(([element, own, other, below]) => ({ element, ...compare(own, other, below, options) }));
  const setOf = (part: keyof NodeComparison, isMember: boolean): FieldNode => ({
    isMember,
    children: unionOfAll(children.map((each) => fieldSetAt(each.element, each[part]))),
  });
  return {
    added: setOf("added", before === undefined),
    modified: setOf("modified", false),
    removed: setOf("removed", after === undefined),
  };
}

function compareLeaf(before: JSONValue | undefined, after: JSONValue | undefined): NodeComparison {
  if (before === undefined) return { ...SAME, added: ITSELF };
  if (after === undefined) return { ...SAME, removed: ITSELF };
  return deepEqual(before, after) ? SAME : { ...SAME, modified: ITSELF };
}

type Pair = readonly [element: string, before: JSONValue | undefined, after: JSONValue | undefined, schema: JsonSchema];

// Undefined where the values are compared as a whole; so are two that are empty, since empty and null differ.
function pairsOf(
  shape: MergeShape,
  before: JSONValue | undefined,
  after: JSONValue | undefined,
): readonly Pair[] | undefined {
  if (shape.kind === "map") {
    const [left, right] = [mapOf(before), mapOf(after)];
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.length === 0
      ? undefined
      : names.map((name) => [`f:${name}`, ownOf(left, name), ownOf(right, name), shape.fieldOf(name).schema]);
  }
  if (shape.kind === "leaf") return undefined;
  const [left, right] = [before, after].map((value) =>
    byElement(isJsonList(value) ? value : [], (item) => shape.elementOf(item)),
  );
  const elements = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])];
  return elements.length === 0
    ? undefined
    : elements.map((element) => [element, left?.get(element), right?.get(element), shape.items]);
}

function byElement(
  items: readonly JSONValue[],
  elementOf: (item: JSONValue) => string,
): ReadonlyMap<string, JSONValue> {
  return new Map(items.map((item) => [elementOf(item), item]));
}

function mapOf(value: JSONValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function ownOf(object: JsonObject, name: string): JSONValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
