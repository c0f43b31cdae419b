import type { RestConfig } from "@kubescaffold/k8s";

import type { Manager } from "../manager/manager.ts";

/** The name of the local cluster: that of the manager. */
export const LOCAL_CLUSTER = "";

/** Engages and disengages clusters while the manager runs. */
export interface ClusterEngagement {
  /**
   * Engages a cluster: its controllers start, and run until it is disengaged. Does not wait for the cluster, which may be unreachable.
   *
   * If a cluster of that name is still ending, the new one starts after it. Fails: `ClusterNameTakenError`.
   */
  engage(name: string, config: RestConfig): void;
  /**
   * Disengages a cluster; does nothing if it is not engaged. Reconciles are aborted, queued requests are dropped.
   *
   * Resolves when the reconciles, the cache, and the connections of the cluster have ended, or after the disengage timeout.
   */
  disengage(name: string): Promise<void>;
  /** Returns the manager of the process, whose cluster is the local one. */
  getLocalManager(): Manager;
}

/**
 * Finds clusters: the counterpart of a provider of multicluster-runtime.
 *
 * A provider only calls `engage` and `disengage`; the manager starts, stops, and stores the clusters.
 */
export interface ClusterProvider {
  /** Engages and disengages clusters until the signal aborts. A failure stops the manager. */
  start(clusters: ClusterEngagement, signal: AbortSignal): Promise<void>;
}
