/**
 * The dashboard of `scaffold dashboard`: the page of `scaffold dev` for a manager that runs in a cluster, without anything that changes it.
 *
 * It needs no embedded API server, and loads none.
 */
export {
  type ClusterDashboard,
  type ClusterDashboardOptions,
  startClusterDashboard,
} from "./start-cluster-dashboard.ts";
export { type ConnectedDashboardOptions, startConnectedDashboard } from "./start-connected-dashboard.ts";
export type { ResourceName } from "./watch-targets.ts";
