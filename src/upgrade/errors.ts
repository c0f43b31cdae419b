import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when `alpha update` cannot begin or cannot write its result: changes that git does not have, no such branch, no version in
 * PROJECT, a branch that exists; the project is as it was.
 *
 * Fix: The hint says which, and the way out.
 */
export class UpdateRefusedError extends ScaffoldError {
  readonly code = "CLI_UPDATE_REFUSED";
}

/**
 * Thrown when the new scaffold and the project changed the same lines; the named branch holds the merge with its conflict markers.
 *
 * Fix: Resolve them on that branch, or pass `--force` to take the merge as it is.
 */
export class UpdateConflictError extends ScaffoldError {
  readonly code = "CLI_UPDATE_CONFLICT";
  constructor(files: readonly string[], branch: string) {
    const list = files.map((file) => `\n  ${file}`).join("");
    super(`cannot merge the new scaffold without conflicts, which are in:${list}`, {
      hint: `the branch ${branch} holds the merge with its conflict markers: resolve them there and amend the commit, or pass --force to take it as the result; your branch is as it was`,
    });
  }
}

/**
 * Thrown when `alpha update` cannot install or run the version of the program that made the project.
 *
 * Fix: Pass `--from-tarball` with the packed program of that version; nothing was changed.
 */
export class FormerProgramError extends ScaffoldError {
  readonly code = "CLI_FORMER_PROGRAM";
}
