import type { LeaderElectionRecord } from "./leader-election-record.ts";

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
