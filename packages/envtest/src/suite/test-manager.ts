import { isForbidden, type RestConfig, type StatusError } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, patientClock } from "@kubescaffold/platform/clock";
import {
  type Client,
  createLogger,
  createManager,
  createPinoLogger,
  type Logger,
  type Manager,
  type ManagerOptions,
} from "@kubescaffold/runtime";

import { EVENTUALLY_INTERVAL_MS } from "../eventually/eventually.ts";
import { poll, type PollingOptions } from "../eventually/polling.ts";
import { ManagerForbiddenError } from "../failures/errors.ts";

/** Adds controllers or webhooks to a manager before it starts. */
export type ManagerSetup = (mgr: Manager) => Promise<void> | void;

/** Options of a manager that a test starts. */
export interface TestManagerOptions {
  /**
   * The clock of the manager. With the embedded server, it can only be the environment's, so that server and manager agree on the time. Default: the clock of
   * the environment.
   */
  readonly clock?: Clock;
}

/** A manager that a test has started. */
export interface TestManager {
  /** The manager's client: it reads from the cache, with the indexes that controllers have added. */
  readonly client: Client;
  /**
   * Repeats an assertion until it passes, every 20 ms by default, for up to 20 seconds by default.
   *
   * Fails: with the last error of the assertion; at once with {@link ManagerForbiddenError} when the manager lacks a permission, or with the
   * error that has stopped it.
   */
  readonly eventually: (assertion: () => unknown, options?: PollingOptions) => Promise<void>;
  /** Stops the manager. Fails: with the error that has stopped it. */
  readonly stop: () => Promise<void>;
}

const EVENTUALLY_TIMEOUT_MS = 20_000;

/** Starts a manager for a test, without leader election and metrics. */
export async function startTestManager(
  config: RestConfig,
  setup: ManagerSetup,
  options: { readonly clock: Clock },
): Promise<TestManager> {
  const failure = new AbortController();
  const logger = failingLogger((error) => failure.abort(error));
  const { mgr, running, stop } = await startManager(config, setup, { ...options, logger });
  running.catch((error: unknown) => failure.abort(error));
  return {
    client: mgr.getClient(),
    eventually: (assertion, { signal, ...polling } = {}) =>
      passing(assertion, {
        ...polling,
        signal: signal === undefined ? failure.signal : AbortSignal.any([failure.signal, signal]),
      }),
    stop,
  };
}

/** A manager, and how it ends. */
export interface RunningManager {
  readonly mgr: Manager;
  readonly running: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a manager without leader election and metrics. Several tests of one process may start the same controllers. */
export async function startManager(
  config: RestConfig,
  setup: ManagerSetup,
  options: Pick<ManagerOptions, "certificates" | "healthProbeBindAddress" | "webhook"> & {
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Promise<RunningManager> {
  const mgr = await createManager(config, {
    ...options,
    // A jump of an hour must not time out each request that is in flight.
    requestClock: patientClock(options.clock),
    leaderElection: false,
    metrics: { bindAddress: "0" },
    controller: { skipNameValidation: true },
  });
  await setup(mgr);
  const stopping = new AbortController();
  const running = handledLater(mgr.start(stopping.signal));
  return {
    mgr,
    running,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

// Prints errors, and reports those that a permission would prevent.
function failingLogger(report: (error: ManagerForbiddenError) => void): Logger {
  const printer = createPinoLogger({ errorsOnly: true, development: true });
  return createLogger({
    isEnabled: () => false,
    write: ({ name, error, message, fields }) => {
      printer.withName(name).error(error, message, fields);
      if (isForbidden(error) && (error as StatusError).hint !== undefined)
        report(new ManagerForbiddenError(error as StatusError));
    },
  });
}

async function passing(assertion: () => unknown, options: PollingOptions): Promise<void> {
  const { last } = await poll<{ readonly error?: unknown }>(
    async () => {
      try {
        await assertion();
        return {};
      } catch (error) {
        return { error };
      }
    },
    (state) => !("error" in state),
    { timeoutMs: EVENTUALLY_TIMEOUT_MS, intervalMs: EVENTUALLY_INTERVAL_MS, ...options },
  );
  if (last === undefined) throw new Error("the assertion did not end");
  if ("error" in last) throw last.error;
}
