import type { SchemaNode } from "../crd/schema-node.ts";

/** Says whether a schema has a CEL rule outside built-in structs, whose rules are sound. */
export function hasRules(node: SchemaNode): boolean {
  if (Object.isFrozen(node)) return false;
  if (node["x-kubernetes-validations"] !== undefined) return true;
  const { properties, items, additionalProperties } = node;
  for (const name in properties) if (hasRules(properties[name] ?? {})) return true;
  return (
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === "object" && hasRules(additionalProperties))
  );
}
