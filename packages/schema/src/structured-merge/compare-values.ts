import type { JSONValue } from "@kubescaffold/k8s";

import { type DeepCalls, runDeep } from "../json/deep-calls.ts";
import { deepEqual } from "../json/deep-equal.ts";
import { isJsonList, isJsonObject, memberOf, type JsonObject } from "../json/json-value.ts";
import type { JsonSchema, SchemaOptions } from "../model/json-schema.ts";
import { NO_FIELDS, type FieldNode, type FieldSet } from "./field-set.ts";
import { shapeOf, type MergeShape } from "./merge-shape.ts";

/** Which fields two values differ in; no field is in two of the sets. */
export interface Comparison {
  /** Fields that only the second value has. */
  readonly added: FieldSet;
  /** Fields that both values have, with different values. */
  readonly modified: FieldSet;
  /** Fields that only the first value has. */
  readonly removed: FieldSet;
}

/** Compares two objects field by field, as they are merged. */
export function compareValues(
  before: JsonObject,
  after: JsonObject,
  { schema, ...options }: SchemaOptions & { readonly schema: JsonSchema },
): Comparison {
  const { added, modified, removed } = runDeep<Values, NodeComparison>(
    { before, after, schema },
    { run: (task, calls) => compare(task, { calls, options }), placeholder: SAME },
  );
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

/** Two values of a field, and its schema. */
interface Values {
  readonly before: JSONValue | undefined;
  readonly after: JSONValue | undefined;
  readonly schema: JsonSchema;
}

interface Walk {
  readonly calls: DeepCalls<Values, NodeComparison>;
  readonly options: SchemaOptions;
}

// One of the two values may be undefined: then all of the other was added or removed, and the place itself with it.
function compare({ before, after, schema }: Values, walk: Walk): NodeComparison {
  const { options } = walk;
  if (before === after) return SAME;
  if (isScalar(before) && isScalar(after)) return compareLeaf(before, after);
  if (isOtherKind(before, after)) return compareKinds({ before, after, schema }, walk);
  const shape = shapeOf(schema, after ?? before, options);
  const pairs = pairsOf(shape, before, after);
  if (pairs === undefined) return compareLeaf(before, after);
  const [added, modified, removed] = [new Map(), new Map(), new Map()] as const satisfies readonly Map<
    string,
    FieldNode
  >[];
  for (const [element, own, other, below] of pairs) {
    const change = compareElements(own, other, below, walk);
    if (change === SAME) continue;
    put(added, element, change.added);
    put(modified, element, change.modified);
    put(removed, element, change.removed);
  }
  const isChanged = added.size > 0 || modified.size > 0 || removed.size > 0;
  return !isChanged && before !== undefined && after !== undefined
    ? SAME
    : {
        added: nodeOf(before === undefined, added),
        modified: nodeOf(false, modified),
        removed: nodeOf(after === undefined, removed),
      };
}

// Whether one value is an object, and the other one a list or a scalar, as a field without a type can have them. Null goes with each.
function isOtherKind(before: JSONValue | undefined, after: JSONValue | undefined): boolean {
  const isValue = (value: JSONValue | undefined): boolean => value !== undefined && value !== null;
  return isValue(before) && isValue(after) && isJsonObject(before) !== isJsonObject(after);
}

// The field itself is modified, and all that the object has below it was added or removed.
function compareKinds({ before, after, schema }: Values, { calls }: Walk): NodeComparison {
  const { added } = isJsonObject(after) ? calls.call({ before: undefined, after, schema }) : SAME;
  const { removed } = isJsonObject(before) ? calls.call({ before, after: undefined, schema }) : SAME;
  return { added: nodeOf(false, added.children), modified: ITSELF, removed: nodeOf(false, removed.children) };
}

// An element of a list that is stated more than once has no fields, as upstream: it is compared as a whole.
function compareElements(
  before: JSONValue | Repeated | undefined,
  after: JSONValue | Repeated | undefined,
  schema: JsonSchema,
  { calls }: Walk,
): NodeComparison {
  if (before instanceof Repeated) {
    if (after instanceof Repeated) return compareLeaf(before.items, after.items);
    const { added } = after === undefined ? SAME : calls.call({ before: undefined, after, schema });
    return { ...SAME, added, removed: ITSELF };
  }
  if (!(after instanceof Repeated)) return calls.call({ before, after, schema });
  const { removed } = before === undefined ? SAME : calls.call({ before, after: undefined, schema });
  return { ...SAME, added: ITSELF, removed };
}

class Repeated {
  readonly items: JSONValue[];

  constructor(...items: JSONValue[]) {
    this.items = items;
  }
}

function isScalar(value: JSONValue | undefined): boolean {
  return typeof value !== "object" || value === null;
}

function put(set: Map<string, FieldNode>, element: string, node: FieldNode): void {
  if (node.isMember || node.children.size > 0) set.set(element, node);
}

function nodeOf(isMember: boolean, children: FieldSet): FieldNode {
  return children.size > 0 ? { isMember, children } : isMember ? ITSELF : NOTHING;
}

function compareLeaf(before: JSONValue | undefined, after: JSONValue | undefined): NodeComparison {
  if (before === undefined) return { ...SAME, added: ITSELF };
  if (after === undefined) return { ...SAME, removed: ITSELF };
  return deepEqual(before, after) ? SAME : { ...SAME, modified: ITSELF };
}

type Pair = readonly [
  element: string,
  before: JSONValue | Repeated | undefined,
  after: JSONValue | Repeated | undefined,
  schema: JsonSchema,
];

// The members that may differ; undefined where the values are compared as a whole; so are two that are empty, since empty and null differ.
function pairsOf(
  shape: MergeShape,
  before: JSONValue | undefined,
  after: JSONValue | undefined,
): readonly Pair[] | undefined {
  if (shape.kind === "map") {
    const [left, right] = [mapOf(before), mapOf(after)];
    const names = Object.keys(left);
    for (const name of Object.keys(right)) if (!Object.hasOwn(left, name)) names.push(name);
    return names.length === 0
      ? undefined
      : names
          .filter((name) => memberOf(left, name) !== memberOf(right, name))
          .map((name) => [`f:${name}`, memberOf(left, name), memberOf(right, name), shape.fieldOf(name).schema]);
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

// An element that states none of the keys of its list.
const WITHOUT_KEYS = "k:{}";

function byElement(
  items: readonly JSONValue[],
  elementOf: (item: JSONValue) => string,
): ReadonlyMap<string, JSONValue | Repeated> {
  const found = new Map<string, JSONValue | Repeated>();
  for (const item of items) {
    const element = elementOf(item);
    if (element === WITHOUT_KEYS) throw new TypeError("cannot compare an element of a list without its keys");
    const known = found.get(element);
    if (known === undefined) found.set(element, item);
    else if (known instanceof Repeated) known.items.push(item);
    else found.set(element, new Repeated(known, item));
  }
  return found;
}

function mapOf(value: JSONValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
