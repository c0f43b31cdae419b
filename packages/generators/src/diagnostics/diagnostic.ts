import type { DiagnosticCode } from "./codes.ts";

/** One finding about a user's source or arguments: where it is, what is wrong, and the fix, if any. */
export interface Diagnostic {
  /** Whether the output is unusable (`error`), or may not be what was meant. */
  readonly severity: "error" | "warning";
  /** A name of the form `AREA_CONDITION`, listed in `docs/reference/errors.md`. */
  readonly code: DiagnosticCode;
  /** What is wrong, in lower case. */
  readonly message: string;
  /** A path relative to the project, with forward slashes; empty for a finding that has no place in a file. */
  readonly file: string;
  /** Counted from 1; 0 where there is no place. */
  readonly line: number;
  /** Counted from 1 in UTF-16 units; 0 where there is no place. */
  readonly column: number;
  /** How many characters the caret line marks, one when omitted. */
  readonly length?: number;
  /** How to fix it. */
  readonly hint?: string;
  /** The text of the line, shown above the caret; omitted where the finding has no source. */
  readonly sourceLine?: string;
}

/** A finding that can be printed, whose code may be that of another program. */
export type PrintedDiagnostic = Omit<Diagnostic, "code"> & { readonly code: string };

/** Makes an error that belongs to no place in a source, such as one about an argument. */
export function errorWithoutPlace(problem: Required<Pick<Diagnostic, "code" | "message" | "hint">>): Diagnostic {
  return { severity: "error", ...problem, file: "", line: 0, column: 0 };
}

/**
 * Renders a diagnostic as `file:line:column - severity CODE: message`, then the source line with a caret, then the hint.
 *
 * Guarantees: no trailing line break; a diagnostic without a place begins with its severity.
 */
export function renderDiagnostic(diagnostic: PrintedDiagnostic): string {
  const lines = [
    `${renderPlace(diagnostic)}${diagnostic.severity} ${diagnostic.code}: ${shorten(diagnostic.message)}`,
    ...renderSource(diagnostic),
  ];
  if (diagnostic.hint !== undefined) lines.push(`  hint: ${diagnostic.hint}`);
  return lines.join("\n");
}

/** Renders diagnostics one after the other, with an empty line between two, and their files as they are to be shown. */
export function renderDiagnostics(
  diagnostics: readonly PrintedDiagnostic[],
  shown = (file: string): string => file,
): string {
  const rendered = diagnostics.map((each) =>
    renderDiagnostic(each.file === "" ? each : { ...each, file: shown(each.file) }),
  );
  return rendered.join("\n\n");
}

/** Reports whether any of the diagnostics is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Sorts diagnostics by file, line and column and drops repeated ones. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const distinct = new Map(diagnostics.map((each) => [identityOf(each), each]));
  return [...distinct.values()].toSorted(compareDiagnostics);
}

function identityOf(each: Diagnostic): string {
  return JSON.stringify([each.file, each.line, each.column, each.code, each.message]);
}

function compareDiagnostics(left: Diagnostic, right: Diagnostic): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}

function renderPlace({ file, line, column }: PrintedDiagnostic): string {
  if (file === "") return "";
  return line === 0 ? `${file} - ` : `${file}:${line}:${column} - `;
}

// Lines and values of a source may be of any length, and a screen is not.
const LONGEST_LINE = 500;
const SHOWN_BEFORE = 60;

function renderSource({ sourceLine, column, length = 1 }: PrintedDiagnostic): readonly string[] {
  if (sourceLine === undefined || column < 1) return [];
  const start = sourceLine.length > LONGEST_LINE ? Math.max(0, column - 1 - SHOWN_BEFORE) : 0;
  const line = sourceLine.slice(start, start + LONGEST_LINE);
  const before = column - 1 - start;
  // Tabs before the caret stay tabs, so that it is under its character whatever the width of a tab is.
  const indent = line.slice(0, before).replaceAll(/[^\t]/gu, " ");
  const room = Math.max(1, line.length - before);
  return [`  ${line}`, `  ${indent}${"^".repeat(Math.max(1, Math.min(length, room)))}`];
}

function shorten(text: string): string {
  return text.length > LONGEST_LINE
    ? `${text.slice(0, LONGEST_LINE)}… (${text.length - LONGEST_LINE} characters more)`
    : text;
}
