import { isNotFound } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import type { MicroTime } from "@kubescaffold/k8s/meta/v1";

import type { Client } from "../client/client.ts";

/** Stores who leads, where every candidate sees it and writes are refused when another wrote first. */
export interface LeaderElectionLock {
  /** The name of this candidate. */
  readonly identity: string;
  /** Says which lock it is, for messages: `namespace/name`. */
  describe(): string;
  /** Reads the record, or nothing when the lock does not exist. */
  get(signal: AbortSignal): Promise<LeaderElectionRecord | undefined>;
  /** Creates the lock; fails when it exists. */
  create(record: LeaderElectionRecord, signal: AbortSignal): Promise<void>;
  /** Replaces the record read or written last; fails when another wrote since. */
  update(record: LeaderElectionRecord, signal: AbortSignal): Promise<void>;
  /** Tells the world, without ever failing. */
  recordEvent(message: string): void;
}

/** What a lock says about who leads. */
export interface LeaderElectionRecord {
  /** Empty when nobody leads. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: MicroTime;
  readonly renewTime: MicroTime;
  /** How often the leadership went to another holder. */
  readonly leaderTransitions: number;
}

/** Says whether two records are the same statement. */
export function recordsEqual(left: LeaderElectionRecord, right: LeaderElectionRecord): boolean {
  return (
    left.holderIdentity === right.holderIdentity &&
    left.leaseDurationSeconds === right.leaseDurationSeconds &&
    left.acquireTime === right.acquireTime &&
    left.renewTime === right.renewTime &&
    left.leaderTransitions === right.leaderTransitions
  );
}

/** Where the lease lies and who asks for it. */
export interface LeaseLockOptions {
  /** A client that reads from the server, never from a cache. */
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  /** Receives `became leader` and `stopped leading` with the lease they are about. */
  readonly onEvent?: (lease: Lease, message: string) => void;
}

/** Creates a lock that is a `coordination.k8s.io/v1` Lease, as client-go's. */
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
      this.#lease = structuredClone(await client.get(Lease, { namespace, name }, { signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    return recordOf(this.#lease);
  }

  async create(record: LeaderElectionRecord, signal: AbortSignal): Promise<void> {
    const { client, namespace, name } = this.#options;
    this.#lease = await client.create(Lease.create({ metadata: { namespace, name }, spec: specOf(record) }), {
      signal,
    });
  }

  async update(record: LeaderElectionRecord, signal: AbortSignal): Promise<void> {
    if (this.#lease === undefined) {
      await this.create(record, signal);
      return;
    }
    const spec = { ...this.#lease.spec, ...specOf(record) };
    this.#lease = await this.#options.client.update({ ...this.#lease, spec }, { signal });
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
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.leaderTransitions,
  };
}
