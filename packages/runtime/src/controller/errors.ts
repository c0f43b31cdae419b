import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown when a controller's sources did not sync within the timeout. */
export class ControllerSyncTimeoutError extends ScaffoldError {
  readonly code = "CONTROLLER_SYNC_TIMEOUT";

  constructor(
    controller: string,
    details: { readonly source: string; readonly timeoutMs: number; readonly cause: unknown },
  ) {
    const { source, timeoutMs, cause } = details;
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    super(`controller ${controller} cannot start: ${source} did not sync within ${String(timeoutMs)} ms${why}`, {
      hint: "check that the kind is installed and that the program's role allows to list and watch it, or increase cacheSyncTimeoutMs",
      cause,
    });
  }
}

/** Thrown when two controllers of a process have the same name. */
export class ControllerNameTakenError extends ScaffoldError {
  readonly code = "CONTROLLER_NAME_TAKEN";

  constructor(name: string) {
    super(`a controller named ${name} exists already`, {
      hint: "give each controller a unique name with named(), or set skipNameValidation",
    });
  }
}

/** Thrown when a controller is started a second time. */
export class ControllerStartedTwiceError extends ScaffoldError {
  readonly code = "CONTROLLER_STARTED_TWICE";

  constructor(name: string) {
    super(`cannot start controller ${name}: it has already been started`);
  }
}

/** Thrown when a controller is created without a name. */
export class ControllerNameMissingError extends ScaffoldError {
  readonly code = "CONTROLLER_NAME_MISSING";

  constructor() {
    super("cannot create a controller without a name");
  }
}
