import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js";

import { characterCount } from "../../text/character-count.ts";
import type { CelNode } from "../expressions/expression-tree.ts";
import { normalizeSource } from "./normalized-source.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import { type QualifiedNames, TreeReader } from "./tree-reader.ts";

/** The tree of an expression, or the first thing that is wrong with its syntax, at an offset in code points. */
type ParseResult =
  | { readonly kind: "parsed"; readonly root: CelNode }
  | { readonly kind: "failed"; readonly message: string; readonly offset: number };

// The limit of cel-go, whose message has no place.
const LONGEST_EXPRESSION = 100_000;
const NOWHERE = -1;
const UNLIMITED = 1_000_000;
// Our own limits are tighter, where a server's are.
const DEEPEST = 1000;
const HIGHEST_TREE = 251;

// Only the parser of the library is used: its checker and evaluator are looser than a server's.
const library = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: { maxAstNodes: UNLIMITED, maxListElements: UNLIMITED, maxMapEntries: UNLIMITED, maxDepth: DEEPEST },
});

/** Parses an expression and writes its macros out. */
export function parseExpression(text: string, names: QualifiedNames): ParseResult {
  const size = characterCount(text);
  if (size > LONGEST_EXPRESSION) {
    const limit = String(LONGEST_EXPRESSION);
    return failed(`expression code point size exceeds limit: size: ${String(size)}, limit ${limit}`, NOWHERE);
  }
  const toCodePoints = codePointsOf(text);
  const source = normalizeSource(text);
  if ("problem" in source) return failed(source.problem, toCodePoints(source.index));
  const reader = new TreeReader({ source, original: text, toCodePoints, names });
  try {
    const { ast } = library.parse(source.text);
    if (isHigherThan(ast, HIGHEST_TREE)) return failed("max recursion depth exceeded", 0);
    return { kind: "parsed", root: reader.read(ast) };
  } catch (error) {
    if (error instanceof CelSyntaxError) return failed(error.message, error.offset);
    if (error instanceof ParseError) return failed(messageOf(error), reader.offsetOfError(error));
    if (error instanceof RangeError) return failed("expression recursion limit exceeded", 0);
    throw error;
  }
}

function failed(message: string, offset: number): ParseResult {
  return { kind: "failed", message, offset };
}

function messageOf({ code, summary }: ParseError): string {
  switch (code) {
    case "invalid_macro_argument":
      // This is the message of `cel.bind` alone.
      if (summary === "invalid variable argument") return "cel.bind() variable names must be simple identifiers";
      return /^(?:map|filter)/.test(summary) ? "argument is not an identifier" : "argument must be a simple name";
    case "reserved_identifier":
      return summary.replace(/^R/, "r");
    case "invalid_number":
      return "invalid double literal";
    default:
      return `Syntax error: ${summary}`;
  }
}

/** Reports whether a tree is higher than a limit, without recursion; chains of `&&` and `||` do not count, as they are balanced later. */
function isHigherThan(root: ASTNode, limit: number): boolean {
  const open: (readonly [ASTNode, number])[] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, height] = next;
    if (height > limit) return true;
    for (const part of partsOf(node)) {
      const isSameChain =
        part.op === node.op && (part.op === "&&" || part.op === "||" || part.op === "!_" || part.op === "-_");
      open.push([part, isSameChain ? height : height + 1]);
    }
  }
  return false;
}

function partsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case "!_":
    case "-_":
      return [node.args];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    default:
      return node.args;
  }
}

/** Returns how to turn a place counted in UTF-16 units into one counted in code points, as CEL counts. */
function codePointsOf(text: string): (index: number) => number {
  // Only pairs of surrogates make a difference.
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return (index) => index;
  return (index) => Array.from(text.slice(0, index)).length;
}

/** Returns line and column, both from 1, of a place counted in code points; -1 and 0 for an expression that is too long. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  if (offset === NOWHERE) return { line: -1, column: 0 };
  const before = Array.from(text).slice(0, offset).join("");
  const lines = before.split("\n");
  // An empty text ends before its first column.
  if (text === "") return { line: 1, column: 0 };
  return { line: lines.length, column: Array.from(lines.at(-1) ?? "").length + 1 };
}
