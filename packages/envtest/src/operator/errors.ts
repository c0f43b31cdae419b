import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown when a folder has not the manifests that an operator's project has. */
export class NotAnOperatorError extends ScaffoldError {
  readonly code = "ENVTEST_NOT_AN_OPERATOR";

  constructor(file: string, cause: unknown) {
    super(`cannot read the operator's manifests: ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      hint: "name the folder of a project made by `kubescaffold init`, and run `scaffold manifests` in it first",
    });
  }
}
