import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when `alpha update` cannot begin, or cannot write its result; nothing of the project was changed. */
export class UpdateRefusedError extends ScaffoldError {
  readonly code = "CLI_UPDATE_REFUSED";
}

/** Is thrown when the new scaffold and the project changed the same lines. */
export class UpdateConflictError extends ScaffoldError {
  readonly code = "CLI_UPDATE_CONFLICT";
  constructor(files: readonly string[], branch: string) {
    const list = files.map((file) => `\n  ${file}`).join("");
    super(`cannot merge the new scaffold without conflicts, which are in:${list}`, {
      hint: `the branch ${branch} holds the merge with its conflict markers: resolve them there and amend the commit, or pass --force to take it as the result; your branch is as it was`,
    });
  }
}

/** Is thrown when the version of the program that made a project cannot be had, or does not run. */
export class FormerProgramError extends ScaffoldError {
  readonly code = "CLI_FORMER_PROGRAM";
}
