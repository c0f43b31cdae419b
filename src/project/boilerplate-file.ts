import { headerProblem } from "@kubescaffold/generators/typescript";
import { ScaffoldError } from "@kubescaffold/k8s";

/** The file that holds the comment at the top of every source file; a project without one has no such comment. */
export const BOILERPLATE_FILE = "hack/boilerplate.ts.txt";

/**
 * Thrown when the boilerplate file is not exactly one block comment or a run of line comments.
 *
 * Fix: Put the whole text into one comment.
 */
class BoilerplateError extends ScaffoldError {
  readonly code = "PROJECT_BOILERPLATE";
  constructor(place: string, problem: string) {
    super(`cannot use ${place}: ${problem}`, {
      hint: "put the text in one comment from /* to */, or start every line with //; nothing was written",
    });
  }
}

/**
 * Returns the comment at the top of new source files, with an empty line after it; nothing for an empty text.
 *
 * Guarantees: the lines end in line feeds, whatever line ends a checkout gave the file. Fails: `BoilerplateError` for a text that is not
 * exactly one comment.
 */
export function headerOf(text: string, file: string = BOILERPLATE_FILE): string {
  const problem = headerProblem(text);
  if (problem !== undefined) throw new BoilerplateError(`${file}:${problem.line}:${problem.column}`, problem.message);
  const comment = text.trim().replaceAll("\r\n", "\n");
  return comment === "" ? "" : `${comment}\n\n`;
}
