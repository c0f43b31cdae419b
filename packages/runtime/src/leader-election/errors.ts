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
 * Thrown when a leader sends a write although its lease was not renewed within the renew deadline, for example because the event loop was blocked.
 *
 * Fix: Let the process exit; shorten synchronous work, or increase `leaseDurationMs` and `renewDeadlineMs`.
 */
export class LeaderElectionExpiredError extends ScaffoldError {
  readonly code = "LEADER_LEASE_EXPIRED";

  constructor(sinceMs: number | undefined) {
    const since = sinceMs === undefined ? "" : `; its last renewal was ${String(Math.round(sinceMs))} ms ago`;
    super(`cannot write: this manager is no longer the leader${since}`, {
      hint: "let the process exit; if it was too busy to renew the lease, shorten synchronous work or increase leaseDurationMs",
    });
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
 * Fix: Set `leaderElectionNamespace`, or the variable `POD_NAMESPACE`.
 */
export class LeaderElectionNamespaceError extends ScaffoldError {
  readonly code = "LEADER_NAMESPACE_UNKNOWN";

  constructor(cause: unknown) {
    super("cannot find the namespace of the lease: the process does not run in a cluster", {
      cause,
      hint: "set leaderElectionNamespace, or the variable POD_NAMESPACE",
    });
  }
}

/**
 * Thrown by the health check of a leader election when this process holds a lease that it no longer renews.
 *
 * Fix: Restart the process; if it happens again, look for code that blocks the event loop.
 */
export class LeaseNotRenewedError extends ScaffoldError {
  readonly code = "LEADER_LEASE_NOT_RENEWED";

  constructor(lock: string, sinceMs: number) {
    super(`the lease ${lock} was not renewed for ${String(Math.round(sinceMs))} ms`);
  }
}

/**
 * Thrown when two locks that one candidate must hold together have different identities.
 *
 * Fix: Create both locks with the same identity.
 */
export class LeaderElectionIdentityError extends ScaffoldError {
  readonly code = "LEADER_IDENTITIES_DIFFER";

  constructor(primary: string, secondary: string) {
    super(
      `cannot combine the locks: their identities are ${JSON.stringify(primary)} and ${JSON.stringify(secondary)}`,
      {
        hint: "create both locks with the same identity",
      },
    );
  }
}
