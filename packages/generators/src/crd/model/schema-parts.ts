import type { SchemaNode } from "./schema-node.ts";

/** Looks up the schema of a named type. */
export type NamedNodes = (reference: string) => SchemaNode;

/** Returns the properties of a node, those that it inherits first, before references are replaced. */
export function membersOf(node: SchemaNode, named: NamedNodes): ReadonlyMap<string, SchemaNode> {
  const members = new Map<string, SchemaNode>();
  for (const part of partsOf(node, named))
    for (const [name, member] of Object.entries(part.properties ?? {}))
      if (!members.has(name) || member.reference !== undefined) members.set(name, member);
  return members;
}

/** Returns a child of a node: its own, or that of what it is a use of. */
export function childOf(
  node: SchemaNode,
  named: NamedNodes,
  pick: (node: SchemaNode) => SchemaNode | undefined,
): SchemaNode | undefined {
  const children = partsOf(node, named)
    .map((each) => pick(each))
    .filter((each) => each !== undefined);
  // Markers on the items of a use are on a child that has no type of its own.
  return children.find((each) => each.reference !== undefined || each.type !== undefined) ?? children[0];
}

/** Returns the named types that a node is a use of, the nearest first. */
export function referencesOf(node: SchemaNode, named: NamedNodes): readonly string[] {
  const { reference } = node;
  return reference === undefined ? [] : [reference, ...referencesOf(named(reference), named)];
}

// A node, what it is a use of, and what it inherits from.
function partsOf(node: SchemaNode, named: NamedNodes): readonly SchemaNode[] {
  const inherited = (node.allOf ?? []).flatMap((each) => partsOf(each, named));
  const used = node.reference === undefined ? [] : partsOf(named(node.reference), named);
  return [...inherited, ...used, node];
}

/** Returns the schema of the values of a map, if they have one. */
export function valueOf({ additionalProperties }: SchemaNode): SchemaNode | undefined {
  return additionalProperties === true ? undefined : additionalProperties;
}
