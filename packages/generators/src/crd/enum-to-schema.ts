import type { SourceLocation } from "../loader/type-model.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import type { Literal } from "./resolve-type.ts";
import type { SchemaContext } from "./schema-context.ts";

/** Makes the schema of literals: one type, the values in source order, null as nullable. */
export function enumNode(literals: readonly Literal[], location: SourceLocation, context: SchemaContext): SchemaNode {
  const values = literals.filter((each) => each !== null);
  const type = typeOfLiterals(values, context);
  if (type === undefined) {
    context.report({
      code: "GENERATE_MIXED_ENUM",
      message: values.length === 0 ? "the type has no values" : "the values of an enum are of different types",
      hint: "use only strings or only integers",
      location,
    });
    return {};
  }
  const node: SchemaNode = { type, enum: values, origin: location };
  if (values.length < literals.length) node.nullable = true;
  return node;
}

function typeOfLiterals(values: readonly Literal[], context: SchemaContext): string | undefined {
  if (values.length === 0) return undefined;
  if (values.every((each) => typeof each === "string")) return "string";
  if (values.every((each) => typeof each === "boolean")) return "boolean";
  if (values.every((each) => Number.isInteger(each))) return "integer";
  return values.every((each) => typeof each === "number") && context.source.allowDangerousTypes ? "number" : undefined;
}
