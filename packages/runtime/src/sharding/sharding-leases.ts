import { type DeepReadonly, isConflict, isNotFound, toMicroTime } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Client } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { createLeaseLock, type LeaderElectionLock } from "../leader-election/leader-election-lock.ts";

const SHARDING_LABEL = "kubescaffold.dev/sharding";
const COUNT_LABEL = "kubescaffold.dev/shards";
const ROLE_LABEL = "kubescaffold.dev/sharding-role";

/** Options of {@link ShardingLeases}. */
export interface ShardingLeasesOptions {
  /** A client that reads from the server. */
  readonly client: Client;
  readonly clock: Clock;
  readonly namespace: string;
  /** The name of the sharding, which the names of its leases begin with. */
  readonly id: string;
  /** The number of shards. */
  readonly shards: number;
  /** The name of this replica. */
  readonly identity: string;
  /** A part of a name that is unique to this replica. */
  readonly suffix: string;
  readonly leaseDurationMs: number;
}

/** The replicas and shards of a sharding, as far as this replica has observed. */
export interface ShardingState {
  /** The replicas with the same number of shards that renew their leases, this one included. */
  readonly replicas: readonly string[];
  /** Reports whether this replica may begin to process shards: no replica with another number of shards may. */
  readonly mayBegin: boolean;
}

interface Observation {
  readonly version: string;
  readonly changedAtMs: number;
}

// Leases of replicas that were killed, and of shards after their number has changed.
const REMOVE_AFTER_DURATIONS = 10;

/**
 * The leases of a sharding: one per replica, which shows that it runs, and one per shard, whose holder processes the shard.
 *
 * Times of other processes are never compared with the local clock: a lease is valid for its duration after its last observed change.
 */
export class ShardingLeases {
  readonly #options: ShardingLeasesOptions;
  readonly #observations = new Map<string, Observation>();

  constructor(options: ShardingLeasesOptions) {
    this.#options = options;
  }

  /** The name of this replica. */
  get identity(): string {
    return this.#options.identity;
  }

  /** Creates the lock of a shard. */
  lockOf(shard: number): LeaderElectionLock {
    const { client, namespace, id, identity } = this.#options;
    const name = `${id}-shard-${String(shard)}-of-${String(this.#options.shards)}`;
    return createLeaseLock({ client, namespace, name, identity, labels: this.#labels("shard") });
  }

  /** Renews the lease of this replica, and creates it if necessary. */
  async renew(signal: AbortSignal): Promise<void> {
    const { client, namespace, clock, identity, leaseDurationMs } = this.#options;
    const name = this.#replicaName();
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
      renewTime: toMicroTime(clock.now()),
    };
    try {
      const lease = await client.get(Lease, { namespace, name }, { signal });
      await client.update({ ...lease, spec: { ...lease.spec, ...spec } }, { signal });
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      const metadata = { namespace, name, labels: this.#labels("replica") };
      await client.create(Lease.create({ metadata, spec }), { signal });
    }
  }

  /** Lists all leases; call {@link renew} first, so that this replica is among them. Removes leases that ended long ago. */
  async observe(signal: AbortSignal): Promise<ShardingState> {
    const { client, namespace, id, identity } = this.#options;
    const labelSelector = `${SHARDING_LABEL}=${id}`;
    const { items } = await client.list(Lease, { namespace, labelSelector, signal });
    const valid = items.filter((lease) => this.#isValid(lease));
    await this.#removeEnded(items, signal);
    const same = valid.filter((lease) => this.#hasSameCount(lease) && roleOf(lease) === "replica");
    const others = valid.filter((lease) => !this.#hasSameCount(lease));
    const own = items.find(({ metadata }) => metadata.name === this.#replicaName());
    return {
      replicas: [...new Set([identity, ...same.map((lease) => lease.spec?.holderIdentity ?? "")])].toSorted(),
      mayBegin: own !== undefined && !others.some((lease) => roleOf(lease) === "shard" || isEarlier(lease, own)),
    };
  }

  /** Removes the lease of this replica, so that the others take over its shards as soon as it releases them. */
  async leave(): Promise<void> {
    const { client, namespace } = this.#options;
    const lease = Lease.create({ metadata: { namespace, name: this.#replicaName() } });
    await client.delete(lease).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }

  #replicaName(): string {
    return `${this.#options.id}-replica-${this.#options.suffix}`;
  }

  #labels(role: "replica" | "shard"): Readonly<Record<string, string>> {
    const { id, shards } = this.#options;
    return { [SHARDING_LABEL]: id, [COUNT_LABEL]: String(shards), [ROLE_LABEL]: role };
  }

  #hasSameCount({ metadata }: DeepReadonly<Stored<Lease>>): boolean {
    return metadata.labels?.[COUNT_LABEL] === String(this.#options.shards);
  }

  #isValid({ metadata, spec }: DeepReadonly<Stored<Lease>>): boolean {
    const { name, resourceVersion } = metadata;
    const now = this.#options.clock.monotonic();
    if (this.#observations.get(name)?.version !== resourceVersion) {
      this.#observations.set(name, { version: resourceVersion, changedAtMs: now });
    }
    const durationMs = (spec?.leaseDurationSeconds ?? 0) * 1000;
    return (spec?.holderIdentity ?? "") !== "" && this.#ageOf(name) < durationMs;
  }

  #ageOf(name: string): number {
    return this.#options.clock.monotonic() - (this.#observations.get(name)?.changedAtMs ?? -Infinity);
  }

  async #removeEnded(leases: readonly DeepReadonly<Stored<Lease>>[], signal: AbortSignal): Promise<void> {
    const names = new Set(leases.map(({ metadata }) => metadata.name));
    for (const name of this.#observations.keys()) {
      if (!names.has(name)) {
        this.#observations.delete(name);
      }
    }
    for (const lease of leases) {
      const { name, resourceVersion } = lease.metadata;
      const isUsedAgain = roleOf(lease) === "shard" && this.#hasSameCount(lease);
      if (isUsedAgain || name === this.#replicaName()) continue;
      if (this.#ageOf(name) < REMOVE_AFTER_DURATIONS * this.#options.leaseDurationMs) continue;
      await this.#options.client
        .delete(lease, { preconditions: { resourceVersion }, signal })
        .catch((error: unknown) => {
          // Another replica has removed it, or the replica has come back.
          if (!isNotFound(error) && !isConflict(error)) throw error;
        });
    }
  }
}

function roleOf({ metadata }: DeepReadonly<Stored<Lease>>): string | undefined {
  return metadata.labels?.[ROLE_LABEL];
}

// The server sets the times, so all replicas agree on the order.
function isEarlier(left: DeepReadonly<Stored<Lease>>, right: DeepReadonly<Stored<Lease>>): boolean {
  const [leftTime, rightTime] = [left.metadata.creationTimestamp ?? "", right.metadata.creationTimestamp ?? ""];
  return leftTime < rightTime || (leftTime === rightTime && left.metadata.name < right.metadata.name);
}
