import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";
import type { ts as TypeScript } from "ts-morph";

import { BrokenSyntaxError } from "../errors.ts";
import { type FileAction, withLineFeeds, withoutByteOrderMark } from "../file-tree.ts";

/** A place in a text that its language does not allow; line and column are counted from 1. */
interface SyntaxProblem {
  readonly language: "YAML" | "JSON" | "TypeScript" | "JavaScript";
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

interface SourceText {
  readonly path: string;
  readonly text: string;
}

/**
 * Parses all YAML, JSON, TypeScript, and JavaScript files as a command is about to write them.
 *
 * What is a template of this program with plain words in it was parsed by the tests. Templates of Helm charts are YAML only after Helm has rendered them. Of YAML that a printer made whole, the part above its first document is
 * parsed, since that is a user's text: to read the definitions of a large project again takes longer than to make them.
 * Fails: {@link BrokenSyntaxError} for the first file that does not parse.
 */
export async function requireSyntax(actions: readonly FileAction[]): Promise<void> {
  const written = actions.filter((action) => action.kind !== "delete").filter(({ isPlain = false }) => !isPlain);
  const problems = await syntaxProblems(written.map((action) => ({ path: action.path, text: uncheckedPart(action) })));
  for (const [index, action] of written.entries()) {
    const problem = problems[index];
    if (problem === undefined) continue;
    const wasBroken = action.kind === "overwrite" && (await syntaxProblem(action.path, action.previous)) !== undefined;
    const sourceLine = withLineFeeds(action.content).split("\n")[problem.line - 1] ?? "";
    throw new BrokenSyntaxError({ path: action.path, ...problem, sourceLine, wasBroken });
  }
}

type Written = Exclude<FileAction, { readonly kind: "delete" }>;

function uncheckedPart({ path, content, isPrinted = false }: Written): string {
  if (!isPrinted || !isYaml(path)) return content;
  const start = content.search(/^---\r?$/mu);
  return start === -1 ? content : content.slice(0, start);
}

/** Returns the first place of a file that its language does not allow; none for files of other languages. */
export async function syntaxProblem(path: string, text: string): Promise<SyntaxProblem | undefined> {
  return (await syntaxProblems([{ path, text }]))[0];
}

async function syntaxProblems(files: readonly SourceText[]): Promise<readonly (SyntaxProblem | undefined)[]> {
  const texts = files.map(({ path, text }) => ({ path, text: withoutByteOrderMark(text) }));
  const parsed = texts.filter((each) => isYaml(each.path) || isParsedByCompiler(each));
  // The compiler takes a moment to load, and some commands write nothing that it parses.
  const compiler = parsed.some(({ path }) => !isYaml(path)) ? await import("ts-morph") : undefined;
  return texts.map((each) =>
    parsed.includes(each) ? problemOf(() => (compiler as NonNullable<typeof compiler>).ts, each) : undefined,
  );
}

// The compiler parses scripts, and JSON with comments.
function isParsedByCompiler({ path, text }: SourceText): boolean {
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

function isYaml(path: string): boolean {
  return /\.ya?ml$/u.test(path);
}

// By the compiler, or as YAML.
function problemOf(ts: () => typeof TypeScript, file: SourceText): SyntaxProblem | undefined {
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
