import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  createManager,
  createPinoLogger,
  interceptedClient,
  type KindRef,
  LeaderElectionExpiredError,
  type Manager,
  metrics,
  silentLogger,
} from "@kubescaffold/runtime";

import type { Chaos } from "../../../src/chaos/chaos.ts";
import { FLEET, NAMESPACE, setupFleets } from "./fleet.ts";
import { ObservedObjects } from "./observed-objects.ts";

/** The kinds that each manager caches. */
export const CACHED_KINDS: readonly KindRef<KubernetesObject>[] = [
  FLEET,
  ConfigMap,
  Secret,
] as readonly KindRef<KubernetesObject>[];

/** A manager that runs, and the notifications of its informers. */
export interface RunningManager {
  readonly manager: Manager;
  readonly observed: ReadonlyMap<KindRef<KubernetesObject>, ObservedObjects>;
}

/** One run of a manager, which ends with a lost lease, a failure, or a stop, as a process does. */
export interface ManagerRun {
  /** The name of the process. */
  readonly process: string;
  /** The times at which writes started. */
  readonly writes: number[];
  /** The time at which the run ended; undefined while it continues. */
  endedAt: number | undefined;
}

const ELECTION = {
  leaderElection: true,
  leaderElectionId: "fleets.chaos.example.com",
  leaderElectionNamespace: NAMESPACE,
} as const;

// A request that hangs would stop a worker until the end of the faults.
const REQUEST_LIMIT_MS = 10_000;
const RESTART_MS = 20;

/** What a manager reaches the server through, and its clock. */
export type ProcessNetwork = Pick<Chaos, "restConfig" | "clock" | "pause" | "resume" | "heal">;

/** The time that the writes of all managers are ordered by. */
export interface CommonTime {
  /** Returns milliseconds. */
  readonly now: () => number;
  /** Waits for a number of milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

const REAL_TIME: CommonTime = {
  now: () => performance.now(),
  wait: async (ms) => {
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  },
};

/** A manager that is restarted whenever it ends, as a Deployment restarts its Pod. */
export class ManagerProcess {
  readonly name: string;
  readonly runs: ManagerRun[] = [];
  readonly failures: Map<string, number> = new Map();
  /** The notifications of all informers of all runs. */
  readonly observed: ObservedObjects[] = [];
  /** The running manager, and what its informers have notified of; undefined between runs. */
  running: RunningManager | undefined;
  readonly #network: ProcessNetwork;
  readonly #time: CommonTime;
  readonly #done = new AbortController();
  #kill = new AbortController();
  #isHealed = false;
  #loop: Promise<void> | undefined;

  constructor(name: string, network: ProcessNetwork, time: CommonTime = REAL_TIME) {
    this.name = name;
    this.#network = network;
    this.#time = time;
  }

  start(): void {
    this.#loop = this.#runUntilStopped();
  }

  /** Ends the faults of the process. */
  async heal(): Promise<void> {
    this.#isHealed = true;
    await this.#network.heal();
  }

  /** Stops the manager without releasing its lease; it is restarted. */
  kill(): void {
    this.#kill.abort();
  }

  /** Stops the manager for good. */
  async stop(): Promise<void> {
    this.#done.abort();
    this.#kill.abort();
    await this.#loop;
  }

  async #runUntilStopped(): Promise<void> {
    while (!this.#done.signal.aborted) {
      this.#kill = new AbortController();
      const run: ManagerRun = { process: this.name, writes: [], endedAt: undefined };
      this.runs.push(run);
      try {
        await this.#run(run, this.#kill.signal);
      } catch (error) {
        const name = error instanceof Error ? error.name : String(error);
        this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
      }
      run.endedAt = this.#time.now();
      this.running = undefined;
      await this.#time.wait(RESTART_MS);
    }
  }

  async #run(run: ManagerRun, signal: AbortSignal): Promise<void> {
    const manager = await createManager(
      { ...this.#network.restConfig, timeoutMs: REQUEST_LIMIT_MS },
      {
        ...ELECTION,
        leaderElectionReleaseOnCancel: this.name === "a",
        clock: this.#network.clock,
        logger:
          process.env["KUBESCAFFOLD_CHAOS_LOG"] === "true"
            ? createPinoLogger({ development: true }).withName(this.name)
            : silentLogger,
        metrics: { bindAddress: "0", registry: metrics.createMetricsRegistry() },
        controller: { skipNameValidation: true, maxConcurrentReconciles: 2 },
      },
    );
    // A program whose setup fails exits, which would be most of what happens.
    this.#network.pause();
    await setupFleets(manager, recordingClient(manager.getClient(), run, this.#time));
    // A standby caches, too; the informer of Secrets starts with the first read otherwise.
    const observed = CACHED_KINDS.map((kind) => ({ kind, objects: new ObservedObjects(kind.kind) }));
    for (const { kind, objects } of observed) {
      const informer = await manager.getCache().getInformer(kind, { blockUntilSynced: false });
      informer.addEventHandler(objects);
    }
    this.observed.push(...observed.map(({ objects }) => objects));
    if (!this.#isHealed) this.#network.resume();
    if (signal.aborted) return;
    this.running = { manager, observed: new Map(observed.map(({ kind, objects }) => [kind, objects])) };
    await manager.start(signal);
  }
}

// Records when a write that is sent starts; a process that has ended cannot write.
function recordingClient(client: Client, run: ManagerRun, time: CommonTime): Client {
  const write = async <T>(send: () => Promise<T>): Promise<T> => {
    if (run.endedAt !== undefined) throw new Error("the process has ended");
    const startedAt = time.now();
    run.writes.push(startedAt);
    try {
      return await send();
    } catch (error) {
      if (isRefused(error)) run.writes.splice(run.writes.indexOf(startedAt), 1);
      throw error;
    }
  };
  return interceptedClient(client, {
    client: (inner) => ({
      create: (object, options) => write(() => inner.create(object, options)),
      update: (object, options) => write(() => inner.update(object, options)),
      delete: (object, options) => write(() => inner.delete(object, options)),
    }),
    subResource: (inner) => ({
      update: (object, options) => write(() => inner.update(object, options)),
    }),
  });
}

// A leader whose lease has expired does not send its writes.
function isRefused(error: unknown): boolean {
  return error instanceof LeaderElectionExpiredError;
}
