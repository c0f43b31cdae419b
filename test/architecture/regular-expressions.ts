import { analyse } from "scslre";
import { ts } from "ts-morph";

import { readSource } from "./source-files.ts";

/** A regular expression of a source. */
export interface FoundPattern {
  /** The file and the line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  /** The expressions whose values are unknown before the program runs. */
  readonly inserted: readonly string[];
}

/** Finds the regular expressions of a source: its literals, and what it passes to `RegExp`. */
export function patternsOf(file: string): readonly FoundPattern[] {
  const tree = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    const pattern = literalPattern(node) ?? builtPattern(node, tree);
    if (pattern !== undefined) found.push({ place: `${file}:${String(lineOf(node, tree))}`, ...pattern });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Returns the texts of the constants of a source that are known before the program runs. */
export function constantTextsOf(file: string): readonly string[] {
  const tree = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
  return declarationsOf(tree).flatMap(({ initializer }) => {
    const parts = initializer === undefined ? [initializer] : textParts(initializer, tree);
    return parts.every((part) => typeof part === "string") ? [parts.join("")] : [];
  });
}

type Pattern = Omit<FoundPattern, "place">;

function lineOf(node: ts.Node, tree: ts.SourceFile): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function literalPattern(node: ts.Node): Pattern | undefined {
  if (!ts.isRegularExpressionLiteral(node)) return undefined;
  const end = node.text.lastIndexOf("/");
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1), inserted: [] };
}

function builtPattern(node: ts.Node, tree: ts.SourceFile): Pattern | undefined {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  if (!isCall || node.expression.getText() !== "RegExp") return undefined;
  const [source, flags] = node.arguments ?? [];
  const parts = source === undefined ? [] : textParts(source, tree);
  // A copy of a literal, which is found where it is.
  if (parts.some((part) => typeof part !== "string" && ts.isRegularExpressionLiteral(part))) return undefined;
  return {
    source: parts.map((part) => (typeof part === "string" ? part : "x")).join(""),
    flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "",
    inserted: parts.flatMap((part) => (typeof part === "string" ? [] : [part.getText()])),
  };
}

/** The text of an expression, and what is inserted into it. */
function textParts(node: ts.Node, tree: ts.SourceFile): readonly (string | ts.Node)[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return templateParts(node, tree, (piece) => piece.text);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw") {
    const { template } = node;
    return ts.isTemplateExpression(template)
      ? templateParts(template, tree, (piece) => piece.rawText ?? "")
      : [template.rawText ?? ""];
  }
  if (
    ts.isCallExpression(node) &&
    node.getText().endsWith('.join("|")') &&
    ts.isPropertyAccessExpression(node.expression)
  ) {
    const list = node.expression.expression;
    if (ts.isArrayLiteralExpression(list))
      return list.elements.flatMap((each, index) => [index === 0 ? "" : "|", ...textParts(each, tree)]);
  }
  const constant = ts.isIdentifier(node) ? constantOf(node.text, tree) : undefined;
  return constant === undefined ? [node] : textParts(constant, tree);
}

function templateParts(
  template: ts.TemplateExpression,
  tree: ts.SourceFile,
  textOf: (piece: ts.TemplateLiteralLikeNode) => string,
): readonly (string | ts.Node)[] {
  const rest = template.templateSpans.flatMap((span) => [...textParts(span.expression, tree), textOf(span.literal)]);
  return [textOf(template.head), ...rest];
}

function constantOf(name: string, tree: ts.SourceFile): ts.Expression | undefined {
  return declarationsOf(tree).find((declaration) => declaration.name.getText() === name)?.initializer;
}

function declarationsOf(tree: ts.SourceFile): readonly ts.VariableDeclaration[] {
  return tree.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
}

/** Describes how an expression takes more than linear time, or returns nothing. */
export function slownessOf({ place, source, flags }: FoundPattern): readonly string[] {
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ type, exponential, character }) => {
    const degree = exponential ? "exponential" : "polynomial";
    return `${place}: /${source}/${flags} takes ${degree} time on repeated ${JSON.stringify(character.pick)} (${type})`;
  });
}
