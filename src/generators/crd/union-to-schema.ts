import type { TypeExpression } from "../../loader/type-model.ts";
import { discriminatedNode, findDiscriminant } from "./discriminated-union.ts";
import { enumNode } from "./enum-to-schema.ts";
import { collectViews, literalsOf, type Literal } from "./resolve-type.ts";
import type { Scope, SchemaContext } from "./schema-context.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Makes the schema of a union: of literals, of a type and null, or of objects that a property tells apart. */
export function unionNode(
  type: Extract<TypeExpression, { kind: "union" }>,
  scope: Scope,
  context: SchemaContext,
): SchemaNode {
  const members = type.members.filter((member) => member.kind !== "keyword" || member.name !== "undefined");
  const rest = members.filter((member) => member.kind !== "literal" || member.value !== null);
  const node = restNode({ ...type, members: rest }, scope, context);
  return rest.length < members.length ? { ...node, nullable: true } : node;
}

function restNode(type: Extract<TypeExpression, { kind: "union" }>, scope: Scope, context: SchemaContext): SchemaNode {
  const [only, ...others] = type.members;
  if (only !== undefined && others.length === 0) return context.nodeOf(only, scope);
  const literals = literalsOf(type, scope, context);
  if (literals !== undefined) return literalUnionNode(literals, type, context);
  const members = type.members
    .map((member) => collectViews(member, scope, context))
    .filter((views) => views !== undefined);
  if (members.length === type.members.length) {
    const discriminant = findDiscriminant(members, context);
    if (discriminant !== undefined)
      return discriminatedNode({ members, discriminant, location: type.location, context });
  }
  const isObjects = members.length === type.members.length;
  context.report({
    code: "GENERATE_UNION",
    message: isObjects
      ? "no property of literals tells the members of this union apart"
      : "a union of these types has no schema",
    hint: isObjects
      ? 'give every member a property with a literal type of its own, such as type: "a"'
      : "unions are of literals, of a type and null, or of objects; a whole number or a string is IntOrString of @kubescaffold/k8s",
    location: type.location,
  });
  return {};
}

function literalUnionNode(
  literals: readonly Literal[],
  type: Extract<TypeExpression, { kind: "union" }>,
  context: SchemaContext,
): SchemaNode {
  const isBoolean =
    literals.includes(true) && literals.includes(false) && literals.every((each) => typeof each === "boolean");
  if (isBoolean) return { type: "boolean", origin: type.location };
  return enumNode({ literals, location: type.location, context });
}
