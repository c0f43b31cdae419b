import { type JsonPathStep, parseJsonPath } from "@kubescaffold/schema";

import type { SchemaNode } from "../crd/schema-node.ts";

/** Where a path leads in a schema. */
export type PathTarget =
  | { readonly kind: "found"; readonly node: SchemaNode }
  /** The schema does not say what stands there: it is free-form, of the server, or the path cannot be followed. */
  | { readonly kind: "open" }
  | { readonly kind: "missing"; readonly name: string };

/** Follows a JSONPath through a schema, as far as the path is simple. */
export function followJsonPath(root: SchemaNode, path: string): PathTarget {
  const steps = parseJsonPath(path);
  if (steps === undefined) return { kind: "open" };
  let node = root;
  for (const [depth, step] of steps.entries()) {
    if (depth === 0 && step.kind === "member" && ROOT_MEMBERS.has(step.name)) return { kind: "open" };
    const next = takeStep(node, step);
    if (next.kind !== "found") return next;
    ({ node } = next);
  }
  return { kind: "found", node };
}

/** Says whether every bracket of a path is closed, without which servers show none of the columns. */
export function isBalanced(path: string): boolean {
  let depth = 0;
  for (const character of path.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gu, "")) {
    if (character === "[") depth += 1;
    if (character === "]") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const ROOT_MEMBERS = new Set(["metadata", "apiVersion", "kind"]);

function takeStep(node: SchemaNode, step: JsonPathStep): PathTarget {
  const { properties, items, additionalProperties } = node;
  const isFree = node["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties === true;
  if (step.kind === "selection") {
    if (items !== undefined) return { kind: "found", node: items };
    return { kind: "open" };
  }
  const own = Object.hasOwn(properties ?? {}, step.name) ? properties?.[step.name] : undefined;
  if (own !== undefined) return { kind: "found", node: own };
  if (typeof additionalProperties === "object") return { kind: "found", node: additionalProperties };
  // An object without any schema of its members may be filled in elsewhere, so only what has members can lack one.
  return isFree ||
    (properties === undefined && node.type !== "string" && node.type !== "integer" && node.type !== "boolean")
    ? { kind: "open" }
    : { kind: "missing", name: step.name };
}
