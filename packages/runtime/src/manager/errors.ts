import { messageOf, ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a manager was started a second time.
 *
 * Fix: Create a new manager.
 */
export class ManagerStartedTwiceError extends ScaffoldError {
  readonly code = "MANAGER_STARTED_TWICE";

  constructor() {
    super("cannot start the manager: it has already been started", { hint: "create a new manager" });
  }
}

/**
 * Thrown when something was added to a manager that is stopping, or a health check to one that has started.
 *
 * Fix: Add it earlier.
 */
export class ManagerTooLateError extends ScaffoldError {
  readonly code = "MANAGER_TOO_LATE";

  constructor(what: string, state: "has started" | "is stopping") {
    super(`cannot add ${what}: the manager ${state}`);
  }
}

/**
 * Thrown when runnables did not stop within `gracefulShutdownTimeoutMs`; the message lists them.
 *
 * Fix: Stop them when their signal aborts.
 */
export class ManagerShutdownTimeoutError extends ScaffoldError {
  readonly code = "MANAGER_SHUTDOWN_TIMEOUT";

  constructor(timeoutMs: number, running: readonly string[]) {
    super(`the manager did not stop within ${String(timeoutMs)} ms; still running: ${running.join(", ")}`, {
      hint: "stop reconcilers and runnables when their signal aborts, or increase gracefulShutdownTimeoutMs",
    });
  }
}

/**
 * Thrown when the manager failed and then did not stop cleanly; the cause contains both errors.
 *
 * Fix: See the errors.
 */
export class ManagerStopError extends ScaffoldError {
  readonly code = "MANAGER_STOP_FAILED";

  constructor(runError: unknown, stopError: unknown) {
    super(`the manager failed and did not stop cleanly: ${messageOf(runError)}; ${messageOf(stopError)}`, {
      cause: new AggregateError([runError, stopError]),
    });
  }
}

/**
 * Thrown when a cache did not sync while the manager was starting.
 *
 * Fix: Check the log for failed lists and watches.
 */
export class ManagerCacheSyncError extends ScaffoldError {
  readonly code = "MANAGER_CACHE_NOT_SYNCED";

  constructor() {
    super("the manager stopped before its caches had synced");
  }
}

/**
 * Thrown when the server for metrics or health probes cannot listen on its address.
 *
 * Fix: Use another address, or `0` to disable the server.
 */
export class ManagerListenError extends ScaffoldError {
  readonly code = "MANAGER_LISTEN";

  constructor(server: string, address: string, cause: unknown) {
    super(`cannot serve ${server} on ${address}: ${messageOf(cause)}`, {
      cause,
      hint: "use another address, or 0 to disable the server",
    });
  }
}

/**
 * Thrown when an address is neither `host:port` nor `:port`.
 *
 * Fix: Use one of these forms, or `0` to disable the server.
 */
export class ManagerAddressError extends ScaffoldError {
  readonly code = "MANAGER_BAD_ADDRESS";

  constructor(address: string) {
    super(`cannot listen on ${JSON.stringify(address)}: it is not an address`, {
      hint: "use host:port or :port, or 0 to disable the server",
    });
  }
}

/**
 * Thrown when two handlers were added for the same path of the metrics server.
 *
 * Fix: Use another path; `/metrics` is reserved.
 */
export class ManagerMetricsPathError extends ScaffoldError {
  readonly code = "MANAGER_METRICS_PATH_TAKEN";

  constructor(path: string) {
    super(`cannot serve ${path} on the metrics server: the path is already in use`);
  }
}

/**
 * Thrown when `setupSignalHandler` was called twice.
 *
 * Fix: Reuse the signal of the first call.
 */
export class ManagerSignalHandlerError extends ScaffoldError {
  readonly code = "MANAGER_SIGNAL_HANDLER_TWICE";

  constructor() {
    super("cannot set up the signal handler: it has already been set up");
  }
}
