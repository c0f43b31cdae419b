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
