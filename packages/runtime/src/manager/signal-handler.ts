import { ManagerSignalHandlerError } from "./errors.ts";

let isSetUp = false;

/**
 * Returns a signal that aborts on SIGINT or SIGTERM; a second one exits the process immediately with status 1.
 *
 * Fails: {@link ManagerSignalHandlerError} when it is called twice.
 *
 * controller-runtime: pkg/manager/signals.SetupSignalHandler
 */
export function setupSignalHandler(): AbortSignal {
  if (isSetUp) {
    throw new ManagerSignalHandlerError();
  }
  isSetUp = true;
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      process.exit(1);
    }
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return controller.signal;
}
