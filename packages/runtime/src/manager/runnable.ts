import type { Cache } from "../cache/cache.ts";

/**
 * A part of a program that a manager starts and stops.
 *
 * Its kind determines the order: HTTP servers, webhooks, caches, runnables of every replica, warm-ups, and runnables of the leader.
 *
 * controller-runtime: pkg/manager.Runnable
 */
export interface Runnable {
  /** Runs until the signal aborts or the work is complete; a failure stops the manager. */
  start(signal: AbortSignal): Promise<void>;
  /** Reports whether only the leader runs it. Default: true. */
  needLeaderElection?(): boolean;
  /** Prepares {@link start} on standbys, too; the manager waits for it before it takes part in the leader election. */
  warmup?(signal: AbortSignal): Promise<void>;
  /** Returns the cache of a runnable that starts and syncs before the users of the cache. */
  getCache?(): Cache;
  /** The group of the runnable. Default: derived from its methods. */
  readonly runnableGroup?: RunnableGroupName;
  /** The name of the runnable in messages. Default: the name of its class. */
  readonly runnableName?: string;
}

/**
 * A runnable as a function.
 *
 * controller-runtime: pkg/manager.RunnableFunc
 */
export type RunnableFunction = (signal: AbortSignal) => Promise<void>;

/** The groups of runnables in start order. */
export const RUNNABLE_GROUPS = ["httpServers", "webhooks", "caches", "others", "warmup", "leaderElection"] as const;

/** A group of runnables that start and stop together. */
export type RunnableGroupName = (typeof RUNNABLE_GROUPS)[number];
