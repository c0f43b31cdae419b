import { readYamlDocuments, YamlError } from "@kubescaffold/k8s/yaml";

import { BrokenSyntaxError } from "../errors.ts";
import { type FileAction, withLineFeeds, withoutByteOrderMark } from "../file-tree.ts";
import { scriptProblem, scriptProblemsOfThread, type ScriptText, type SyntaxProblem } from "./syntax-thread.ts";

/**
 * Parses all YAML, JSON, TypeScript, and JavaScript files as a command is about to write them.
 *
 * Templates of Helm charts are YAML only after Helm has rendered them. Of YAML that a printer made whole, the part above its first document is
 * parsed, since that is a user's text: to read the definitions of a large project again takes longer than to make them.
 * Fails: {@link BrokenSyntaxError} for the first file that does not parse.
 */
export async function requireSyntax(actions: readonly FileAction[]): Promise<void> {
  const written = actions.filter((action) => action.kind !== "delete");
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
  if (!isPrinted || !YAML_FILE.test(path)) return content;
  const start = content.search(/^---\r?$/mu);
  return start === -1 ? content : content.slice(0, start);
}

const YAML_FILE = /\.ya?ml$/u;

/** Returns the first place of a file that its language does not allow; none for files of other languages. */
export async function syntaxProblem(path: string, text: string): Promise<SyntaxProblem | undefined> {
  return (await syntaxProblems([{ path, text }]))[0];
}

// The thread parses scripts while this one parses the rest.
async function syntaxProblems(files: readonly ScriptText[]): Promise<readonly (SyntaxProblem | undefined)[]> {
  const texts = files.map(({ path, text }) => ({ path, text: withoutByteOrderMark(text) }));
  const scripts = texts.filter(isCompilers);
  const answer = scripts.length === 0 ? undefined : scriptProblemsOfThread(scripts);
  const others = texts.map((each) => (YAML_FILE.test(each.path) ? yamlProblem(each) : undefined));
  const found = (await answer) ?? (await parseScripts(scripts));
  return texts.map((each, index) => others[index] ?? found[scripts.indexOf(each)]);
}

// Most JSON is parsed by Node itself. Comments are part of some files, such as tsconfig.json.
function isCompilers({ path, text }: ScriptText): boolean {
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

function yamlProblem({ path, text }: ScriptText): SyntaxProblem | undefined {
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

// The parser takes a moment to load, and some commands write none of its files.
async function parseScripts(scripts: readonly ScriptText[]): Promise<readonly (SyntaxProblem | undefined)[]> {
  if (scripts.length === 0) return [];
  const { ts } = await import("ts-morph");
  return scripts.map((script) => scriptProblem(ts, script));
}
