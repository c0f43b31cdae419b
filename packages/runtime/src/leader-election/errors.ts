import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown when the durations of a leader election contradict each other. */
export class LeaderElectionTimingError extends ScaffoldError {
  readonly code = "LEADER_BAD_TIMING";

  constructor(reason: string) {
    super(`cannot start leader election: ${reason}`, {
      hint: "keep leaseDurationMs > renewDeadlineMs > 1.2 × retryPeriodMs, all above zero",
    });
  }
}

/** Thrown by a manager that lost its lease; the process must exit. */
export class LeaderElectionLostError extends ScaffoldError {
  readonly code = "LEADER_ELECTION_LOST";

  constructor() {
    super("leader election lost");
  }
}

/** Thrown when leader election is enabled without a name for the lease. */
export class LeaderElectionIdMissingError extends ScaffoldError {
  readonly code = "LEADER_ID_MISSING";

  constructor() {
    super("cannot start leader election: leaderElectionId is not set", {
      hint: "set leaderElectionId",
    });
  }
}

/** Thrown when the namespace of the lease is neither set nor known from the pod. */
export class LeaderElectionNamespaceError extends ScaffoldError {
  readonly code = "LEADER_NAMESPACE_UNKNOWN";

  constructor(cause: unknown) {
    super("cannot find the namespace of the lease: the process does not run in a cluster", {
      cause,
      hint: "set leaderElectionNamespace",
    });
  }
}
