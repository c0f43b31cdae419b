import type { Clock } from "@kubescaffold/platform/clock";

import { LeaderElectionExpiredError } from "./errors.ts";

const EVENTS = /^\/api(?:s\/events\.k8s\.io)?\/[^/]+\/namespaces\/[^/]+\/events(?:$|[/?])/u;

/**
 * Refuses the writes of a manager whose lease may have expired.
 *
 * The lease counts from the moment when its last successful renewal was sent, on a clock that never jumps, and for the renew deadline, which is
 * shorter than the lease duration that other candidates wait for. So a process that was suspended, or whose event loop was blocked, notices before
 * its first write that it is no longer the leader, even if no timer has run yet. Before the election, writes are allowed: webhooks and
 * other runnables without leader election use the same client.
 *
 * A renewal on a worker thread would hide a blocked event loop from the other candidates, and keep a lease whose holder does no work.
 */
export class LeaseGuard {
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  #renewedAtMs: number | undefined;
  #isLost = false;
  #isReleased = false;

  constructor(clock: Clock, renewDeadlineMs: number) {
    this.#clock = clock;
    this.#renewDeadlineMs = renewDeadlineMs;
  }

  /** Records a successful renewal, by the monotonic time at which it was sent. */
  renewed(sentAtMs: number): void {
    this.#renewedAtMs = sentAtMs;
  }

  /** Refuses all further writes. */
  lose(): void {
    this.#isLost = true;
  }

  /** Refuses all further writes but those of events, which a stopping manager writes after it has released its lease. */
  release(): void {
    this.#isReleased = true;
  }

  /** Checks that this process may write to a path. Fails: {@link LeaderElectionExpiredError}. */
  check(path: string): void {
    if (this.#isReleased && EVENTS.test(path)) {
      return;
    }
    const sinceMs = this.#renewedAtMs === undefined ? undefined : this.#clock.monotonic() - this.#renewedAtMs;
    if (this.#isLost || this.#isReleased || (sinceMs !== undefined && sinceMs >= this.#renewDeadlineMs)) {
      throw new LeaderElectionExpiredError(sinceMs);
    }
  }
}
