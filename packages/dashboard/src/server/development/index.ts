/**
 * The dashboard of `scaffold dev`: shows a cluster in this process, such as the embedded one, and a manager. The cluster is a parameter: this module
 * loads no API server.
 */
export type { DevelopmentCluster, DevelopmentFaults, DevelopmentServer } from "./development-cluster.ts";
export { JumpingClock } from "./jumping-clock.ts";
export { type FaultTargets, ManagerFaults } from "./manager-faults.ts";
export { type DashboardOptions, startDashboard } from "./start-dashboard.ts";
