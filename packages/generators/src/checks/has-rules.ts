import type { SchemaNode } from "../crd/model/schema-node.ts";

const known = new WeakMap<SchemaNode, boolean>();

/** Reports whether a schema has a CEL rule; a built-in struct is looked at once. */
export function hasRules(node: SchemaNode): boolean {
  if (!Object.isFrozen(node)) return hasRulesAnywhere(node);
  const answer = known.get(node) ?? hasRulesAnywhere(node);
  known.set(node, answer);
  return answer;
}

function hasRulesAnywhere(node: SchemaNode): boolean {
  if (node["x-kubernetes-validations"] !== undefined) return true;
  const { properties, items, additionalProperties } = node;
  for (const name in properties) if (hasRules(properties[name] ?? {})) return true;
  return (
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === "object" && hasRules(additionalProperties))
  );
}
