import { goQuote } from "@kubescaffold/k8s";

import { PatchTypeError } from "../../model/errors.ts";
import {
  additionalSchemaOf,
  itemsOf,
  propertyOf,
  type JsonSchema,
  type SchemaOptions,
} from "../../model/json-schema.ts";
import { refOf, resolveSchema } from "../../model/resolve-schema.ts";

/** A type by which patches merge: its schema, and the name that messages use. */
export interface PatchType {
  readonly schema: JsonSchema;
  readonly name: string;
  readonly options: SchemaOptions;
}

/** Describes how a field merges, and of which type its value or its items are. */
export interface PatchField {
  readonly type: PatchType;
  readonly retainsKeys: boolean;
  readonly strategy: string;
  readonly mergeKey: string;
}

/** Returns the type that a schema or a reference to one describes. */
export function patchTypeOf(schema: JsonSchema, options: SchemaOptions): PatchType {
  const name = refOf(schema)?.split(/[./]/).at(-1) ?? "";
  return { schema: resolveSchema(schema, options), name, options };
}

/** Finds the field of an object type. Fails: {@link PatchTypeError} when the type has no such field. */
export function fieldForObject(type: PatchType, name: string): PatchField {
  const field = findField(type, name);
  return { ...field, type: patchTypeOf(field.schema, type.options) };
}

/** Finds a field whose value is a list; its type is that of the items. Fails: {@link PatchTypeError} as above, or when it is no list. */
export function fieldForList(type: PatchType, name: string): PatchField {
  const field = findField(type, name);
  const items = itemsOf(resolveSchema(field.schema, type.options));
  if (items === undefined) {
    throw new PatchTypeError(`expected slice or array type, but got: ${kindOf(type.schema)}`);
  }
  return { ...field, type: patchTypeOf(items, type.options) };
}

interface FoundField {
  readonly schema: JsonSchema;
  readonly retainsKeys: boolean;
  readonly strategy: string;
  readonly mergeKey: string;
}

function findField(type: PatchType, name: string): FoundField {
  const kind = kindOf(type.schema);
  if (kind !== "struct") {
    throw new PatchTypeError(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  const schema = propertyOf(type.schema, name);
  if (schema === undefined) {
    throw new PatchTypeError(`unable to find api field in struct ${type.name} for the json field ${goQuote(name)}`);
  }
  const strategies = (schema["x-kubernetes-patch-strategy"] ?? "").split(",");
  return {
    schema,
    retainsKeys: strategies.includes("retainKeys"),
    strategy: strategies.find((strategy) => strategy !== "retainKeys") ?? "",
    mergeKey: schema["x-kubernetes-patch-merge-key"] ?? "",
  };
}

/** Names the kind of a type as Go does. */
export function kindOf(schema: JsonSchema): string {
  switch (schema.type) {
    case "array":
      return "slice";
    case "integer":
      return "int32";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return additionalSchemaOf(schema) === undefined ? "struct" : "map";
  }
}
