import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the durations of leader election are inconsistent.
 *
 * Fix: Set `leaseDurationMs` > `renewDeadlineMs` > 1.2 × `retryPeriodMs`, all greater than zero.
 */
export class LeaderElectionTimingError extends ScaffoldError {
  readonly code = "LEADER_BAD_TIMING";

  constructor(reason: string) {
    super(`cannot start leader election: ${reason}`, {
      hint: "keep leaseDurationMs > renewDeadlineMs > 1.2 × retryPeriodMs, all above zero",
    });
  }
}

/**
 * Thrown when the leader could not renew its lease in time and must exit.
 *
 * Fix: Let the process exit; it restarts as a candidate.
 */
export class LeaderElectionLostError extends ScaffoldError {
  readonly code = "LEADER_ELECTION_LOST";

  constructor() {
    super("leader election lost");
  }
}

/**
 * Thrown when leader election is enabled without a name for its lease.
 *
 * Fix: Set `leaderElectionId`.
 */
export class LeaderElectionIdMissingError extends ScaffoldError {
  readonly code = "LEADER_ID_MISSING";

  constructor() {
    super("cannot start leader election: leaderElectionId is not set", {
      hint: "set leaderElectionId",
    });
  }
}

/**
 * Thrown when the namespace of the lease is neither set nor available from the Pod.
 *
 * Fix: Set `leaderElectionNamespace`.
 */
export class LeaderElectionNamespaceError extends ScaffoldError {
  readonly code = "LEADER_NAMESPACE_UNKNOWN";

  constructor(cause: unknown) {
    super("cannot find the namespace of the lease: the process does not run in a cluster", {
      cause,
      hint: "set leaderElectionNamespace",
    });
  }
}
