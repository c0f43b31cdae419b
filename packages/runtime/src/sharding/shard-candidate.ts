import { handledLater } from "@kubescaffold/platform";
import { type Clock, onAbort, sleep } from "@kubescaffold/platform/clock";

import type { LeaderElectionLock } from "../leader-election/leader-election-lock.ts";
import { LeaderElector, type LeaderElectionTiming } from "../leader-election/leader-elector.ts";
import { LeaseGuard } from "../leader-election/lease-guard.ts";
import { withCallScope } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";

/** Options of a {@link ShardCandidate}. */
export interface ShardCandidateOptions extends LeaderElectionTiming {
  readonly clock: Clock;
  readonly log: Logger;
  /** Creates the lock of the shard. */
  readonly newLock: () => LeaderElectionLock;
  /** Checks after the shard was acquired that this replica may process it. */
  readonly mayBegin: (signal: AbortSignal) => Promise<boolean>;
  /** Processes the shard until the signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called when the replica begins to process the shard, and when it has ended. */
  readonly onHeld: (isHeld: boolean) => void;
}

/** A replica's candidacy for one shard: from the attempt to acquire its lease to the release. */
export class ShardCandidate {
  readonly #options: ShardCandidateOptions;
  readonly #leaving = new AbortController();
  readonly #ended: Promise<void>;

  constructor(options: ShardCandidateOptions) {
    this.#options = options;
    this.#ended = handledLater(this.#run());
  }

  /** Ends the work, then releases the lease; resolves when both are done. The lease is renewed until the work has ended, however long that takes. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock, retryPeriodMs } = this.#options;
    while (!this.#leaving.signal.aborted) {
      await new HeldShard(this.#options, this.#leaving.signal).run();
      await sleep(clock, retryPeriodMs, this.#leaving.signal).catch(() => undefined);
    }
  }
}

/** One election for a shard, with the work of its winner. */
class HeldShard {
  readonly #options: ShardCandidateOptions;
  readonly #guard: LeaseGuard;
  // Aborts when the work must end; the election ends after the work.
  readonly #workEnd = new AbortController();
  readonly #electionEnd = new AbortController();
  readonly #leaving: AbortSignal;
  #work: Promise<void> | undefined;

  constructor(options: ShardCandidateOptions, leaving: AbortSignal) {
    this.#options = options;
    this.#guard = new LeaseGuard(options.clock, options.renewDeadlineMs);
    this.#leaving = leaving;
  }

  async run(): Promise<void> {
    const { newLock, work: _, ...options } = this.#options;
    const stopListening = onAbort(this.#leaving, () => void this.#leave());
    const elector = new LeaderElector({
      ...options,
      lock: newLock(),
      releaseOnCancel: true,
      onRenewed: (sentAtMs) => this.#guard.renewed(sentAtMs),
      onStartedLeading: () => {
        this.#work = handledLater(this.#begin());
      },
      onStoppedLeading: () => undefined,
    });
    await elector.run(this.#electionEnd.signal);
    // After a loss, writes are refused while the work ends; another replica may process the shard already.
    this.#guard.lose();
    this.#workEnd.abort();
    await this.#work;
    stopListening();
  }

  async #begin(): Promise<void> {
    const { mayBegin, work, onHeld, log } = this.#options;
    const { signal } = this.#workEnd;
    const mayWork = await mayBegin(signal).catch((error: unknown) => {
      if (!signal.aborted) {
        log.error(error, "cannot list the leases of the other replicas");
      }
      return false;
    });
    if (signal.aborted) {
      return;
    }
    if (!mayWork) {
      // The lease is released, and acquired again later.
      this.#electionEnd.abort();
      return;
    }
    onHeld(true);
    const checkWrite = (path: string): void => this.#guard.check(path);
    await withCallScope({ log, checkWrite }, async () => await work(signal));
    onHeld(false);
  }

  async #leave(): Promise<void> {
    this.#workEnd.abort();
    await this.#work;
    this.#guard.release();
    this.#electionEnd.abort();
  }
}
