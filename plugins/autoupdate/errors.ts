import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the autoupdate plugin was added to a project without `cliVersion` in PROJECT.
 *
 * Fix: Set `cliVersion` in PROJECT, or run `alpha generate`, which sets it.
 */
export class MissingVersionError extends ScaffoldError {
  readonly code = "AUTOUPDATE_NO_VERSION";
  constructor() {
    super("cannot add updates to a project whose PROJECT does not say which version made it", {
      hint: "write the version into PROJECT as cliVersion, or run `npx scaffold alpha generate`, which does",
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
      `cannot add updates to a project with cliVersion ${JSON.stringify(version)} in PROJECT: it is not an exact version of three numbers, such as 0.2.0`,
      {
        hint: "write the version that scaffolded the project into PROJECT, or run `npx scaffold alpha generate`, which does",
      },
    );
  }
}
