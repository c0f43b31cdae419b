import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";
import type { ts as TypeScript } from "ts-morph";

import { BrokenSyntaxError } from "./errors.ts";
import { type FileAction, withLineFeeds, withoutByteOrderMark } from "./file-tree.ts";

/** A place in a text that its language does not allow; line and column are counted from 1. */
interface SyntaxProblem {
  readonly language: "YAML" | "JSON" | "TypeScript" | "JavaScript";
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/**
 * Parses all YAML, JSON, TypeScript, and JavaScript files as a command is about to write them.
 *
 * Templates of Helm charts are YAML only after Helm has rendered them. Of YAML that a printer made whole, the part above its first document is
 * parsed, since that is a user's text: to read the definitions of a large project again takes longer than to make them.
 * Fails: {@link BrokenSyntaxError} for the first file that does not parse.
 */
export async function requireSyntax(actions: readonly FileAction[]): Promise<void> {
  for (const action of actions) {
    if (action.kind === "delete") continue;
    const problem = await syntaxProblem(action.path, uncheckedPart(action));
    if (problem === undefined) continue;
    const wasBroken = action.kind === "overwrite" && (await syntaxProblem(action.path, action.previous)) !== undefined;
    const sourceLine = withLineFeeds(action.content).split("\n")[problem.line - 1] ?? "";
    throw new BrokenSyntaxError({ path: action.path, ...problem, sourceLine, wasBroken });
  }
}

function uncheckedPart({ path, content, isPrinted = false }: Exclude<FileAction, { readonly kind: "delete" }>): string {
  if (!isPrinted || !YAML_FILE.test(path)) return content;
  const start = content.search(/^---\r?$/mu);
  return start === -1 ? content : content.slice(0, start);
}

const YAML_FILE = /\.ya?ml$/u;

/** Returns the first place of a file that its language does not allow; none for files of other languages. */
export async function syntaxProblem(path: string, content: string): Promise<SyntaxProblem | undefined> {
  const text = withoutByteOrderMark(content);
  if (YAML_FILE.test(path)) return isChartTemplate(path, text) ? undefined : yamlProblem(text);
  if (path.endsWith(".json")) return isJson(text) ? undefined : jsonProblem(await loadTypeScript(), path, text);
  return /\.[cm]?[jt]sx?$/u.test(path) ? scriptProblem(await loadTypeScript(), path, text) : undefined;
}

function isChartTemplate(path: string, text: string): boolean {
  return /(?:^|\/)templates\//u.test(path) && text.includes("{{");
}

function yamlProblem(text: string): SyntaxProblem | undefined {
  try {
    readYamlDocuments(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { language: "YAML", line: error.line, column: error.column, reason: error.reason };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

// Comments are part of some JSON files, such as tsconfig.json.
function jsonProblem(ts: typeof TypeScript, path: string, text: string): SyntaxProblem | undefined {
  return firstProblem(ts, "JSON", ts.parseJsonText(path, text));
}

function scriptProblem(ts: typeof TypeScript, path: string, text: string): SyntaxProblem | undefined {
  const language = /\.[cm]?tsx?$/u.test(path) ? "TypeScript" : "JavaScript";
  return firstProblem(ts, language, ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
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

// The parser takes a moment to load, and some commands write none of its files.
async function loadTypeScript(): Promise<typeof TypeScript> {
  return (await import("ts-morph")).ts;
}
