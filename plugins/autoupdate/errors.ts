import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when updates were asked for in a project whose PROJECT does not say which version made it.
 *
 * Fix: Write `cliVersion` into PROJECT, or run `alpha generate`, which does.
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
 * Thrown when updates were asked for in a project whose `cliVersion` in PROJECT is not an exact version.
 *
 * Fix: Write the version that scaffolded the project into PROJECT, such as `0.1.0`, or run `alpha generate`, which does.
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
