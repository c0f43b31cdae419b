import { Environment, ParseError } from "@marcbachmann/cel-js";

import type { CelNode } from "../expression-tree.ts";
import { codePointsOf } from "./code-points.ts";
import { normalizeSource } from "./normalized-source.ts";
import { CelSyntaxError } from "./syntax-error.ts";
import { isHigherThan } from "./tree-height.ts";
import { type QualifiedNames, TreeReader } from "./tree-reader.ts";

/** Is the tree of an expression, or the first thing that is wrong with its syntax, at an offset in code points. */
export type ParseResult =
  | { readonly kind: "parsed"; readonly root: CelNode }
  | { readonly kind: "failed"; readonly message: string; readonly offset: number };

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
      return /^(?:map|filter)/.test(summary) ? "argument is not an identifier" : "argument must be a simple name";
    case "reserved_identifier":
      return summary.replace(/^R/, "r");
    case "invalid_number":
      return "invalid double literal";
    default:
      return `Syntax error: ${summary}`;
  }
}
