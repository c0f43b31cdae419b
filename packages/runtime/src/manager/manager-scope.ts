import { type Clock, onAbort, sleep, whenAborted } from "@kubescaffold/platform/clock";

import { withCallScope } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { isProgrammingError } from "../reconcile/programming-error.ts";
import type { Cluster } from "./cluster.ts";
import { ManagerTooLateError } from "./errors.ts";
import type { ControllerDefaults, Manager } from "./manager.ts";
import type { Runnable } from "./runnable.ts";

/** Options of a {@link ManagerScope}. */
export interface ManagerScopeOptions {
  /** The manager of the process. */
  readonly manager: Manager;
  /** The name of the scope in messages. */
  readonly name: string;
  /** The clients and the cache of the scope. */
  readonly cluster: Omit<Cluster, "start">;
  /** The logger of the scope. */
  readonly log: Logger;
  /** The default settings of the scope's controllers. */
  readonly controller: ControllerDefaults;
}

/** A part of a manager whose runnables start and end while the manager runs. */
export class ManagerScope {
  /** The manager's view of the scope: its clients and cache are those of the scope, and its runnables end with the scope. */
  readonly manager: Manager;
  readonly #name: string;
  readonly #waiting: Runnable[] = [];
  #start: ((runnable: Runnable) => void) | undefined;
  #hasEnded = false;

  constructor(options: ManagerScopeOptions) {
    const { manager, cluster, log, controller } = options;
    this.#name = options.name;
    this.manager = {
      ...methodsOf(cluster),
      add: (runnable) => this.#add(typeof runnable === "function" ? { start: runnable } : runnable),
      elected: manager.elected,
      addHealthzCheck: (name, check) => manager.addHealthzCheck(name, check),
      addReadyzCheck: (name, check) => manager.addReadyzCheck(name, check),
      addMetricsServerExtraHandler: (path, handler) => manager.addMetricsServerExtraHandler(path, handler),
      start: async (signal) => await manager.start(signal),
      getWebhookServer: () => manager.getWebhookServer(),
      getControllerOptions: () => controller,
      getMetricsRegistry: () => manager.getMetricsRegistry(),
      getObserver: () => manager.getObserver(),
      getClock: () => manager.getClock(),
      getLogger: () => log,
      ports: manager.ports,
    };
  }

  /** Runs the runnables until the signal aborts, or until one fails; resolves when all have ended. Fails: with the first failure. */
  async run(signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const forgetSignal = onAbort(signal, () => ending.abort(signal.reason));
    const running = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    this.#start = (runnable) => {
      const work = runEnding(runnable, ending.signal)
        .catch((error: unknown) => {
          failure ??= { error };
          ending.abort();
        })
        .finally(() => running.delete(work));
      running.add(work);
    };
    this.#waiting.splice(0).forEach(this.#start);
    await whenAborted(ending.signal);
    this.#hasEnded = true;
    await Promise.all(running);
    forgetSignal();
    if (failure !== undefined) {
      throw failure.error;
    }
  }

  #add(runnable: Runnable): void {
    if (this.#hasEnded) {
      throw new ManagerTooLateError(`a runnable to ${this.#name}`, "is stopping");
    }
    if (this.#start === undefined) {
      this.#waiting.push(runnable);
    } else {
      this.#start(runnable);
    }
  }
}

// Passing on the reason of the stop is how a runnable ends.
async function runEnding(runnable: Runnable, signal: AbortSignal): Promise<void> {
  try {
    await runnable.start(signal);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) {
      throw error;
    }
  }
}

function methodsOf(cluster: Omit<Cluster, "start">): Omit<Cluster, "start" | "getLogger"> {
  return {
    getConfig: () => cluster.getConfig(),
    getCache: () => cluster.getCache(),
    getClient: () => cluster.getClient(),
    getApiReader: () => cluster.getApiReader(),
    getFieldIndexer: () => cluster.getFieldIndexer(),
    getRestMapper: () => cluster.getRestMapper(),
    getEventRecorder: (name) => cluster.getEventRecorder(name),
  };
}

const SHORTEST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Options of {@link keepRunning}. */
export interface KeepRunningOptions {
  /** Returns a new scope for each attempt. */
  readonly newScope: () => ManagerScope;
  /** Adds the runnables of the scope. */
  readonly setUp: (manager: Manager) => Promise<void> | void;
  /** Ends the run. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Sets up a scope and runs it until the signal aborts. A failure is logged, and the scope is set up again after 1 second to 1 minute.
 *
 * Fails: with a programming error, which no retry fixes.
 */
export async function keepRunning(options: KeepRunningOptions): Promise<void> {
  const { signal, clock, log } = options;
  let delayMs = SHORTEST_RETRY_MS;
  while (!signal.aborted) {
    const startedAt = clock.monotonic();
    try {
      const scope = options.newScope();
      await withCallScope({ signal, log }, async () => await options.setUp(scope.manager));
      await scope.run(signal);
    } catch (error) {
      if (!signal.aborted) {
        if (isProgrammingError(error)) {
          throw error;
        }
        delayMs = clock.monotonic() - startedAt > LONGEST_RETRY_MS ? SHORTEST_RETRY_MS : delayMs;
        log.error(error, "a runnable failed, restarting it", { afterMs: delayMs });
      }
    }
    await sleep(clock, delayMs, signal).catch(() => undefined);
    delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS);
  }
}
