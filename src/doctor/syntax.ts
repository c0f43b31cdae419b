import type { FileTree } from "../machinery/file-tree.ts";
import { syntaxProblem } from "../machinery/syntax/check-syntax.ts";
import type { Finding } from "./project-files.ts";

/** Returns which files of a project cannot be read any more: neither kustomize nor the compiler could. */
export async function diagnoseSyntax(tree: FileTree, paths: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of new Set(paths)) {
    const text = tree.read(path);
    // Every tool of the project reads it, so that it is reported there.
    if (text === undefined || path === "package.json") continue;
    const problem = await syntaxProblem(path, text);
    if (problem === undefined) continue;
    const { language, line, reason } = problem;
    findings.push({
      severity: "error",
      path,
      line,
      message: `it is not valid ${language}: ${reason}`,
      hint: "fix it, or restore it from version control",
    });
  }
  return findings;
}
