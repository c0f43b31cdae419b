import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the autoupdate plugin was added to a project without `cliVersion` in PROJECT.
 *
 * Fix: Set `cliVersion` in PROJECT, or run `alpha generate`, which sets it.
 */
export class MissingVersionError extends ScaffoldError {
  readonly code = "AUTOUPDATE_NO_VERSION";
  constructor() {
    super("cannot add the update workflow: PROJECT has no cliVersion", {
      hint: "add cliVersion to PROJECT, or run `npx scaffold alpha generate`, which adds it",
    });
  }
}

/**
 * Thrown when the autoupdate plugin was added to a project whose `cliVersion` in PROJECT is not an exact version.
 *
 * Fix: Set `cliVersion` to the version that scaffolded the project, such as `0.1.0`, or run `alpha generate`, which sets it.
 */
export class InexactVersionError extends ScaffoldError {
  readonly code = "AUTOUPDATE_INEXACT_VERSION";
  constructor(version: string) {
    super(
      `cannot add the update workflow: cliVersion ${JSON.stringify(version)} in PROJECT is not an exact version such as 0.2.0`,
      {
        hint: "set cliVersion in PROJECT to the version that scaffolded the project, or run `npx scaffold alpha generate`, which sets it",
      },
    );
  }
}
