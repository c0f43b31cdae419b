import { ts } from "ts-morph";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { MarkerComment, SourceLocation } from "./type-model.ts";

/** A source with its syntax tree. */
export interface ParsedSource {
  /** Relative to the root of the run, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly file: ts.SourceFile;
  /** Turns offsets into a place. */
  readonly locate: (start: number, end: number) => SourceLocation;
  /** Collects, while the source is read, marker lines that nothing can own. */
  readonly strays: MarkerComment[];
}

/** Parses a source; no types are looked up and no library is loaded. */
export function parseSource(path: string, text: string): ParsedSource {
  const options: ts.CreateSourceFileOptions = {
    languageVersion: ts.ScriptTarget.ES2023,
    // Comments are read by our own rules, so the compiler does not parse them.
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const file = ts.createSourceFile(path, text, options, false, ts.ScriptKind.TS);
  return { path, text, file, locate: (start, end) => locate({ path, file, start, end }), strays: [] };
}

/** Returns the syntax errors that the compiler found. */
export function syntaxDiagnostics({ path, file, locate }: ParsedSource): readonly Diagnostic[] {
  // The compiler keeps the errors of a single file in a property that its declarations omit.
  const { parseDiagnostics = [] } = file as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics.map((each) => {
    const { line, column, length } = locate(each.start, each.start + each.length);
    const message = ts.flattenDiagnosticMessageText(each.messageText, " ");
    return {
      severity: "error",
      code: "LOADER_SYNTAX",
      message: `the source does not parse: ${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/u, "")} (TS${each.code})`,
      file: path,
      line,
      column,
      length,
      hint: "fix the source; nothing was generated from it",
    };
  });
}

function locate(options: {
  readonly path: string;
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly end: number;
}): SourceLocation {
  const { path, file, start, end } = options;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return { file: path, line: line + 1, column: character + 1, length: Math.max(1, end - start) };
}
