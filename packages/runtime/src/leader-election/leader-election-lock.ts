import { isNotFound } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import type { MicroTime } from "@kubescaffold/k8s/meta/v1";

import type { Client } from "../client/client.ts";
import { editable } from "../client/editable.ts";

/**
 * Stores the leader in a record shared by all candidates; writes fail if another candidate wrote first.
 *
 * client-go: tools/leaderelection/resourcelock.Interface
 */
export interface LeaderElectionLock {
  /** The name of this candidate. */
  readonly identity: string;
  /** Returns the name of the lock for messages: `namespace/name`. */
  describe(): string;
  /** Reads the record; undefined if the lock does not exist. */
  get(signal: AbortSignal): Promise<LeaderElectionRecord | undefined>;
  /** Creates the lock; fails if it exists. */
  create(record: LeaderElectionRecord, signal: AbortSignal): Promise<void>;
  /** Replaces the last record that was read or written; fails if it has changed since. */
  update(record: LeaderElectionRecord, signal: AbortSignal): Promise<void>;
  /** Records an event and never fails. */
  recordEvent(message: string): void;
}

/**
 * The record of a lock.
 *
 * client-go: tools/leaderelection/resourcelock.LeaderElectionRecord
 */
export interface LeaderElectionRecord {
  /** The leader; empty without one. */
  readonly holderIdentity: string;
  /** The lease duration in seconds. */
  readonly leaseDurationSeconds: number;
  /** The time at which the leader acquired the lease. */
  readonly acquireTime: MicroTime;
  /** The time of the last renewal. */
  readonly renewTime: MicroTime;
  /** The number of leader changes. */
  readonly leaderTransitions: number;
}

/** Reports whether two records are equal. */
export function recordsEqual(left: LeaderElectionRecord, right: LeaderElectionRecord): boolean {
  return (
    left.holderIdentity === right.holderIdentity &&
    left.leaseDurationSeconds === right.leaseDurationSeconds &&
    left.acquireTime === right.acquireTime &&
    left.renewTime === right.renewTime &&
    left.leaderTransitions === right.leaderTransitions
  );
}

/** Options of {@link createLeaseLock}. */
export interface LeaseLockOptions {
  /** A client that reads from the server, never from a cache. */
  readonly client: Client;
  /** The namespace of the lease. */
  readonly namespace: string;
  /** The name of the lease. */
  readonly name: string;
  /** The name of this candidate. */
  readonly identity: string;
  /** Receives `became leader` and `stopped leading` with the lease. */
  readonly onEvent?: (lease: Lease, message: string) => void;
  /** Labels that the holder sets on the lease; other labels stay. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Creates a lock that is a `coordination.k8s.io/v1` Lease, like client-go's.
 *
 * client-go: tools/leaderelection/resourcelock.LeaseLock
 */
export function createLeaseLock(options: LeaseLockOptions): LeaderElectionLock {
  return new LeaseLock(options);
}

class LeaseLock implements LeaderElectionLock {
  readonly identity: string;
  readonly #options: LeaseLockOptions;
  #lease: Lease | undefined;

  constructor(options: LeaseLockOptions) {
    this.identity = options.identity;
    this.#options = options;
  }

  describe(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }

  async get(signal: AbortSignal): Promise<LeaderElectionRecord | undefined> {
    const { client, namespace, name } = this.#options;
    try {
      this.#lease = editable(await client.get(Lease, { namespace, name }, { signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    return recordOf(this.#lease);
  }

  async create(record: LeaderElectionRecord, signal: AbortSignal): Promise<void> {
    const { client, namespace, name, labels } = this.#options;
    const metadata = { namespace, name, ...(labels === undefined ? {} : { labels }) };
    this.#lease = await client.create(Lease.create({ metadata, spec: specOf(record) }), { signal });
  }

  async update(record: LeaderElectionRecord, signal: AbortSignal): Promise<void> {
    if (this.#lease === undefined) {
      await this.create(record, signal);
      return;
    }
    const { client, labels } = this.#options;
    const spec = { ...this.#lease.spec, ...specOf(record) };
    const metadata =
      labels === undefined
        ? this.#lease.metadata
        : { ...this.#lease.metadata, labels: { ...this.#lease.metadata.labels, ...labels } };
    this.#lease = await client.update({ ...this.#lease, metadata, spec }, { signal });
  }

  recordEvent(message: string): void {
    if (this.#lease !== undefined) this.#options.onEvent?.(this.#lease, `${this.identity} ${message}`);
  }
}

function recordOf(lease: Lease): LeaderElectionRecord {
  return {
    holderIdentity: lease.spec?.holderIdentity ?? "",
    leaseDurationSeconds: lease.spec?.leaseDurationSeconds ?? 0,
    acquireTime: lease.spec?.acquireTime ?? "",
    renewTime: lease.spec?.renewTime ?? "",
    leaderTransitions: lease.spec?.leaseTransitions ?? 0,
  };
}

function specOf(record: LeaderElectionRecord): NonNullable<Lease["spec"]> {
  return {
    holderIdentity: record.holderIdentity,
    leaseDurationSeconds: record.leaseDurationSeconds,
    // Another program may have written a lease without the time, and an API server refuses an empty one.
    ...(record.acquireTime === "" ? {} : { acquireTime: record.acquireTime }),
    renewTime: record.renewTime,
    leaseTransitions: record.leaderTransitions,
  };
}
