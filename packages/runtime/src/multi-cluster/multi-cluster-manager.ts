import type { RestConfig } from "@kubescaffold/k8s";

import type { Cluster, ClusterOptions } from "../manager/cluster.ts";
import type { Manager } from "../manager/manager.ts";
import type { ClusterEngagement, ClusterProvider } from "./cluster-provider.ts";

/** An engaged cluster, as {@link MultiClusterManager.forEachCluster} passes it on. */
export interface EngagedCluster {
  /** The name of the cluster; empty for the local one. */
  readonly name: string;
  /** The clients and the cache of the cluster. */
  readonly cluster: Omit<Cluster, "start">;
  /** A manager with the clients and the cache of the cluster; what is added to it runs until the cluster is disengaged. */
  readonly manager: Manager;
}

/** Options of `createMultiClusterManager`. */
export interface MultiClusterOptions {
  /** Find the clusters. Default: none; clusters are engaged with {@link ClusterEngagement.engage}. */
  readonly providers?: readonly ClusterProvider[];
  /** Engages the cluster of the manager, too, under the name {@link LOCAL_CLUSTER}. Default: false. */
  readonly engageLocalCluster?: boolean;
  /** Engages clusters only on the leader. Default: true. */
  readonly needLeaderElection?: boolean;
  /** Creates the clients and the cache of a cluster, with the logger, clock, and metrics of the manager. Default: `createCluster`. */
  readonly newCluster?: (name: string, config: RestConfig, options: ClusterOptions) => Cluster;
  /** Milliseconds that a disengaged cluster may take to end its reconciles before its connections are closed. Default: 30000. */
  readonly disengageTimeoutMs?: number;
}

/**
 * Runs controllers in several clusters, which come and go while it runs.
 *
 * Each cluster has separate clients, caches, queues, and workers, so a slow or unreachable cluster delays no other one. On a manager with leader election,
 * writes to all clusters are refused once its lease may have expired.
 */
export interface MultiClusterManager extends ClusterEngagement {
  /** Returns an engaged cluster; the manager for the name {@link LOCAL_CLUSTER}. Fails: `ClusterNotEngagedError`. */
  getCluster(name: string): Omit<Cluster, "start">;
  /** Returns the names of the engaged clusters. */
  getClusterNames(): readonly string[];
  /**
   * Sets up each engaged cluster, now and later: existing reconcilers run in all clusters if they are built with the given manager.
   *
   * A failure is logged, and the cluster is set up again after 1 second to 1 minute; programming errors stop the manager.
   *
   * @example
   * clusters.forEachCluster(async ({ manager }) => {
   *   await newControllerManagedBy(manager).for(Guestbook).complete(new GuestbookReconciler(manager.getClient()));
   * });
   */
  forEachCluster(setUp: (engaged: EngagedCluster) => Promise<void> | void): void;
}
