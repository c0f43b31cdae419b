import type { SchemaNode } from "../crd/model/schema-node.ts";

/** The way from the root of a schema to one of its nodes, and what is said about that node. */
export interface SchemaTrail {
  /** The nodes on the way, the root first. */
  readonly nodes: readonly SchemaNode[];
  /** The way as users read it, such as `spec.ports[].name`; empty for the root. */
  readonly name: string;
  /** How many lists or maps of values are between the last property on the way and the node. */
  readonly hops: number;
  /** The keyword of the node that is meant, empty for the node itself. */
  readonly keyword: string;
}

/** Follows the path that a server names, such as `.properties[spec].properties[size].default`, as far as it leads. */
export function followPath(root: SchemaNode, path: string): SchemaTrail {
  let trail: SchemaTrail = { nodes: [root], name: "", hops: 0, keyword: "" };
  let rest = path;
  for (;;) {
    const step = nextStep(lastOf(trail), rest);
    if (step === undefined) return { ...trail, keyword: /^\.([\w-]+)/u.exec(rest)?.[1] ?? "" };
    trail = extend(trail, step);
    rest = rest.slice(step.length);
  }
}

/** Returns the node that a trail leads to. */
export function lastOf({ nodes }: SchemaTrail): SchemaNode {
  return nodes.at(-1) ?? {};
}

interface Step {
  readonly node: SchemaNode;
  readonly kind: "property" | "items" | "values" | "branch";
  readonly name: string;
  /** How much of the path it takes. */
  readonly length: number;
}

function extend(trail: SchemaTrail, { node, kind, name }: Step): SchemaTrail {
  const nodes = [...trail.nodes, node];
  switch (kind) {
    case "property":
      return { ...trail, nodes, name: trail.name === "" ? name : `${trail.name}.${name}`, hops: 0 };
    case "branch":
      return { ...trail, nodes };
    default:
      return { ...trail, nodes, name: `${trail.name}${kind === "items" ? "[]" : "[*]"}`, hops: trail.hops + 1 };
  }
}

function nextStep(node: SchemaNode, rest: string): Step | undefined {
  const { items, additionalProperties } = node;
  if (rest.startsWith(".properties[")) return propertyStep(node, rest);
  if (/^\.items(?=[.[]|$)/u.test(rest) && items !== undefined)
    return rest.length > 6 ? { node: items, kind: "items", name: "", length: 6 } : undefined;
  if (rest.startsWith(".additionalProperties.") && typeof additionalProperties === "object")
    return { node: additionalProperties, kind: "values", name: "", length: 21 };
  const branch = /^\.(allOf|anyOf|oneOf)\[(\d+)\]/u.exec(rest);
  if (branch === null) return undefined;
  const child = node[branch[1] as "allOf" | "anyOf" | "oneOf"]?.[Number(branch[2])];
  return child === undefined ? undefined : { node: child, kind: "branch", name: "", length: branch[0].length };
}

// A name may hold brackets and dots itself, so the longest that fits is meant.
function propertyStep({ properties = {} }: SchemaNode, rest: string): Step | undefined {
  const fitting = Object.keys(properties).filter((name) => rest.startsWith(`.properties[${name}]`));
  const name = fitting.toSorted((left, right) => right.length - left.length)[0];
  const node = name === undefined ? undefined : properties[name];
  if (name === undefined || node === undefined) return undefined;
  return { node, kind: "property", name, length: `.properties[${name}]`.length };
}
