import { runInThisContext } from "node:vm";

import Handlebars from "handlebars";

import type { CompiledTemplate } from "./template.ts";

const OPTIONS = { noEscape: true, strict: true, knownHelpersOnly: true, knownHelpers: { yaml: true } } as const;

const compiled = new Map<string, CompiledTemplate>();

/** Compiles the text of a template, each text once. Fails: any error of Handlebars for a text that it cannot read. */
export function compileTemplate(text: string): CompiledTemplate {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const names = templateNames(text);
  const spec: unknown = runInThisContext(`(${templateSpec(text)})`);
  const template = { names, spec };
  compiled.set(text, template);
  return template;
}

/**
 * Returns the compiled form of a template as source text. Fails: any error of Handlebars for a text that it cannot read.
 *
 * @public used by scripts/generate-templates.mjs
 */
export function templateSpec(text: string): string {
  // The library's types say object; it returns the source text of one.
  return Handlebars.precompile(text, OPTIONS) as unknown as string;
}

interface AstNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Returns the names that a template looks up in its values, those in conditions and lists too.
 *
 * Inside a list names belong to its items, of which Handlebars' strictness takes care.
 */
export function templateNames(text: string): readonly string[] {
  const names = new Set<string>();
  collectNames(Handlebars.parse(text) as unknown as AstNode, names);
  return [...names];
}

function collectNames(node: AstNode, names: Set<string>): void {
  if (node.type === "Program") for (const child of node["body"] as readonly AstNode[]) collectNames(child, names);
  if (node.type === "MustacheStatement") addNames(node, names);
  if (node.type !== "BlockStatement") return;
  for (const parameter of node["params"] as readonly AstNode[]) addName(parameter, names);
  const isLoop = (node["path"] as AstNode)["original"] === "each";
  if (!isLoop && isNode(node["program"])) collectNames(node["program"], names);
  if (isNode(node["inverse"])) collectNames(node["inverse"], names);
}

// With parameters, the path is that of a helper.
function addNames(node: AstNode, names: Set<string>): void {
  const parameters = node["params"] as readonly AstNode[];
  for (const each of parameters.length === 0 ? [node["path"] as AstNode] : parameters) addName(each, names);
}

function addName(expression: AstNode, names: Set<string>): void {
  if (expression.type !== "PathExpression" || expression["data"] === true) return;
  const [first] = expression["parts"] as readonly string[];
  if (first !== undefined) names.add(first);
}

function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null;
}
