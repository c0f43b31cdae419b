import { BrokenSyntaxError } from "../errors.ts";
import { type FileAction, withLineFeeds, withoutByteOrderMark } from "../file-tree.ts";
import { isParsedByCompiler, isYaml, problemOf, type SourceText, type SyntaxProblem } from "./syntax-problem.ts";
import { problemsOfThread } from "./syntax-thread.ts";

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
  const found = (await problemsOfThread(parsed)) ?? (await parseHere(parsed));
  return texts.map((each) => found[parsed.indexOf(each)]);
}

// The compiler takes a moment to load, and some commands write nothing that it parses.
async function parseHere(files: readonly SourceText[]): Promise<readonly (SyntaxProblem | undefined)[]> {
  const compiler = files.some(isParsedByCompiler) ? await import("ts-morph") : undefined;
  return files.map((file) => problemOf(() => (compiler as NonNullable<typeof compiler>).ts, file));
}
