import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when PROJECT does not say which version made the project, from which an update starts. */
export class MissingVersionError extends ScaffoldError {
  readonly code = "AUTOUPDATE_NO_VERSION";
  constructor() {
    super("cannot add updates to a project whose PROJECT does not say which version made it", {
      hint: "write the version into PROJECT as cliVersion, or run `npx scaffold alpha generate`, which does",
    });
  }
}

/** Is thrown when the version in PROJECT is not exact, so that the workflow could run another program than the one that made the project. */
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
