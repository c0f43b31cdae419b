import { isInstance, messageOf, ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a source did not sync within `cacheSyncTimeoutMs`; the message contains the kind and the last error.
 *
 * Fix: Check that the kind is installed and that the role has permission to list and watch it.
 */
export class ControllerSyncTimeoutError extends ScaffoldError {
  readonly code = "CONTROLLER_SYNC_TIMEOUT";

  constructor(
    controller: string,
    details: { readonly source: string; readonly timeoutMs: number; readonly cause: unknown },
  ) {
    const { source, timeoutMs, cause } = details;
    const why = isInstance(cause, Error) ? `: ${messageOf(cause)}` : "";
    super(`controller ${controller} cannot start: ${source} did not sync within ${String(timeoutMs)} ms${why}`, {
      hint: "check that the kind is installed and that the program's role allows to list and watch it, or increase cacheSyncTimeoutMs",
      cause,
    });
  }
}

/**
 * Thrown when two controllers in the process have the same name, so their metrics would collide.
 *
 * Fix: Set names with `named()`, or set `skipNameValidation`.
 */
export class ControllerNameTakenError extends ScaffoldError {
  readonly code = "CONTROLLER_NAME_TAKEN";

  constructor(name: string) {
    super(`a controller named ${name} already exists`, {
      hint: "give each controller a unique name with named(), or set skipNameValidation",
    });
  }
}

/**
 * Thrown when a controller was started a second time.
 *
 * Fix: Start it once, or let the manager start it.
 */
export class ControllerStartedTwiceError extends ScaffoldError {
  readonly code = "CONTROLLER_STARTED_TWICE";

  constructor(name: string) {
    super(`cannot start controller ${name}: it has already been started`);
  }
}

/**
 * Thrown when a controller was created without a name.
 *
 * Fix: Set a name.
 */
export class ControllerNameMissingError extends ScaffoldError {
  readonly code = "CONTROLLER_NAME_MISSING";

  constructor() {
    super("cannot create a controller without a name");
  }
}
