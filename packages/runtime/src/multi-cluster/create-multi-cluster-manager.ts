import type { Manager } from "../manager/manager.ts";
import { EngagedClusters } from "./engaged-clusters.ts";
import type { MultiClusterManager, MultiClusterOptions } from "./multi-cluster-manager.ts";

/**
 * Adds the clusters of providers to a manager, which starts and stops them.
 *
 * @example
 * const mgr = await createManager(await getConfig(), { leaderElection: true, leaderElectionId: "guestbook.example.com" });
 * const clusters = createMultiClusterManager(mgr, { providers: [createSecretProvider({ namespace: "clusters" })] });
 * await newMultiClusterControllerManagedBy(clusters).for(Guestbook).complete(async ({ clusterName, ...key }) => {
 *   const guestbook = await clusters.getCluster(clusterName).getClient().get(Guestbook, key);
 * });
 * await mgr.start(setupSignalHandler());
 */
export function createMultiClusterManager(manager: Manager, options: MultiClusterOptions = {}): MultiClusterManager {
  const clusters = new EngagedClusters(manager, options);
  manager.add(clusters);
  return clusters;
}
