import type { JSONValue } from "@kubescaffold/k8s";

import type { JsonSchema, SchemaOptions } from "../json-schema.ts";
import { isJsonList, isJsonObject } from "../json/json-value.ts";
import { fieldSetAt, NO_FIELDS, unionOf, type FieldNode, type FieldSet } from "./field-set.ts";
import { shapeOf } from "./merge-shape.ts";

/** Returns the fields that whoever states a value owns. */
export function fieldsOfValue(value: JSONValue, schema: JsonSchema, options: SchemaOptions): FieldSet {
  return nodeOfValue(value, schema, options).children;
}

function nodeOfValue(value: JSONValue, schema: JsonSchema, options: SchemaOptions): FieldNode {
  const shape = shapeOf(schema, value, options);
  if (shape.kind === "map" && isJsonObject(value)) {
    const sets = Object.entries(value).map(([name, member]) => {
      const field = shape.fieldOf(name);
      const node = nodeOfValue(member, field.schema, options);
      const isMember = node.isMember || !field.isNamed || member === null || isEmptyMap(member);
      return fieldSetAt(`f:${name}`, { ...node, isMember });
    });
    return { isMember: false, children: sets.reduce(unionOf, NO_FIELDS) };
  }
  if (shape.kind === "list" && isJsonList(value)) {
    const sets = value.map((item) =>
      fieldSetAt(shape.elementOf(item), { ...nodeOfValue(item, shape.items, options), isMember: true }),
    );
    return { isMember: false, children: sets.reduce(unionOf, NO_FIELDS) };
  }
  return { isMember: true, children: NO_FIELDS };
}

function isEmptyMap(value: JSONValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
