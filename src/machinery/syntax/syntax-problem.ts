import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";
import type { ts as TypeScript } from "ts-morph";

/** A place in a text that its language does not allow; line and column are counted from 1. */
export interface SyntaxProblem {
  readonly language: "YAML" | "JSON" | "TypeScript" | "JavaScript";
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** A file of a language that is parsed. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Reports whether the parser of a file is the compiler: of a script, or of JSON with comments. */
export function isParsedByCompiler({ path, text }: SourceText): boolean {
  // Most JSON is parsed by Node itself. Comments are part of some files, such as tsconfig.json.
  return path.endsWith(".json") ? !isJson(text) : /\.[cm]?[jt]sx?$/u.test(path);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reports whether a file is YAML. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/u.test(path);
}

/** Returns the first place that the language of a file does not allow, by the compiler or as YAML. */
export function problemOf(ts: () => typeof TypeScript, file: SourceText): SyntaxProblem | undefined {
  return isYaml(file.path) ? yamlProblem(file) : scriptProblem(ts(), file);
}

function yamlProblem({ path, text }: SourceText): SyntaxProblem | undefined {
  if (isChartTemplate(path, text)) return undefined;
  try {
    readYamlDocuments(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { language: "YAML", line: error.line, column: error.column, reason: error.reason };
  }
}

function isChartTemplate(path: string, text: string): boolean {
  return /(?:^|\/)templates\//u.test(path) && text.includes("{{");
}

function scriptProblem(ts: typeof TypeScript, { path, text }: SourceText): SyntaxProblem | undefined {
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
