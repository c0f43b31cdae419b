import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  createManager,
  createPinoLogger,
  interceptedClient,
  type KindRef,
  type Manager,
  metrics,
  silentLogger,
} from "@kubescaffold/runtime";

import type { Chaos } from "../../../src/chaos/chaos.ts";
import { FLEET, NAMESPACE, setupFleets } from "./fleet.ts";

/** The kinds that each manager caches. */
export const CACHED_KINDS: readonly KindRef<KubernetesObject>[] = [
  FLEET,
  ConfigMap,
  Secret,
] as readonly KindRef<KubernetesObject>[];

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

const RESTART_MS = 20;
const STOP_LIMIT_MS = 10_000;

/** A manager that is restarted whenever it ends, as a Deployment restarts its Pod. */
export class ManagerProcess {
  readonly name: string;
  readonly runs: ManagerRun[] = [];
  readonly failures: Map<string, number> = new Map();
  /** The running manager; undefined between runs. */
  manager: Manager | undefined;
  readonly #chaos: Chaos;
  readonly #done = new AbortController();
  #kill = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(name: string, chaos: Chaos) {
    this.name = name;
    this.#chaos = chaos;
  }

  start(): void {
    this.#loop = this.#runUntilStopped();
  }

  /** Stops the manager without releasing its lease; it is restarted. */
  kill(): void {
    this.#kill.abort();
  }

  /** Stops the manager for good. Fails when it takes too long. */
  async stop(): Promise<void> {
    this.#done.abort();
    this.#kill.abort();
    const limit = new AbortController();
    const tooLate = new Promise<"late">((resolve) => {
      const timer = setTimeout(() => resolve("late"), STOP_LIMIT_MS);
      limit.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    const outcome = await Promise.race([this.#loop?.then(() => "stopped"), tooLate]);
    limit.abort();
    if (outcome === "late") throw new Error(`manager ${this.name} did not stop within ${String(STOP_LIMIT_MS)} ms`);
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
      run.endedAt = performance.now();
      this.manager = undefined;
      await new Promise((resolve) => {
        setTimeout(resolve, RESTART_MS);
      });
    }
  }

  async #run(run: ManagerRun, signal: AbortSignal): Promise<void> {
    const manager = await createManager(this.#chaos.restConfig, {
      ...ELECTION,
      clock: this.#chaos.clock,
      logger:
        process.env["KUBESCAFFOLD_CHAOS_LOG"] === "true"
          ? createPinoLogger({ development: true }).withName(this.name)
          : silentLogger,
      metrics: { bindAddress: "0", registry: metrics.createMetricsRegistry() },
      controller: { skipNameValidation: true, maxConcurrentReconciles: 2 },
    });
    await setupFleets(manager, recordingClient(manager.getClient(), run));
    // A standby caches, too; the informer of Secrets starts with the first read otherwise.
    for (const kind of CACHED_KINDS) await manager.getCache().getInformer(kind, { blockUntilSynced: false });
    if (signal.aborted) return;
    this.manager = manager;
    await manager.start(signal);
  }
}

// Records when a write starts; a process that has ended cannot write.
function recordingClient(client: Client, run: ManagerRun): Client {
  const write = async <T>(send: () => Promise<T>): Promise<T> => {
    if (run.endedAt !== undefined) throw new Error("the process has ended");
    run.writes.push(performance.now());
    return await send();
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
