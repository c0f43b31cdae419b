import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when what a controller builder was told does not make a controller. */
export class ControllerBuilderError extends ScaffoldError {
  readonly code = "CONTROLLER_BUILDER_MISUSE";

  constructor(why: string, hint: string) {
    super(`cannot build a controller: ${why}`, { hint });
  }
}
