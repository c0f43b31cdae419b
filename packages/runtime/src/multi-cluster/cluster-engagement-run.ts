import { onAbort, sleep } from "@kubescaffold/platform/clock";

import type { Logger } from "../log/logger.ts";
import { type Cluster, stoppableCluster } from "../manager/cluster.ts";
import { keepRunning, ManagerScope } from "../manager/manager-scope.ts";
import type { Manager } from "../manager/manager.ts";
import type { EngagedCluster } from "./multi-cluster-manager.ts";

type SetUp = (engaged: EngagedCluster) => Promise<void> | void;

/** Options of a {@link ClusterEngagementRun}. */
export interface ClusterEngagementOptions {
  readonly manager: Manager;
  readonly name: string;
  readonly cluster: Omit<Cluster, "start">;
  /** The cluster as a runnable; undefined for that of the manager. */
  readonly runnable: Cluster | undefined;
  /** Receives failures that no retry fixes. */
  readonly onFailure: (error: unknown) => void;
}

/** The run of one engaged cluster: its cache, and what was set up for it. */
export class ClusterEngagementRun {
  readonly name: string;
  readonly cluster: Omit<Cluster, "start">;
  readonly #options: ClusterEngagementOptions;
  readonly #log: Logger;
  // Aborts first, and ends reconciles; then the cache and the connections end.
  readonly #disengaging = new AbortController();
  readonly #closing = new AbortController();
  readonly #setUps: SetUp[] = [];
  readonly #runs = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;
  #started: Promise<void> = Promise.resolve();
  #isStarted = false;

  constructor(options: ClusterEngagementOptions) {
    this.name = options.name;
    this.cluster = options.cluster;
    this.#options = options;
    this.#log = options.manager.getLogger().withValues({ cluster: options.name });
  }

  /** Sets up the cluster as soon as it runs. */
  setUp(setUp: SetUp): void {
    this.#setUps.push(setUp);
    if (this.#isStarted) {
      this.#run(setUp);
    }
  }

  /** Starts the cluster after the end of its predecessor; it ends with the signal. */
  start(signal: AbortSignal, predecessor: Promise<void> | undefined): void {
    const forgetSignal = onAbort(signal, () => this.#disengaging.abort(signal.reason));
    onAbort(this.#disengaging.signal, forgetSignal);
    this.#started = this.#startAfter(predecessor).catch(this.#options.onFailure);
  }

  /** Resolves when everything that was set up has ended, after the signal of {@link start} has aborted. */
  async whenRunEnded(): Promise<void> {
    await this.#started;
    await Promise.all(this.#runs);
    // The manager stops the clusters that have started.
    if (this.#closed === undefined) {
      await this.#close();
    }
  }

  /** Ends the cluster; resolves when all has ended, or after the timeout and the end of its connections. */
  async end(timeoutMs: number): Promise<void> {
    this.#disengaging.abort();
    const timer = new AbortController();
    const isInTime = await Promise.race([
      this.whenRunEnded().then(() => true),
      sleep(this.#options.manager.getClock(), timeoutMs, timer.signal).then(
        () => false,
        () => true,
      ),
    ]);
    timer.abort();
    if (!isInTime) {
      this.#log.error(undefined, "a disengaged cluster did not end its reconciles in time, closing its connections", {
        timeoutMs,
      });
    }
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    // A cluster that was never started may have been used; starting it with an aborted signal closes its connections.
    this.#closed ??= this.#options.runnable?.start(this.#closing.signal);
    await this.#closed;
  }

  async #startAfter(predecessor: Promise<void> | undefined): Promise<void> {
    await predecessor;
    if (this.#disengaging.signal.aborted) {
      return;
    }
    const { runnable, manager } = this.#options;
    if (runnable !== undefined) {
      const stoppable = stoppableCluster(runnable, this.#closing.signal);
      this.#closed = stoppable.ended;
      manager.add(stoppable.runnable);
    }
    this.#log.info("engaging a cluster");
    this.#isStarted = true;
    this.#setUps.forEach((setUp) => this.#run(setUp));
  }

  #run(setUp: SetUp): void {
    const { manager, cluster, name, onFailure } = this.#options;
    const run = keepRunning({
      signal: this.#disengaging.signal,
      clock: manager.getClock(),
      log: this.#log,
      newScope: () =>
        new ManagerScope({
          manager,
          name: `the cluster ${JSON.stringify(name)}`,
          cluster,
          log: this.#log,
          controller: { ...manager.getControllerOptions(), skipNameValidation: true },
        }),
      setUp: async (scoped) => await setUp({ name, cluster, manager: scoped }),
    })
      .catch(onFailure)
      .finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }
}
