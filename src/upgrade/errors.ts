import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when `alpha update` cannot start or cannot write its result: uncommitted changes, a missing branch, no version in PROJECT, or a branch that already
 * exists; the project is unchanged.
 *
 * Fix: Follow the hint.
 */
export class UpdateRefusedError extends ScaffoldError {
  readonly code = "CLI_UPDATE_REFUSED";
}

/**
 * Thrown when the new scaffold and the project changed the same lines; the branch in the message contains the merge with conflict markers.
 *
 * Fix: Resolve the conflicts on that branch, or pass `--force` to accept the merge with its conflict markers.
 */
export class UpdateConflictError extends ScaffoldError {
  readonly code = "CLI_UPDATE_CONFLICT";
  constructor(files: readonly string[], branch: string) {
    const list = files.map((file) => `\n  ${file}`).join("");
    super(`cannot merge the new scaffold without conflicts, which are in:${list}`, {
      hint: `the branch ${branch} contains the merge with conflict markers: resolve them and amend the commit, or pass --force to accept them; your branch was not changed`,
    });
  }
}

/**
 * Thrown when `alpha update` cannot install or run the version that scaffolded the project; nothing was changed.
 *
 * Fix: Pass the packed program of that version with `--from-tarball`.
 */
export class FormerProgramError extends ScaffoldError {
  readonly code = "CLI_FORMER_PROGRAM";
}
