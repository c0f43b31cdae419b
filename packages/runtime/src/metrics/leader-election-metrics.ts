import { Gauge, oncePerRegistry, type MetricsRegistry } from "./registry.ts";

/** Says who leads. */
export interface LeaderElectionMetrics {
  readonly masterStatus: Gauge<"name">;
}

/** Returns the leader election's metrics of a registry. */
export const leaderElectionMetrics: (registry?: MetricsRegistry) => LeaderElectionMetrics = oncePerRegistry(
  (registry) => ({
    masterStatus: new Gauge({
      name: "leader_election_master_status",
      help: "1 while this process leads under the lease of that name, 0 otherwise",
      labelNames: ["name"],
      registers: [registry],
    }),
  }),
);
