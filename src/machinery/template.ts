import Handlebars from "handlebars";

import { TemplateError } from "./errors.ts";

/** The values a template is rendered with; what is cleverer than a value, a list or a condition is computed before. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** Renders one template: its text with the values filled in. */
export interface TemplateRenderer {
  readonly render: (template: { readonly path: string; readonly text: string }, values: TemplateValues) => string;
}

/**
 * Returns a renderer.
 *
 * Guarantees: output is never escaped; every name in a template, in conditions and lists too, has a value, and a name without one is an error.
 * Fails: {@link TemplateError} that names the template and the name.
 */
export function createTemplateRenderer(partials: Readonly<Record<string, string>> = {}): TemplateRenderer {
  const engine = Handlebars.create();
  for (const [name, text] of Object.entries(partials)) engine.registerPartial(name, text);
  return {
    render: ({ path, text }, values) => {
      const missing = namesIn(path, text, partials).find((name) => values[name] === undefined);
      if (missing !== undefined) throw new TemplateError(`cannot render ${path}: no value is given for "${missing}"`);
      try {
        return engine.compile(text, { noEscape: true, strict: true, knownHelpersOnly: true })(values);
      } catch (error) {
        throw new TemplateError(`cannot render ${path}: ${firstLine(error)}`, { cause: error });
      }
    },
  };
}

interface AstNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

// Names looked up in the values themselves; inside `each` names belong to the items, of which `strict` takes care.
function namesIn(path: string, text: string, partials: Readonly<Record<string, string>>): readonly string[] {
  const names = new Set<string>();
  const visit = (node: AstNode): void => {
    switch (node.type) {
      case "Program":
        for (const child of node["body"] as readonly AstNode[]) visit(child);
        return;
      case "MustacheStatement":
        addName(node["path"] as AstNode);
        return;
      case "BlockStatement":
        for (const parameter of node["params"] as readonly AstNode[]) addName(parameter);
        visitBlock(node);
        return;
      case "PartialStatement":
        for (const name of namesIn(path, partials[(node["name"] as AstNode)["original"] as string] ?? "", partials))
          names.add(name);
        return;
      default:
        return;
    }
  };
  const addName = (expression: AstNode): void => {
    if (expression.type !== "PathExpression" || expression["data"] === true) return;
    const [first] = expression["parts"] as readonly string[];
    if (first !== undefined) names.add(first);
  };
  const visitBlock = (node: AstNode): void => {
    const isLoop = (node["path"] as AstNode)["original"] === "each";
    if (!isLoop && node["program"] !== undefined && node["program"] !== null) visit(node["program"] as AstNode);
    if (node["inverse"] !== undefined && node["inverse"] !== null) visit(node["inverse"] as AstNode);
  };
  visit(parse(path, text));
  return [...names];
}

function parse(path: string, text: string): AstNode {
  try {
    return Handlebars.parse(text) as unknown as AstNode;
  } catch (error) {
    throw new TemplateError(`cannot render ${path}: ${firstLine(error)}`, { cause: error });
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
