import type { SchemaNode } from "../model/schema-node.ts";
import type { NamedNodes } from "../model/schema-parts.ts";

const VALIDATION = [
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "enum",
  "maxProperties",
  "minProperties",
  "required",
  "x-kubernetes-validations",
] as const;

/**
 * Returns the schema of a use of a named type without the validation of the type and of the types in it.
 *
 * What servers and clients need to know how to store and merge values stays. Guarantees: the nodes given are not changed.
 */
export function withoutValidation(node: SchemaNode, typeOf: NamedNodes): SchemaNode {
  const { reference, ...own } = node;
  const type = reference === undefined ? {} : withoutValidation(typeOf(reference), typeOf);
  const result: SchemaNode = { ...type, ...own };
  if (own.description === undefined && type.description !== undefined) result.description = type.description;
  for (const key of VALIDATION) delete result[key];
  // The formats of strings are validation, those of numbers are types.
  if (result.type === "string") delete result.format;
  const strip = (child: SchemaNode): SchemaNode => withoutValidation(child, typeOf);
  if (result.items !== undefined) result.items = strip(result.items);
  if (result.allOf !== undefined) result.allOf = result.allOf.map((each) => strip(each));
  if (result.properties !== undefined)
    result.properties = Object.fromEntries(
      Object.entries(result.properties).map(([name, each]) => [name, strip(each)]),
    );
  if (result.additionalProperties !== undefined && result.additionalProperties !== true)
    result.additionalProperties = strip(result.additionalProperties);
  return result;
}
