import type { LeaderElector } from "./leader-elector.ts";

/**
 * A health check of a leader election that may start later than the health endpoints.
 *
 * client-go: tools/leaderelection.HealthzAdaptor
 */
export interface LeaderHealthzAdaptor {
  /** The name of the check: `leaderElection`. */
  readonly name: string;
  /** The check; it passes before {@link LeaderHealthzAdaptor.setLeaderElection}. Fails: as {@link LeaderElector.check}. */
  readonly check: () => void;
  /** Sets the elector to check. */
  readonly setLeaderElection: (elector: LeaderElector) => void;
}

/**
 * Creates a health check that fails if the process still holds a lease `toleranceMs` milliseconds after the lease has expired.
 *
 * A manager needs none: it exits when it loses its lease.
 *
 * client-go: tools/leaderelection.NewLeaderHealthzAdaptor
 */
export function newLeaderHealthzAdaptor(toleranceMs: number): LeaderHealthzAdaptor {
  let elector: LeaderElector | undefined;
  return {
    name: "leaderElection",
    check: () => elector?.check(toleranceMs),
    setLeaderElection: (started) => {
      elector = started;
    },
  };
}
