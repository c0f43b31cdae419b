import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown when the times of an election contradict one another. */
export class LeaderElectionTimingError extends ScaffoldError {
  readonly code = "LEADER_BAD_TIMING";

  constructor(reason: string) {
    super(`cannot take part in the election: ${reason}`, {
      hint: "keep leaseDurationMs > renewDeadlineMs > 1.2 × retryPeriodMs, all above zero",
    });
  }
}

/** Thrown by the manager when it led and another process may lead from now on; the process must end. */
export class LeaderElectionLostError extends ScaffoldError {
  readonly code = "LEADER_ELECTION_LOST";

  constructor() {
    super("leader election lost");
  }
}

/** Thrown when an election is asked for without a name for its lease. */
export class LeaderElectionIdMissingError extends ScaffoldError {
  readonly code = "LEADER_ID_MISSING";

  constructor() {
    super("cannot take part in the election: leaderElectionId is not set", {
      hint: "give the manager a leaderElectionId",
    });
  }
}

/** Thrown when the namespace of the lease is neither given nor to be had from the pod. */
export class LeaderElectionNamespaceError extends ScaffoldError {
  readonly code = "LEADER_NAMESPACE_UNKNOWN";

  constructor(cause: unknown) {
    super("cannot find the namespace of the election's lease: this process does not run in a cluster", {
      cause,
      hint: "set leaderElectionNamespace",
    });
  }
}
