import type { TemplatePart, TypeExpression } from "../loader/type-model.ts";
import type { SchemaNode } from "./model/schema-node.ts";
import type { Literal } from "./resolve-type.ts";

/** Returns the anchored pattern that a template literal type describes; undefined when a part has none. */
export function templatePattern(
  parts: readonly TemplatePart[],
  literalsOf: (type: TypeExpression) => readonly Literal[] | undefined,
  nodeOf: (type: TypeExpression) => SchemaNode,
): string | undefined {
  const pieces = parts.map((part) =>
    part.kind === "text" ? escapePattern(part.text) : typePattern(part.type, literalsOf, nodeOf),
  );
  return pieces.includes(undefined) ? undefined : `^${pieces.join("")}$`;
}

function typePattern(
  type: TypeExpression,
  literalsOf: (type: TypeExpression) => readonly Literal[] | undefined,
  nodeOf: (type: TypeExpression) => SchemaNode,
): string | undefined {
  const literals = literalsOf(type);
  if (literals !== undefined) return `(${literals.map((each) => escapePattern(String(each))).join("|")})`;
  if (type.kind === "keyword" && type.name === "number") return NUMBER;
  const node = nodeOf(type);
  if (node.type === "string")
    return node.pattern === undefined ? String.raw`[\s\S]*` : `(${node.pattern.replaceAll(/^\^|\$$/gu, "")})`;
  if (node.type === "integer") return String.raw`-?\d+`;
  return node.type === "boolean" ? "(true|false)" : undefined;
}

const NUMBER = String.raw`-?\d+(\.\d+)?([eE][+-]?\d+)?`;

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}
