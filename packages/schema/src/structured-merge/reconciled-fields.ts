import { type DeepCalls, runDeep } from "../json/deep-calls.ts";
import type { JsonSchema, SchemaOptions } from "../model/json-schema.ts";
import { resolveSchema } from "../model/resolve-schema.ts";
import { type FieldNode, type FieldSet, NO_FIELDS } from "./field-set.ts";
import { shapeOf } from "./merge-shape.ts";

/**
 * Returns a field set whose fields below lists and maps that the schema has as atomic are replaced by these lists and maps; the set itself when there are none.
 *
 * Source: `structured-merge-diff/v6/typed`, `reconcile_schema.go`.
 */
export function reconciledFields(
  set: FieldSet,
  { schema, ...options }: SchemaOptions & { readonly schema: JsonSchema },
): FieldSet {
  const run = (task: Owned, calls: DeepCalls<Owned, FieldSet>): FieldSet => reconciledBelow(task, calls, options);
  return runDeep<Owned, FieldSet>({ set, schema }, { run, placeholder: NO_FIELDS });
}

/** A field set, and the schema of the value that it is about. */
interface Owned {
  readonly set: FieldSet;
  readonly schema: JsonSchema;
}

function reconciledBelow(
  { set, schema: unresolved }: Owned,
  calls: DeepCalls<Owned, FieldSet>,
  options: SchemaOptions,
): FieldSet {
  const schema = resolveSchema(unresolved, options);
  const shape = shapeOf(schema, undefined, options);
  if (shape.kind === "leaf" || set.size === 0) return set;
  const nodes = [...set].map(([element, node]): readonly [string, FieldNode] => {
    const below = shape.kind === "list" ? shape.items : shape.fieldOf(element.slice(2)).schema;
    return [element, reconciledNode(node, resolveSchema(below, options), calls)];
  });
  return nodes.every(([element, node]) => node === set.get(element)) ? set : new Map(nodes);
}

function reconciledNode(node: FieldNode, schema: JsonSchema, calls: DeepCalls<Owned, FieldSet>): FieldNode {
  if (node.children.size === 0) return node;
  if (isAtomic(schema)) return { isMember: true, children: new Map() };
  const children = calls.call({ set: node.children, schema });
  return children === node.children ? node : { ...node, children };
}

function isAtomic(schema: JsonSchema): boolean {
  const listType = schema["x-kubernetes-list-type"];
  if (schema.type === "array") return listType !== "set" && listType !== "map";
  return schema.type === "object" && schema["x-kubernetes-map-type"] === "atomic";
}
