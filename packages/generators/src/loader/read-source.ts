import { ts } from "ts-morph";

import type { DiagnosticCode } from "../diagnostics/codes.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { parseSource, syntaxDiagnostics } from "./parse-source.ts";
import { readFile } from "./read-file.ts";
import type { SourceContents } from "./source-contents.ts";

/** What a source says, and what is wrong with it. */
interface ReadSource {
  readonly contents: SourceContents;
  readonly diagnostics: readonly Diagnostic[];
}

// No source that a person or a generator of ours writes comes near, and what is larger is something else that ends in `.ts`.
const MAX_LENGTH = 8 * 1024 * 1024;

// After these the rest follows from the first, or the file is something else.
const MAX_SYNTAX_ERRORS = 20;

/** Reads the text of a source; one that is no TypeScript at all is a finding and says nothing. */
export function readSource(path: string, text: string): ReadSource {
  const refused = refusal(text);
  if (refused !== undefined) return refuse(path, refused);
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined) return refuse(path, TOO_DEEP, placeAt(text, tooDeep));
  try {
    const source = parseSource(path, text);
    return { contents: readFile(source), diagnostics: syntaxDiagnostics(source).slice(0, MAX_SYNTAX_ERRORS) };
  } catch (error) {
    // The compiler's parser calls itself for each level, and so does the reading of its tree.
    if (error instanceof RangeError) return refuse(path, TOO_DEEP);
    throw error;
  }
}

interface Refusal {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

const BINARY: Refusal = {
  code: "LOADER_BINARY",
  message: "the source is not valid UTF-8",
  hint: "save it as UTF-8, or rename it if it is not TypeScript",
};
const TOO_LARGE: Refusal = {
  code: "LOADER_TOO_LARGE",
  message: `the source is larger than ${MAX_LENGTH / 1024 / 1024} MiB`,
  hint: "split it, or move everything except API types to another file",
};
const TOO_DEEP: Refusal = {
  code: "LOADER_TOO_DEEP",
  message: "the source is nested too deeply",
  hint: "declare the inner types separately",
};

type RefusalPlace = Pick<Diagnostic, "line" | "column" | "length">;

const NO_PLACE: RefusalPlace = { line: 0, column: 0 };

function placeAt(text: string, offset: number): RefusalPlace {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, length: 1 };
}

function refusal(text: string): Refusal | undefined {
  if (text.includes("\0")) return BINARY;
  return text.length > MAX_LENGTH ? TOO_LARGE : undefined;
}

function refuse(path: string, { code, message, hint }: Refusal, place: RefusalPlace = NO_PLACE): ReadSource {
  const contents: SourceContents = {
    path,
    declarations: new Map(),
    constants: new Map(),
    definedKinds: new Map(),
    imports: new Map(),
    exports: new Map(),
    exportedModules: [],
    markers: [],
    strayMarkers: [],
  };
  return { contents, diagnostics: [{ severity: "error", code, message, file: path, ...place, hint }] };
}

// What parses and reads types calls itself for each level; servers have trouble with schemas long before.
const MAX_DEPTH = 256;

/** Returns the offset of the first bracket that opens more levels than are read, or nothing. */
export function findTooDeep(text: string): number | undefined {
  if (!mayBeDeep(text)) return undefined;
  const { opening, closing } = brackets();
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, true, ts.LanguageVariant.Standard, text);
  let depth = 0;
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (opening.has(token)) depth += 1;
    else if (closing.has(token)) depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return scanner.getTokenStart();
  }
  return undefined;
}

function brackets(): Record<"opening" | "closing", ReadonlySet<ts.SyntaxKind>> {
  const { OpenBraceToken, OpenBracketToken, OpenParenToken } = ts.SyntaxKind;
  const { CloseBraceToken, CloseBracketToken, CloseParenToken } = ts.SyntaxKind;
  return {
    opening: new Set([OpenBraceToken, OpenBracketToken, OpenParenToken]),
    closing: new Set([CloseBraceToken, CloseBracketToken, CloseParenToken]),
  };
}

// Counting is much faster than scanning, and enough for nearly every source: what closes counts up to the first template, what opens everywhere.
function mayBeDeep(text: string): boolean {
  let isClear = !CONFLICT.test(text);
  let depth = 0;
  for (let index = 0; index < text.length && depth <= MAX_DEPTH; index += 1) {
    const sign = text.charCodeAt(index);
    if (sign === OPEN_BRACE || sign === OPEN_BRACKET || sign === OPEN_PARENTHESIS) depth += 1;
    else if (!isClear) continue;
    else if (sign === CLOSE_BRACE || sign === CLOSE_BRACKET || sign === CLOSE_PARENTHESIS)
      depth = Math.max(0, depth - 1);
    else if (sign === SINGLE_QUOTE || sign === DOUBLE_QUOTE) index = endOfString(text, index);
    else if (sign === SLASH) index = endOfComment(text, index);
    else if (sign === BACKTICK) isClear = false;
  }
  return depth > MAX_DEPTH;
}

const [OPEN_BRACE, OPEN_BRACKET, OPEN_PARENTHESIS] = [0x7b, 0x5b, 0x28];
const [CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PARENTHESIS] = [0x7d, 0x5d, 0x29];
const [SINGLE_QUOTE, DOUBLE_QUOTE, BACKTICK, SLASH] = [0x27, 0x22, 0x60, 0x2f];

// The scanner omits one side of a conflict that git has written into a source.
const CONFLICT = /^[|=]{7}/mu;
const LINE_BREAK = /[\r\n\u2028\u2029]/gu;

// A string ends with its line at the latest.
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const sign = text.charAt(index);
    if (sign === text.charAt(start)) return index;
    if (sign === "\\") index += text.startsWith("\r\n", index + 1) ? 2 : 1;
    else if (sign === "\n" || sign === "\r" || sign === "\u2028" || sign === "\u2029") return index;
  }
  return text.length;
}

function endOfComment(text: string, start: number): number {
  if (text.startsWith("/*", start)) {
    const end = text.indexOf("*/", start + 2);
    return end < 0 ? text.length : end + 1;
  }
  if (!text.startsWith("//", start)) return start;
  LINE_BREAK.lastIndex = start;
  return LINE_BREAK.test(text) ? LINE_BREAK.lastIndex - 1 : text.length;
}
