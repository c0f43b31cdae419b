import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import type { LeaderElectionLock, LeaderElectionRecord } from "../../src/leader-election/leader-election-lock.ts";
import { DEFAULT_TIMING, LeaderElector, checkTiming } from "../../src/leader-election/leader-elector.ts";
import { newLeaderHealthzAdaptor } from "../../src/leader-election/leader-healthz-adaptor.ts";
import { silentLogger } from "../../src/log/logger.ts";

// The server's side of the lock: one record and a version that every write must know.
class SharedLock {
  record: LeaderElectionRecord | undefined;
  version = 0;
  isReachable = true;

  candidate(identity: string): LeaderElectionLock {
    let seen = 0;
    const write = (record: LeaderElectionRecord): Promise<void> => {
      if (!this.isReachable) return Promise.reject(new TypeError("unreachable"));
      if (seen !== this.version) return Promise.reject(new TypeError("conflict"));
      this.record = record;
      seen = this.version += 1;
      return Promise.resolve();
    };
    return {
      identity,
      describe: () => "default/lock",
      get: () => {
        if (!this.isReachable) return Promise.reject(new TypeError("unreachable"));
        seen = this.version;
        return Promise.resolve(this.record);
      },
      create: write,
      update: write,
      recordEvent: () => undefined,
    };
  }
}

interface Candidate {
  readonly elector: LeaderElector;
  readonly events: string[];
  readonly leaders: string[];
  readonly stop: () => void;
  readonly done: Promise<void>;
}

function start(shared: SharedLock, clock: FakeClock, identity: string, releaseOnCancel = false): Candidate {
  const events: string[] = [];
  const leaders: string[] = [];
  const controller = new AbortController();
  const elector = new LeaderElector({
    ...DEFAULT_TIMING,
    lock: shared.candidate(identity),
    clock,
    log: silentLogger,
    releaseOnCancel,
    random: () => 0.5,
    onNewLeader: (leader) => leaders.push(leader),
    onStartedLeading: () => events.push("started"),
    onStoppedLeading: () => events.push("stopped"),
  });
  return { elector, events, leaders, stop: () => controller.abort(), done: elector.run(controller.signal) };
}

describe("LeaderElector", () => {
  it("reports the observed leaders, each once", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const one = start(shared, clock, "one", true);
    await clock.advance(0);
    const two = start(shared, clock, "two");
    expect(two.elector.getLeader()).toBe("");
    await clock.advance(30_000);
    expect([one.elector.getLeader(), two.elector.getLeader()]).toEqual(["one", "one"]);
    one.stop();
    await clock.advance(30_000);
    expect(two.elector.getLeader()).toBe("two");
    expect(one.leaders).toEqual(["one", ""]);
    expect(two.leaders.filter((leader) => leader !== "")).toEqual(["one", "two"]);
  });

  it("is unhealthy when it holds a lease that it does not renew, after the lease duration and the tolerance", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const { name, check, setLeaderElection } = newLeaderHealthzAdaptor(20_000);
    expect(name).toBe("leaderElection");
    check();
    const [one, two] = [start(shared, clock, "one"), start(shared, clock, "two")];
    setLeaderElection(one.elector);
    await clock.advance(60_000);
    check();
    shared.isReachable = false;
    await clock.advance(30_000);
    check();
    await clock.advance(10_000);
    expect(check).toThrow("the lease default/lock was not renewed for");
    // A candidate without the lease is healthy.
    two.elector.check(0);
  });

  it("leads immediately without another leader, and renews without a transition", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const one = start(shared, clock, "one");
    await clock.advance(60_000);
    expect(one.events).toEqual(["started"]);
    expect(shared.record).toMatchObject({ holderIdentity: "one", leaseDurationSeconds: 15, leaderTransitions: 0 });
    expect(Date.parse(shared.record?.renewTime ?? "")).toBe(clock.now());
  });

  it("guarantee 1: reports a lost lease at the renew deadline, also with releaseOnCancel", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const one = start(shared, clock, "one", true);
    await clock.advance(1);
    expect(one.events).toEqual(["started"]);
    shared.isReachable = false;
    await clock.advance(DEFAULT_TIMING.renewDeadlineMs + DEFAULT_TIMING.retryPeriodMs);
    expect(one.events).toEqual(["started", "stopped"]);
  });

  it("leaves a foreign holder in peace while it renews", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    start(shared, clock, "one");
    await clock.advance(1_000);
    const two = start(shared, clock, "two");
    await clock.advance(600_000);
    expect(two.events).toEqual([]);
  });

  it("waits a whole lease duration after it first observes another record, regardless of its times", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    shared.record = {
      holderIdentity: "gone",
      leaseDurationSeconds: 15,
      acquireTime: "2001-01-01T00:00:00.000000Z",
      renewTime: "2001-01-01T00:00:00.000000Z",
      leaderTransitions: 4,
    };
    const two = start(shared, clock, "two");
    await clock.advance(14_900);
    expect(two.events).toEqual([]);
    await clock.advance(4_400);
    expect(two.events).toEqual(["started"]);
    expect(shared.record).toMatchObject({ holderIdentity: "two", leaderTransitions: 5 });
  });

  it("row 31: releases the lease when it is stopped, and the next candidate leads at its next try", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const one = start(shared, clock, "one", true);
    await clock.advance(5_000);
    const two = start(shared, clock, "two");
    await clock.advance(5_000);
    one.stop();
    await one.done;
    expect(shared.record).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    await clock.advance(5_000);
    expect(two.events).toEqual(["started"]);
    expect(one.events).toEqual(["started", "stopped"]);
  });

  it("row 31: without release the successor leads within lease duration plus one jittered period", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const one = start(shared, clock, "one");
    await clock.advance(5_000);
    const two = start(shared, clock, "two");
    await clock.advance(5_000);
    one.stop();
    await one.done;
    await clock.advance(20_000);
    expect(two.events).toEqual(["started"]);
  });

  it("stops leading when the renewal deadline passes without a success", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    const one = start(shared, clock, "one");
    await clock.advance(1_000);
    shared.isReachable = false;
    await clock.advance(8_900);
    expect(one.events).toEqual(["started"]);
    await clock.advance(2_200);
    await one.done;
    expect(one.events).toEqual(["started", "stopped"]);
  });

  it("reports its end although it never led", async () => {
    const [shared, clock] = [new SharedLock(), new FakeClock()];
    start(shared, clock, "one");
    await clock.advance(1_000);
    const two = start(shared, clock, "two");
    await clock.advance(1_000);
    two.stop();
    await two.done;
    expect(two.events).toEqual(["stopped"]);
  });
});

describe("checkTiming", () => {
  it.each([
    [{ ...DEFAULT_TIMING, retryPeriodMs: 0 }, /greater than zero/],
    [{ ...DEFAULT_TIMING, leaseDurationMs: 10_000 }, /leaseDurationMs \(10000\) must be greater than renewDeadlineMs/],
    [{ ...DEFAULT_TIMING, retryPeriodMs: 8_500 }, /1\.2 × retryPeriodMs/],
  ])("refuses times that contradict one another", (timing, message) => {
    expect(() => checkTiming(timing)).toThrow(message);
  });
});
