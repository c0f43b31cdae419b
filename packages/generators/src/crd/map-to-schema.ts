import type { MappedExpression, TypeExpression } from "../loader/type-model.ts";
import { jsonText } from "../typescript/literals.ts";
import { followNames } from "./follow-names.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import { objectNode } from "./object-to-schema.ts";
import { collectViews, literalsOf } from "./resolve-type.ts";
import type { Scope, SchemaContext } from "./schema-context.ts";
import { unresolved } from "./ways-out.ts";

/** Makes the schema of a mapped type: an object where the keys are known, a map where any string may be one. */
export function mappedNode(type: MappedExpression, scope: Scope, context: SchemaContext): SchemaNode {
  const views = collectViews(type, scope, context);
  if (views !== undefined) return objectNode({ views, inherited: [], location: type.location, oneOf: [], context });
  const { keys, value, location } = type;
  if (value === undefined) return unresolved(location, "a mapped type without a value type", context);
  if (keys.kind === "keyword" && keys.name === "string") return mapNode(keys, value, scope, context);
  // A name that is not found is reported where it stands.
  const isMissing = keys.kind === "reference" && context.meaningOf(keys, scope).kind === "missing";
  return isMissing ? context.nodeOf(keys, scope) : unresolved(location, "a mapped type over unknown keys", context);
}

/** Makes the schema of a map: any keys, values of one type. */
export function mapNode(key: TypeExpression, value: TypeExpression, scope: Scope, context: SchemaContext): SchemaNode {
  const template = followNames("template", { type: key, scope }, context);
  if (template !== undefined) {
    const { pattern } = context.nodeOf(template.type, template.scope);
    context.report({
      code: "GENERATE_MAP_KEY",
      message: "the schema of a map cannot limit its keys to a template",
      hint: `write Record<string, T>, with a rule if servers must check the keys: self.all(key, key.matches(${jsonText(pattern ?? "") ?? ""}))`,
      location: key.location,
    });
  } else if (!hasTextValues(key, scope, context)) {
    context.report({
      code: "GENERATE_MAP_KEY",
      message: "the keys of a map must be strings",
      hint: "write Record<string, T>",
      location: key.location,
    });
  }
  return { type: "object", additionalProperties: context.nodeOf(value, scope), origin: value.location };
}

// Markers of a name for strings are not asked: they would hold for values, and keys have no schema.
function hasTextValues(key: TypeExpression, scope: Scope, context: SchemaContext, depth = 0): boolean {
  if (key.kind === "keyword") return key.name === "string";
  if (literalsOf(key, scope, context) !== undefined) return true;
  const meaning = key.kind === "reference" && depth < DEEPEST ? context.meaningOf(key, scope) : undefined;
  if (meaning?.kind === "bound") return hasTextValues(meaning.bound.type, meaning.bound.scope, context, depth + 1);
  if (meaning?.kind === "named" && meaning.declaration.shape.kind === "type")
    return hasTextValues(meaning.declaration.shape.type, meaning.scope, context, depth + 1);
  return context.nodeOf(key, scope).type === "string";
}

// Names that stand for one another without end are reported where they stand.
const DEEPEST = 32;
