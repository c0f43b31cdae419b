import type { ts as TypeScript } from "ts-morph";

/** A place in a text that its language does not allow; line and column are counted from 1. */
export interface SyntaxProblem {
  readonly language: "YAML" | "JSON" | "TypeScript" | "JavaScript";
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** A file whose parser is the compiler: a script, or JSON with comments. */
export interface ScriptText {
  readonly path: string;
  readonly text: string;
}

/** Returns the first place of a script, or of JSON with comments, that its language does not allow. */
export function scriptProblem(ts: typeof TypeScript, { path, text }: ScriptText): SyntaxProblem | undefined {
  if (path.endsWith(".json")) return firstProblem(ts, "JSON", ts.parseJsonText(path, text));
  const language = /\.[cm]?tsx?$/u.test(path) ? "TypeScript" : "JavaScript";
  // The parser reports nothing that is in comments.
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return firstProblem(ts, language, ts.createSourceFile(path, text, options));
}

function firstProblem(
  ts: typeof TypeScript,
  language: SyntaxProblem["language"],
  source: TypeScript.SourceFile,
): SyntaxProblem | undefined {
  // The parser attaches what it found; only its declaration hides it.
  const { parseDiagnostics = [] } = source as {
    readonly parseDiagnostics?: readonly TypeScript.DiagnosticWithLocation[];
  };
  const [first] = parseDiagnostics;
  if (first === undefined) return undefined;
  const { line, character } = source.getLineAndCharacterOfPosition(first.start);
  const reason = ts.flattenDiagnosticMessageText(first.messageText, "\n").replace(/\.$/u, "");
  return { language, line: line + 1, column: character + 1, reason };
}
