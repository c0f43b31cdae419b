import type { Cache } from "../cache/cache.ts";

/**
 * Something that a manager starts and stops.
 *
 * What kind it is decides when: HTTP servers first, then webhooks, caches, what every replica runs, warm-ups, and what only the leader runs.
 */
export interface Runnable {
  /** Runs until the signal aborts, or ends earlier by itself; a failure stops the manager. */
  start(signal: AbortSignal): Promise<void>;
  /** Says whether only the leader runs it; without this method only the leader does. */
  needLeaderElection?(): boolean;
  /** Prepares, on standbys too, what {@link start} needs; the manager waits for it before it stands for election. */
  warmup?(signal: AbortSignal): Promise<void>;
  /** Marks something with a cache, which is started and filled before what reads it. */
  getCache?(): Cache;
  /** Names the group where the methods above do not tell. */
  readonly runnableGroup?: RunnableGroupName;
  /** Names it in messages. */
  readonly runnableName?: string;
}

/** A runnable that is no more than its start. */
export type RunnableFunction = (signal: AbortSignal) => Promise<void>;

/** The groups of runnables, in the order in which they start. */
export const RUNNABLE_GROUPS = ["httpServers", "webhooks", "caches", "others", "warmup", "leaderElection"] as const;

/** A group of runnables that are started and stopped together. */
export type RunnableGroupName = (typeof RUNNABLE_GROUPS)[number];
