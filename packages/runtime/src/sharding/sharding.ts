import type { Cluster } from "../manager/cluster.ts";
import type { Manager } from "../manager/manager.ts";

/** A shard that this replica processes. */
export interface OwnedShard {
  /** The index of the shard, from 0. */
  readonly shard: number;
  /** A manager whose controllers reconcile only the requests of the shard; what is added to it runs while this replica holds the shard. */
  readonly manager: Manager;
  /** The clients and the cache of the process. */
  readonly cluster: Omit<Cluster, "start">;
}

/** Options of `createSharding`; the durations are those of the shards' leases, with the defaults of leader election. */
export interface ShardingOptions {
  /** The name of the sharding: at most 40 lower-case letters, digits, `-`, and `.`; the names of its leases begin with it. */
  readonly id: string;
  /** The number of shards; more than the largest number of replicas, so that the shards of one replica can be spread. */
  readonly shards: number;
  /** The namespace of the leases. Default: the namespace of the pod. */
  readonly namespace?: string;
  /**
   * Returns the part of a request that determines its shard. Default: namespace and name. Requests that must not be reconciled concurrently need
   * equal parts, such as the namespace alone.
   */
  readonly shardKey?: (request: unknown) => string;
  /** Milliseconds that candidates wait before they take over a lease that is not renewed. Default: 15000. */
  readonly leaseDurationMs?: number;
  /** Milliseconds that a holder continues without a successful renewal. Default: 10000. */
  readonly renewDeadlineMs?: number;
  /** Milliseconds between attempts to acquire or renew a lease. Default: 2000. */
  readonly retryPeriodMs?: number;
}

/**
 * Divides the requests of controllers among the replicas of a program.
 *
 * Each shard has a lease, and only its holder reconciles the requests of the shard. The shards are spread over the running replicas, and move when a replica
 * comes or goes: its holder ends the reconciles of a shard before it releases the lease. Writes of reconciles are refused once the lease of their shard may
 * have expired.
 */
export interface Sharding {
  /** Returns the shards that this replica processes. */
  heldShards(): readonly number[];
  /** Returns the shard of a request. */
  shardOf(request: unknown): number;
  /**
   * Sets up each shard that this replica acquires, now and later.
   *
   * A failure is logged, and the shard is set up again after 1 second to 1 minute; programming errors stop the manager.
   *
   * @example
   * sharding.forEachShard(async ({ manager }) => {
   *   await newControllerManagedBy(manager).for(Guestbook).complete(new GuestbookReconciler(manager.getClient()));
   * });
   */
  forEachShard(setUp: (owned: OwnedShard) => Promise<void> | void): void;
}
