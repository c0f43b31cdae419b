import { type RestConfig, checkNumbers } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { onAbort, whenAborted } from "@kubescaffold/platform/clock";

import { type Cluster, createCluster } from "../manager/cluster.ts";
import type { Manager } from "../manager/manager.ts";
import type { Runnable } from "../manager/runnable.ts";
import { ClusterEngagementRun } from "./cluster-engagement-run.ts";
import { type ClusterProvider, LOCAL_CLUSTER } from "./cluster-provider.ts";
import { ClusterNameTakenError, ClusterNotEngagedError } from "./errors.ts";
import type { EngagedCluster, MultiClusterManager, MultiClusterOptions } from "./multi-cluster-manager.ts";

const DISENGAGE_TIMEOUT_MS = 30_000;

type SetUp = (engaged: EngagedCluster) => Promise<void> | void;

/** The engaged clusters of a manager, as one of its runnables. */
export class EngagedClusters implements MultiClusterManager, Runnable {
  readonly runnableName = "clusters";
  readonly #manager: Manager;
  readonly #options: MultiClusterOptions;
  readonly #setUps: SetUp[] = [];
  readonly #engaged = new Map<string, ClusterEngagementRun>();
  // The ends of disengaged clusters by name, which a cluster of the same name waits for.
  readonly #ends = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #isRunning = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(manager: Manager, options: MultiClusterOptions) {
    checkNumbers("the multi-cluster manager", options, { disengageTimeoutMs: "duration" });
    this.#manager = manager;
    this.#options = options;
    if (options.engageLocalCluster === true) {
      this.#add(LOCAL_CLUSTER, manager, undefined);
    }
  }

  needLeaderElection(): boolean {
    return this.#options.needLeaderElection ?? true;
  }

  getLocalManager(): Manager {
    return this.#manager;
  }

  getCluster(name: string): Omit<Cluster, "start"> {
    const cluster = name === LOCAL_CLUSTER ? this.#manager : this.#engaged.get(name)?.cluster;
    if (cluster === undefined) {
      throw new ClusterNotEngagedError(name);
    }
    return cluster;
  }

  getClusterNames(): readonly string[] {
    return [...this.#engaged.keys()];
  }

  forEachCluster(setUp: SetUp): void {
    this.#setUps.push(setUp);
    for (const engagement of this.#engaged.values()) {
      engagement.setUp(setUp);
    }
  }

  engage(name: string, config: RestConfig): void {
    if (name === LOCAL_CLUSTER || this.#engaged.has(name)) {
      throw new ClusterNameTakenError(name);
    }
    const create = this.#options.newCluster ?? ((_: string, ...parts) => createCluster(...parts));
    const logger = this.#manager.getLogger().withValues({ cluster: name });
    const clock = this.#manager.getClock();
    const observer = this.#manager.getObserver();
    const cluster = create(name, config, {
      logger,
      clock,
      registry: this.#manager.getMetricsRegistry(),
      ...(observer === undefined ? {} : { observer }),
    });
    this.#add(name, cluster, cluster);
  }

  async disengage(name: string): Promise<void> {
    const engagement = this.#engaged.get(name);
    if (engagement !== undefined) {
      this.#engaged.delete(name);
      this.#manager.getLogger().info("disengaging a cluster", { cluster: name });
      const end = engagement.end(this.#options.disengageTimeoutMs ?? DISENGAGE_TIMEOUT_MS);
      const all = handledLater(Promise.all([this.#ends.get(name), end]).then(() => undefined));
      const forget = (): void => {
        if (this.#ends.get(name) === all) {
          this.#ends.delete(name);
        }
      };
      this.#ends.set(name, all);
      void all.then(forget, forget);
    }
    await this.#ends.get(name);
  }

  /** Runs the providers and the clusters until the signal aborts, or until one fails for good. */
  async start(signal: AbortSignal): Promise<void> {
    this.#isRunning = true;
    const forgetSignal = onAbort(signal, () => this.#stopping.abort(signal.reason));
    for (const engagement of this.#engaged.values()) {
      this.#start(engagement);
    }
    const providers = handledLater(
      Promise.all((this.#options.providers ?? []).map(async (provider) => await this.#provide(provider))),
    );
    await whenAborted(this.#stopping.signal);
    // The manager limits the time; it stops the caches of the clusters after this.
    const runs = [...this.#engaged.values()].map(async (engagement) => await engagement.whenRunEnded());
    await Promise.all([providers, ...runs, ...this.#ends.values()]);
    forgetSignal();
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
  }

  async #provide(provider: ClusterProvider): Promise<void> {
    try {
      await provider.start(this, this.#stopping.signal);
    } catch (error) {
      this.#fail(error);
    }
  }

  #add(name: string, cluster: Omit<Cluster, "start">, runnable: Cluster | undefined): void {
    const engagement = new ClusterEngagementRun({
      manager: this.#manager,
      name,
      cluster,
      runnable,
      onFailure: (error) => this.#fail(error),
    });
    this.#setUps.forEach((setUp) => engagement.setUp(setUp));
    this.#engaged.set(name, engagement);
    if (this.#isRunning) {
      this.#start(engagement);
    }
  }

  #start(engagement: ClusterEngagementRun): void {
    engagement.start(this.#stopping.signal, this.#ends.get(engagement.name));
  }

  // The first failure ends the run; later ones are consequences of the stop.
  #fail(error: unknown): void {
    if (!this.#stopping.signal.aborted) {
      this.#failure = { error };
      this.#stopping.abort();
    }
  }
}
