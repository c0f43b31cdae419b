import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaOptions } from "../json-schema.ts";
import { isJsonList, isJsonObject, type JsonObject } from "../json/json-value.ts";
import type { FieldNode, FieldSet } from "./field-set.ts";
import { shapeOf } from "./merge-shape.ts";

/** Returns an object without the fields of a set; a list or map that is itself no member stays, if need be empty. */
export function removeFields(
  value: JsonObject,
  set: FieldSet,
  { schema, ...options }: SchemaOptions & { readonly schema: JsonSchema },
): JsonObject {
  const left = removeBelow(value, set, schema, options);
  return isJsonObject(left) ? left : {};
}

function removeBelow(value: JSONValue, set: FieldSet, schema: JsonSchema, options: SchemaOptions): JSONValue {
  const shape = shapeOf(schema, value, options);
  if (shape.kind === "map" && isJsonObject(value)) {
    const kept = Object.entries(value).flatMap(([name, member]) => {
      const left = remaining(member, set.get(`f:${name}`), shape.fieldOf(name).schema, options);
      return left === undefined ? [] : [[name, left] as const];
    });
    return Object.fromEntries(kept);
  }
  if (shape.kind === "list" && isJsonList(value)) {
    return value
      .map((item) => remaining(item, set.get(shape.elementOf(item)), shape.items, options))
      .filter((each) => each !== undefined);
  }
  return value;
}

// Undefined for what is removed as a whole.
function remaining(
  value: JSONValue,
  node: FieldNode | undefined,
  schema: JsonSchema,
  options: SchemaOptions,
): JSONValue | undefined {
  if (node === undefined) return value;
  return node.isMember ? undefined : removeBelow(value, node.children, schema, options);
}

/** Returns a set in which every field that the schema names is a member when something below it is. */
export function withNamedFields(set: FieldSet, schema: JsonSchema, options: SchemaOptions): FieldSet {
  const shape = shapeOf(schema, undefined, options);
  const entries = [...set].map(([element, { isMember, children }]): readonly [string, FieldNode] => {
    if (shape.kind === "map" && element.startsWith("f:")) {
      const field = shape.fieldOf(element.slice(2));
      const below = withNamedFields(children, field.schema, options);
      return [element, { isMember: isMember || (field.isNamed && children.size > 0), children: below }];
    }
    const items = shape.kind === "list" ? shape.items : {};
    return [element, { isMember, children: withNamedFields(children, items, options) }];
  });
  return new Map(entries);
}
