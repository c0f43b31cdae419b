import type { SchemaNode } from "../crd/schema-node.ts";

/** One step of a path into an object. */
type PathStep =
  | { readonly kind: "member"; readonly name: string }
  /** An index, a slice, a wildcard or a filter. */
  | { readonly kind: "items" };

/** Where a path leads in a schema. */
export type PathTarget =
  | { readonly kind: "found"; readonly node: SchemaNode }
  /** The schema does not say what stands there: it is free-form, of the server, or the path cannot be followed. */
  | { readonly kind: "open" }
  | { readonly kind: "missing"; readonly name: string };

const TOKEN = /\.(?<plain>(?:[^.[\]\\]|\\.)+)|\[['"](?<quoted>(?:[^'"\\]|\\.)*)['"]\]|\[(?<inner>\?\(.*?\)|[^\]]*)\]/gy;

/** Follows a JSONPath through a schema, as far as the path is simple. */
export function followJsonPath(root: SchemaNode, path: string): PathTarget {
  const steps = readSteps(path);
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

function readSteps(path: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  let end = 0;
  for (const match of path.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    const { plain, quoted } = match.groups ?? {};
    const name = plain ?? quoted;
    if (name === "*") return undefined;
    steps.push(name === undefined ? { kind: "items" } : { kind: "member", name: name.replaceAll(/\\(.)/gu, "$1") });
  }
  return end === path.length && steps.length > 0 ? steps : undefined;
}

function takeStep(node: SchemaNode, step: PathStep): PathTarget {
  const { properties, items, additionalProperties } = node;
  const isFree = node["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties === true;
  if (step.kind === "items") {
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
