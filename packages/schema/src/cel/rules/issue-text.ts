import type { ExpressionIssue } from "../checked-expression.ts";

const MOST_ISSUES = 100;
const LONGEST_SNIPPET_BYTES = 16_384;
const utf8 = new TextEncoder();

/** Prints why an expression was rejected as servers do: each reason with its line and a mark below the place. */
export function issueText(expression: string, issues: readonly ExpressionIssue[]): string {
  const lines = expression.split("\n");
  const shown = issues.slice(0, MOST_ISSUES).map((issue) => printIssue(issue, lines[issue.line - 1]));
  const rest = issues.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${String(rest)} more errors were truncated`] : [])].join("\n");
}

function printIssue({ line, column, message }: ExpressionIssue, source: string | undefined): string {
  const head = `ERROR: <input>:${String(line)}:${String(column)}: ${message}`;
  if (source === undefined || utf8.encode(source).length > LONGEST_SNIPPET_BYTES) {
    return head;
  }
  const characters = Array.from(source.replaceAll("\t", " "));
  const before = characters.slice(0, column - 1).map((character) => (isWide(character) ? "．" : "."));
  const mark = isWide(characters[column - 1]) ? "＾" : "^";
  return `${head}\n | ${characters.join("")}\n | ${before.join("")}${mark}`;
}

// What takes more than one byte counts as wide.
function isWide(character: string | undefined): boolean {
  return character !== undefined && (character.codePointAt(0) ?? 0) > 0x7f;
}
