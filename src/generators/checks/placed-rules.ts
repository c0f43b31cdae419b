import type { SchemaNode, ValidationRule } from "../crd/schema-node.ts";
import type { SchemaTrail } from "./schema-trail.ts";

/** A CEL rule, the schema that it is about, and the way there. */
export interface PlacedRule {
  readonly rule: ValidationRule;
  readonly node: SchemaNode;
  readonly trail: SchemaTrail;
}

/** Lists the rules of a schema, in its order; those inside built-in structs are sound and left out. */
export function eachRule(root: SchemaNode): readonly PlacedRule[] {
  if (!hasRules(root)) return [];
  const found: PlacedRule[] = [];
  collect({ nodes: [root], name: "", hops: 0, keyword: "x-kubernetes-validations" }, found);
  return found;
}

/** Says whether a schema has a rule outside built-in structs. */
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

function collect(trail: SchemaTrail, found: PlacedRule[]): void {
  const node = trail.nodes.at(-1) ?? {};
  if (Object.isFrozen(node)) return;
  for (const rule of node["x-kubernetes-validations"] ?? []) found.push({ rule, node, trail });
  const { properties = {}, items, additionalProperties } = node;
  for (const [name, child] of Object.entries(properties))
    collect(
      { ...trail, nodes: [...trail.nodes, child], name: trail.name === "" ? name : `${trail.name}.${name}`, hops: 0 },
      found,
    );
  const below = (child: SchemaNode, sign: string): void =>
    collect({ ...trail, nodes: [...trail.nodes, child], name: trail.name + sign, hops: trail.hops + 1 }, found);
  if (items !== undefined) below(items, "[]");
  if (typeof additionalProperties === "object") below(additionalProperties, "[*]");
}
