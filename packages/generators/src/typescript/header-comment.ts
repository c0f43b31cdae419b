/** The place in a text from which on it is no comment, and the rule that it breaks. */
export interface HeaderProblem {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The broken rule. */
  readonly message: string;
}

/**
 * Checks that a text for the top of source files is one block comment or a run of line comments; an empty text passes.
 *
 * Guarantees: a text that passes holds no code, whatever language with the comments of TypeScript and Go reads it.
 */
export function headerProblem(text: string): HeaderProblem | undefined {
  const end = text.trimEnd().length;
  const start = text.length - text.trimStart().length;
  if (end <= start) return undefined;
  if (text.startsWith("/*", start)) return blockProblem(text, start, end);
  return text.startsWith("//", start) ? lineProblem(text, start, end) : problemAt(text, start);
}

function blockProblem(text: string, start: number, end: number): HeaderProblem | undefined {
  const close = text.indexOf("*/", start + 2);
  if (close < 0) return problemAt(text, start, "the comment has no end");
  if (close + 2 === end) return undefined;
  const rest = text.slice(close + 2);
  return problemAt(text, close + 2 + rest.length - rest.trimStart().length);
}

// Every character that ends a line for a compiler ends the comment.
function lineProblem(text: string, start: number, end: number): HeaderProblem | undefined {
  let at = start;
  for (const line of text.slice(start, end).split(/(?<=\r\n|\n|\r(?!\n)|\u2028|\u2029)/u)) {
    const blanks = /^[^\S\n\r\u2028\u2029]*/u.exec(line)?.[0].length ?? 0;
    if (!line.startsWith("//", blanks)) return problemAt(text, at + blanks);
    at += line.length;
  }
  return undefined;
}

function problemAt(
  text: string,
  offset: number,
  message = "the text is not exactly one comment: it must be one block comment or a run of line comments",
): HeaderProblem {
  const before = text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/u);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, message };
}

/** Checks that a text for the top of YAML files holds comments only. */
export function yamlHeaderProblem(text: string): HeaderProblem | undefined {
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/u);
  const index = lines.findIndex((line) => !/^\s*(?:#|$)/u.test(line));
  if (index < 0) return undefined;
  const line = lines[index] ?? "";
  const message = "the text is not a comment: every line must start with #";
  return { line: index + 1, column: line.length - line.trimStart().length + 1, message };
}
