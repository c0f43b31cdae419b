import { AsyncResource } from "node:async_hooks";

import { onAbort, sleep, whenAborted } from "@kubescaffold/platform/clock";

import type { LeaderElectionTiming } from "../leader-election/leader-elector.ts";
import type { Logger } from "../log/logger.ts";
import { keepRunning, ManagerScope } from "../manager/manager-scope.ts";
import type { Manager } from "../manager/manager.ts";
import type { Runnable } from "../manager/runnable.ts";
import { leaderElectionMetrics } from "../metrics/controller-metrics.ts";
import { itemKey } from "../workqueue/item-key.ts";
import { assignShards, hashOf } from "./shard-assignment.ts";
import { ShardCandidate } from "./shard-candidate.ts";
import type { ShardingLeases } from "./sharding-leases.ts";
import type { OwnedShard, Sharding, ShardingOptions } from "./sharding.ts";

/** Options of a {@link ReplicaOfShards}. */
export interface ReplicaOptions {
  readonly manager: Manager;
  readonly options: ShardingOptions;
  readonly timing: LeaderElectionTiming;
  readonly leases: ShardingLeases;
  readonly log: Logger;
  /** Closes the connections of the leases. */
  readonly close: () => Promise<void>;
}

type SetUp = (owned: OwnedShard) => Promise<void> | void;

/** This replica's part of a sharding, as a runnable of every replica. */
export class ReplicaOfShards implements Sharding, Runnable {
  readonly runnableName = "sharding";
  readonly #parts: ReplicaOptions;
  readonly #identity: string;
  readonly #setUps: SetUp[] = [];
  readonly #candidates = new Map<number, ShardCandidate>();
  readonly #leaving = new Map<number, Promise<void>>();
  readonly #held = new Set<number>();
  // Start set-ups in the shards that this replica processes.
  readonly #starters = new Map<number, (setUp: SetUp) => void>();
  readonly #failing = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #assigned: { readonly replicas: string; readonly mine: ReadonlySet<number> } | undefined;

  constructor(parts: ReplicaOptions) {
    this.#parts = parts;
    this.#identity = parts.leases.identity;
  }

  needLeaderElection(): boolean {
    return false;
  }

  heldShards(): readonly number[] {
    return [...this.#held].toSorted((left, right) => left - right);
  }

  shardOf(request: unknown): number {
    const { shardKey = defaultKey, shards } = this.#parts.options;
    return hashOf(shardKey(request)) % shards;
  }

  forEachShard(setUp: SetUp): void {
    this.#setUps.push(setUp);
    for (const start of this.#starters.values()) {
      start(setUp);
    }
  }

  /** Takes part in the sharding until the signal aborts, then releases all shards. */
  async start(signal: AbortSignal): Promise<void> {
    const { log, manager, timing, close } = this.#parts;
    const stopping = new AbortController();
    const forgets = [signal, this.#failing.signal].map((each) => onAbort(each, () => stopping.abort()));
    while (!stopping.signal.aborted) {
      try {
        await this.#rebalance(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) {
          log.error(error, "cannot read or write the sharding leases");
        }
      }
      await sleep(manager.getClock(), timing.retryPeriodMs, stopping.signal).catch(() => undefined);
    }
    await this.#leave();
    await close();
    forgets.forEach((forget) => forget());
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
  }

  async #rebalance(signal: AbortSignal): Promise<void> {
    const { leases, options } = this.#parts;
    await leases.renew(signal);
    const { replicas, mayBegin } = await leases.observe(signal);
    const mine = this.#assignment(replicas);
    for (let shard = 0; shard < options.shards && !signal.aborted; shard += 1) {
      const isWanted = mine.has(shard) && (mayBegin || this.#held.has(shard));
      if (isWanted && !this.#candidates.has(shard) && !this.#leaving.has(shard)) {
        this.#candidates.set(shard, this.#candidateFor(shard));
      } else if (!isWanted && this.#candidates.has(shard)) {
        void this.#release(shard);
      }
    }
  }

  #assignment(replicas: readonly string[]): ReadonlySet<number> {
    const key = replicas.join("\n");
    if (this.#assigned?.replicas !== key) {
      const owners = assignShards(this.#parts.options.shards, replicas);
      const mine = new Set(owners.flatMap((owner, shard) => (owner === this.#identity ? [shard] : [])));
      this.#parts.log.info("assigning shards", { replicas: replicas.length, shards: [...mine] });
      this.#assigned = { replicas: key, mine };
    }
    return this.#assigned.mine;
  }

  #candidateFor(shard: number): ShardCandidate {
    const { manager, leases, timing, options } = this.#parts;
    const log = this.#parts.log.withValues({ shard });
    const { masterStatus } = leaderElectionMetrics(manager.getMetricsRegistry());
    return new ShardCandidate({
      ...timing,
      clock: manager.getClock(),
      log,
      newLock: () => leases.lockOf(shard),
      mayBegin: async (signal) => (await leases.observe(signal)).mayBegin,
      work: async (signal) => await this.#work(shard, signal, log),
      onHeld: (isHeld) => {
        this.#held[isHeld ? "add" : "delete"](shard);
        masterStatus.set({ name: `${options.id}-shard-${String(shard)}` }, isHeld ? 1 : 0);
      },
    });
  }

  async #work(shard: number, signal: AbortSignal, log: Logger): Promise<void> {
    const { manager } = this.#parts;
    const controller = {
      ...manager.getControllerOptions(),
      skipNameValidation: true,
      needLeaderElection: false,
      accepts: (request: unknown) => this.shardOf(request) === shard,
    };
    const name = `the shard ${String(shard)}`;
    const scopeLog = manager.getLogger().withValues({ shard });
    const runs = new Set<Promise<void>>();
    const run = (setUp: SetUp): void => {
      const running = keepRunning({
        signal,
        clock: manager.getClock(),
        log,
        newScope: () => new ManagerScope({ manager, name, cluster: manager, log: scopeLog, controller }),
        setUp: async (scoped) => await setUp({ shard, manager: scoped, cluster: manager }),
      })
        .catch((error: unknown) => this.#fail(error))
        .finally(() => runs.delete(running));
      runs.add(running);
    };
    this.#setUps.forEach(run);
    // Set-ups that are added later run in the scope of the shard, too, whose writes are checked.
    this.#starters.set(shard, AsyncResource.bind(run));
    await whenAborted(signal);
    this.#starters.delete(shard);
    await Promise.all(runs);
  }

  async #release(shard: number): Promise<void> {
    const left = this.#candidates.get(shard)?.leave() ?? Promise.resolve();
    this.#candidates.delete(shard);
    this.#leaving.set(shard, left);
    await left;
    this.#leaving.delete(shard);
  }

  // The others may compute their new parts while this replica ends its reconciles.
  async #leave(): Promise<void> {
    const { leases, log } = this.#parts;
    const left = leases.leave().catch((error: unknown) => log.error(error, "cannot remove the replica's lease"));
    for (const shard of this.#candidates.keys()) {
      void this.#release(shard);
    }
    await Promise.all([left, ...this.#leaving.values()]);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#failing.abort();
  }
}

function defaultKey(request: unknown): string {
  const { namespace, name } = request as { readonly namespace?: unknown; readonly name?: unknown };
  return typeof namespace === "string" && typeof name === "string" ? `${namespace}/${name}` : String(itemKey(request));
}
