import Handlebars from "handlebars";

/** A template that is ready to be filled in. */
export interface CompiledTemplate {
  /** The names that must have a value. */
  readonly names: readonly string[];
  readonly fill: (values: Readonly<Record<string, unknown>>) => string;
}

/**
 * How templates are compiled; the build compiles those of the published program in the same way.
 *
 * @public
 */
export const COMPILE_OPTIONS = { noEscape: true, strict: true, knownHelpersOnly: true } as const;

/** Compiles the text of a template. Fails: whatever Handlebars throws for a text it cannot read. */
export function compileTemplate(text: string): CompiledTemplate {
  const names = templateNames(text);
  const template = Handlebars.compile<Readonly<Record<string, unknown>>>(text, COMPILE_OPTIONS);
  return { names, fill: (values) => template(values) };
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
  if (node.type === "MustacheStatement") addName(node["path"] as AstNode, names);
  if (node.type !== "BlockStatement") return;
  for (const parameter of node["params"] as readonly AstNode[]) addName(parameter, names);
  const isLoop = (node["path"] as AstNode)["original"] === "each";
  if (!isLoop && isNode(node["program"])) collectNames(node["program"], names);
  if (isNode(node["inverse"])) collectNames(node["inverse"], names);
}

function addName(expression: AstNode, names: Set<string>): void {
  if (expression.type !== "PathExpression" || expression["data"] === true) return;
  const [first] = expression["parts"] as readonly string[];
  if (first !== undefined) names.add(first);
}

function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null;
}
