import type { SchemaNode } from "../crd/model/schema-node.ts";
import { childOf, type NamedNodes, referencesOf, valueOf } from "../crd/model/schema-parts.ts";

/** Reports whether two finished schemas describe the same values, apart from constraints such as patterns and bounds. */
export function hasEqualStructure(left: SchemaNode, right: SchemaNode): boolean {
  return (
    SCALARS.every((key) => (left[key] ?? undefined) === (right[key] ?? undefined)) &&
    sameNames(left.required ?? [], right.required ?? []) &&
    sameNames((left.enum ?? []).map(String), (right.enum ?? []).map(String)) &&
    haveEqualMembers(left.properties ?? {}, right.properties ?? {}) &&
    areEqualParts(left.items, right.items) &&
    areEqualParts(left.additionalProperties, right.additionalProperties)
  );
}

const SCALARS = [
  "type",
  "format",
  "nullable",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
] as const;

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name) => right.includes(name));
}

type Members = Readonly<Record<string, SchemaNode>>;

function haveEqualMembers(left: Members, right: Members): boolean {
  return (
    sameNames(Object.keys(left), Object.keys(right)) &&
    Object.entries(left).every(([name, member]) => areEqualParts(member, right[name]))
  );
}

function areEqualParts(left: SchemaNode | true | undefined, right: SchemaNode | true | undefined): boolean {
  if (typeof left !== "object" || typeof right !== "object") return left === right;
  return hasEqualStructure(left, right);
}

/** Returns how a message names a type: by its own name, or by what it consists of. */
export function describeType(node: SchemaNode, named: NamedNodes): string {
  const [reference] = referencesOf(node, named);
  const name = reference === undefined ? undefined : /#(?<name>[\w$]+)/u.exec(reference)?.groups?.["name"];
  if (name !== undefined) return name;
  const items = childOf(node, named, (each) => each.items);
  if (items !== undefined) return `${describeType(items, named)}[]`;
  const values = childOf(node, named, valueOf);
  if (values !== undefined) return `Record<string, ${describeType(values, named)}>`;
  if (node["x-kubernetes-int-or-string"] === true) return "int32 or string";
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  return node.type === "integer" ? (node.format ?? "integer") : (node.type ?? "any value");
}
