import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { findTooDeep } from "./nesting-depth.ts";
import { parseSource, syntaxDiagnostics } from "./parse-source.ts";
import { readFile } from "./read-file.ts";
import type { SourceContents } from "./source-contents.ts";

/** What a source says, and what is wrong with it. */
export interface ReadSource {
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
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const BINARY: Refusal = {
  code: "LOADER_BINARY",
  message: "the source is not text in UTF-8",
  hint: "save it as UTF-8, or rename it when it is no TypeScript",
};
const TOO_LARGE: Refusal = {
  code: "LOADER_TOO_LARGE",
  message: `the source is larger than ${MAX_LENGTH / 1024 / 1024} MiB`,
  hint: "split it, or move what is no type of an API elsewhere",
};
const TOO_DEEP: Refusal = {
  code: "LOADER_TOO_DEEP",
  message: "the source is nested too deeply to be read",
  hint: "give the inner types names of their own",
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
    imports: new Map(),
    exports: new Map(),
    exportedModules: [],
    markers: [],
    strayMarkers: [],
  };
  return { contents, diagnostics: [{ severity: "error", code, message, file: path, ...place, hint }] };
}
