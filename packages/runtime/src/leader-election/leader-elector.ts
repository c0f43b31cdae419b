import { messageOf, toMicroTime, checkNumbers } from "@kubescaffold/k8s";
import { type Clock, onAbort, sleep } from "@kubescaffold/platform/clock";

import type { Logger } from "../log/logger.ts";
import { LeaderElectionTimingError, LeaseNotRenewedError } from "./errors.ts";
import { type LeaderElectionLock, type LeaderElectionRecord, recordsEqual } from "./leader-election-lock.ts";

// Adds up to 120% to the retry period, so that candidates do not retry in lockstep.
const JITTER_FACTOR = 1.2;

/** The durations of a leader election; the defaults are upstream's. */
export interface LeaderElectionTiming {
  /** Milliseconds that a candidate waits after the last change of the record before it takes over. Default: 15000. */
  readonly leaseDurationMs: number;
  /** Milliseconds that a leader continues without a successful renewal. Default: 10000. */
  readonly renewDeadlineMs: number;
  /** Milliseconds between attempts. Default: 2000. */
  readonly retryPeriodMs: number;
}

/** Upstream's durations. */
export const DEFAULT_TIMING: LeaderElectionTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/**
 * Options of a {@link LeaderElector}.
 *
 * client-go: tools/leaderelection.LeaderElectionConfig
 */
export interface LeaderElectorOptions extends LeaderElectionTiming {
  /** The lock. */
  readonly lock: LeaderElectionLock;
  /** The clock of the election. */
  readonly clock: Clock;
  /** The logger. */
  readonly log: Logger;
  /** Releases the lease when the elector stops, so that the next candidate need not wait. */
  readonly releaseOnCancel: boolean;
  /** Called with the monotonic time at which a successful attempt to acquire or renew the lease was sent. */
  readonly onRenewed?: (sentAtMs: number) => void;
  /** Called when this candidate becomes the leader. */
  readonly onStartedLeading: () => void;
  /** Called once when the elector ends, even if it never led. */
  readonly onStoppedLeading: () => void;
  /** Called with the identity of each observed leader that differs from the previous one, this candidate included. */
  readonly onNewLeader?: (identity: string) => void;
  /** Returns a random number from 0 up to 1; replaced in tests. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * Takes part in a leader election until it is stopped or loses the lease.
 *
 * Guarantees: the server's times are never compared with the local clock, so clock skew is harmless; another holder keeps the lease for a whole
 * lease duration after its last observed change. There is no fencing: the process must exit when {@link run} resolves.
 *
 * client-go: tools/leaderelection.LeaderElector
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  #observed: LeaderElectionRecord | undefined;
  #observedAtMs = 0;
  #renewedAtMs = 0;
  #reportedLeader = "";

  constructor(options: LeaderElectorOptions) {
    checkTiming(options);
    this.#options = options;
  }

  /** Reports whether this process holds the lease, as far as it knows. */
  isLeader(): boolean {
    return this.#observed?.holderIdentity === this.#options.lock.identity;
  }

  /** Returns the identity of the last observed leader; empty before the first one, and after a release. */
  getLeader(): string {
    return this.#observed?.holderIdentity ?? "";
  }

  /**
   * Checks that this process does not hold a lease that it has not renewed, for health checks of processes that fail to exit.
   *
   * Fails: {@link LeaseNotRenewedError} if this process is the leader, and its last renewal is older than the lease duration and `toleranceMs`.
   */
  check(toleranceMs: number): void {
    const sinceMs = this.#options.clock.monotonic() - this.#observedAtMs;
    if (this.isLeader() && sinceMs > this.#options.leaseDurationMs + toleranceMs) {
      throw new LeaseNotRenewedError(this.#options.lock.describe(), sinceMs);
    }
  }

  /** Acquires the lease, then leads until the signal aborts or the lease is lost; resolves in both cases. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.#acquire(signal))) return;
      this.#options.onStartedLeading();
      await this.#renewUntilLost(signal);
      // A lost lease is not released: that takes time, and the caller must stop at once.
      if (signal.aborted && this.#options.releaseOnCancel && this.isLeader()) await this.#release();
    } finally {
      this.#options.onStoppedLeading();
    }
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { lock, log, clock, retryPeriodMs } = this.#options;
    log.info("attempting to acquire leader lease", { lock: lock.describe() });
    while (!signal.aborted) {
      if (await this.#tryOnce(signal)) {
        this.#notify("recordEvent", () => lock.recordEvent("became leader"));
        log.info("successfully acquired lease", { lock: lock.describe() });
        return true;
      }
      await pause(clock, retryPeriodMs * (1 + this.#random() * JITTER_FACTOR), signal);
    }
    return false;
  }

  async #renewUntilLost(signal: AbortSignal): Promise<void> {
    const { lock, log, clock, retryPeriodMs, renewDeadlineMs } = this.#options;
    while (!signal.aborted) {
      await pause(clock, retryPeriodMs, signal);
      if (signal.aborted) break;
      const remainingMs = this.#renewedAtMs + renewDeadlineMs - clock.monotonic();
      const isRenewed = remainingMs > 0 && (await this.#tryWithin(remainingMs, signal));
      if (!isRenewed && clock.monotonic() - this.#renewedAtMs >= renewDeadlineMs) {
        log.info("failed to renew lease in time", { lock: lock.describe(), renewDeadlineMs });
        break;
      }
    }
    this.#notify("recordEvent", () => lock.recordEvent("stopped leading"));
  }

  // Cancels the attempt at the renewal deadline, regardless of the server.
  async #tryWithin(limitMs: number, signal: AbortSignal): Promise<boolean> {
    const limit = new AbortController();
    const timer = this.#options.clock.setTimeout(() => limit.abort(), limitMs);
    const callOff = onAbort(signal, () => limit.abort());
    const gaveUp = new Promise<false>((resolve) => {
      onAbort(limit.signal, () => resolve(false));
    });
    try {
      return await Promise.race([this.#tryOnce(limit.signal), gaveUp]);
    } finally {
      timer.cancel();
      callOff();
    }
  }

  async #tryOnce(signal: AbortSignal): Promise<boolean> {
    const sentAtMs = this.#options.clock.monotonic();
    try {
      const isHeld = await this.#tryAcquireOrRenew(signal);
      // An answer after the deadline comes too late: the attempt counts as failed already.
      if (isHeld && !signal.aborted) {
        this.#renewedAtMs = sentAtMs;
        this.#notify("onRenewed", () => this.#options.onRenewed?.(sentAtMs));
      }
      return isHeld;
    } catch (error) {
      if (!signal.aborted)
        this.#options.log.error(error, "cannot read or write the lease", {
          lock: this.#options.lock.describe(),
        });
      return false;
    }
  }

  async #tryAcquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { lock } = this.#options;
    const now = this.#microTime();
    if (this.isLeader() && this.#isObservedValid() && (await this.#renewFast(now, signal))) return true;
    const current = await lock.get(signal);
    if (current === undefined) {
      const record = this.#newRecord(now, now, 0);
      await lock.create(record, signal);
      this.#observe(record);
      return true;
    }
    if (this.#observed === undefined || !recordsEqual(this.#observed, current)) this.#observe(current);
    if (current.holderIdentity !== "" && !this.isLeader() && this.#isObservedValid()) return false;
    const record =
      current.holderIdentity === lock.identity
        ? this.#newRecord(current.acquireTime, now, current.leaderTransitions)
        : this.#newRecord(now, now, current.leaderTransitions + 1);
    await lock.update(record, signal);
    this.#observe(record);
    return true;
  }

  // Updates the last written lease; after a failure another candidate may have written, so it is read again.
  async #renewFast(now: string, signal: AbortSignal): Promise<boolean> {
    const observed = this.#observed;
    if (observed === undefined) return false;
    const record = this.#newRecord(observed.acquireTime, now, observed.leaderTransitions);
    try {
      await this.#options.lock.update(record, signal);
    } catch (error) {
      this.#options.log.v(1).info("cannot update the lease optimistically", { error: messageOf(error) });
      return false;
    }
    this.#observe(record);
    return true;
  }

  async #release(): Promise<void> {
    const { lock, log, clock, renewDeadlineMs } = this.#options;
    const limit = new AbortController();
    const timer = clock.setTimeout(() => limit.abort(), renewDeadlineMs);
    try {
      const now = this.#microTime();
      const record = {
        ...this.#newRecord(now, now, this.#observed?.leaderTransitions ?? 0),
        holderIdentity: "",
        leaseDurationSeconds: 1,
      };
      await this.#releaseWithRetries(record, limit.signal);
    } catch (error) {
      log.error(error, "cannot release the lease", { lock: lock.describe() });
    } finally {
      timer.cancel();
    }
  }

  async #releaseWithRetries(record: LeaderElectionRecord, signal: AbortSignal): Promise<void> {
    const { lock } = this.#options;
    for (;;) {
      try {
        await lock.update(record, signal);
        this.#observe(record);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        const current = await lock.get(signal);
        if (current?.holderIdentity !== lock.identity) return;
        await pause(this.#options.clock, 10, signal);
      }
    }
  }

  #isObservedValid(): boolean {
    const durationMs = (this.#observed?.leaseDurationSeconds ?? 0) * 1000;
    return this.#observedAtMs + durationMs > this.#options.clock.monotonic();
  }

  #observe(record: LeaderElectionRecord): void {
    this.#observed = record;
    this.#observedAtMs = this.#options.clock.monotonic();
    if (record.holderIdentity === this.#reportedLeader) return;
    this.#reportedLeader = record.holderIdentity;
    this.#notify("onNewLeader", () => this.#options.onNewLeader?.(record.holderIdentity));
  }

  // A failing callback must not cost the lease.
  #notify(name: string, callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.log.error(error, "a callback of the leader election failed", { callback: name });
    }
  }

  #newRecord(acquireTime: string, renewTime: string, leaderTransitions: number): LeaderElectionRecord {
    return {
      holderIdentity: this.#options.lock.identity,
      leaseDurationSeconds: Math.ceil(this.#options.leaseDurationMs / 1000),
      acquireTime,
      renewTime,
      leaderTransitions,
    };
  }

  #microTime(): string {
    return toMicroTime(this.#options.clock.now());
  }

  #random(): number {
    return (this.#options.random ?? Math.random)();
  }
}

/**
 * Checks the durations of an election.
 *
 * Fails: {@link LeaderElectionTimingError} when they contradict each other, `NumericOptionError` when one is not a finite number.
 */
export function checkTiming(timing: LeaderElectionTiming): void {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timing;
  checkNumbers("leader election", timing, {
    leaseDurationMs: "finite",
    renewDeadlineMs: "finite",
    retryPeriodMs: "finite",
  });
  if (Math.min(leaseDurationMs, renewDeadlineMs, retryPeriodMs) <= 0) {
    throw new LeaderElectionTimingError("every duration must be greater than zero");
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new LeaderElectionTimingError(
      `leaseDurationMs (${String(leaseDurationMs)}) must be greater than renewDeadlineMs (${String(renewDeadlineMs)})`,
    );
  }
  if (renewDeadlineMs <= JITTER_FACTOR * retryPeriodMs) {
    throw new LeaderElectionTimingError(
      `renewDeadlineMs (${String(renewDeadlineMs)}) must be greater than 1.2 × retryPeriodMs (${String(retryPeriodMs)})`,
    );
  }
}

async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(clock, delayMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
