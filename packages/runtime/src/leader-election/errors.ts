import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the times of an election contradict one another.
 *
 * Fix: Keep `leaseDurationMs` > `renewDeadlineMs` > 1.2 × `retryPeriodMs`, all above zero.
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
 * Thrown when this process led, could not renew its lease in time, and must end.
 *
 * Fix: Let the process end; it is started again as a candidate.
 */
export class LeaderElectionLostError extends ScaffoldError {
  readonly code = "LEADER_ELECTION_LOST";

  constructor() {
    super("leader election lost");
  }
}

/**
 * Thrown when an election is asked for without a name for its lease.
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
 * Thrown when the namespace of the lease is neither given nor to be had from the pod.
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
