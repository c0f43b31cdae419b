import { AsyncResource } from "node:async_hooks";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock, whenAborted } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { LeaderElectionLock, LeaderElectionRecord } from "../../src/leader-election/leader-election-lock.ts";
import { DEFAULT_TIMING } from "../../src/leader-election/leader-elector.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { ShardCandidate } from "../../src/sharding/shard-candidate.ts";

const environment = new Environment({ backend: "embedded" });
let config: RestConfig;
let client: Client;
let written = 0;

beforeAll(async () => {
  config = await environment.start();
  client = createClient(config);
});

afterAll(async () => {
  await environment.stop();
});

class Lock {
  record: LeaderElectionRecord | undefined;
  isReachable = true;

  of(identity: string): LeaderElectionLock {
    const check = (): void => {
      if (!this.isReachable) throw new Error("the server is unreachable");
    };
    const write = async (record: LeaderElectionRecord): Promise<void> => {
      check();
      this.record = record;
    };
    return {
      identity,
      describe: () => "default/shard",
      get: async () => {
        check();
        return this.record;
      },
      create: write,
      update: write,
      recordEvent: () => undefined,
    };
  }

  get holder(): string | undefined {
    return this.record?.holderIdentity;
  }
}

interface Running {
  readonly candidate: ShardCandidate;
  readonly lock: Lock;
  readonly clock: FakeClock;
  readonly log: string[];
  /** Ends the work that ignores its signal. */
  readonly endWork: () => void;
  /** Writes in the scope of the work. */
  readonly write: () => Promise<unknown>;
}

async function start(mayBegin: () => Promise<boolean> = async () => true): Promise<Running> {
  const [lock, clock, log]: [Lock, FakeClock, string[]] = [new Lock(), new FakeClock(), []];
  let endWork = (): void => undefined;
  let write = async (): Promise<unknown> => "not working";
  const candidate = new ShardCandidate({
    ...DEFAULT_TIMING,
    clock,
    log: silentLogger,
    newLock: () => lock.of("me"),
    mayBegin,
    onHeld: (isHeld) => log.push(isHeld ? "held" : "ended"),
    work: async (signal) => {
      // Calls run in the scope of the work, regardless of the caller.
      write = AsyncResource.bind(async () => {
        const name = `write-${String((written += 1))}`;
        return await client.create(ConfigMap.create({ metadata: { namespace: "default", name } })).then(
          () => "written",
          (error: unknown) => (error as { code: unknown }).code,
        );
      });
      const ended = new Promise<void>((resolve) => (endWork = resolve));
      await whenAborted(signal);
      log.push("aborted");
      await ended;
    },
  });
  await clock.advance(0);
  return { candidate, lock, clock, log, endWork: () => endWork(), write: async () => await write() };
}

describe("a candidate for a shard", () => {
  it("renews the lease until its work has ended, and releases it then", async () => {
    const { candidate, lock, clock, log, endWork } = await start();
    expect(log).toEqual(["held"]);
    const left = candidate.leave();
    await clock.advance(60_000);
    expect(log).toEqual(["held", "aborted"]);
    expect(lock.holder).toBe("me");
    endWork();
    await left;
    expect(log).toEqual(["held", "aborted", "ended"]);
    expect(lock.holder).toBe("");
  });

  it("guarantee 19: refuses writes of the work from the renew deadline on", async () => {
    const { candidate, lock, clock, log, endWork, write } = await start();
    expect(await write()).toBe("written");
    lock.isReachable = false;
    await clock.advance(9_000);
    expect(await write()).toBe("written");
    await clock.advance(1_500);
    expect(log).toEqual(["held", "aborted"]);
    expect(await write()).toBe("LEADER_LEASE_EXPIRED");
    // Another one has taken over, and released the shard again; the work of the lost term must end first.
    lock.isReachable = true;
    lock.record = undefined;
    await clock.advance(60_000);
    expect(log).toEqual(["held", "aborted"]);
    expect(lock.holder).toBeUndefined();
    expect(await write()).toBe("LEADER_LEASE_EXPIRED");
    endWork();
    await clock.advance(10_000);
    expect(log).toEqual(["held", "aborted", "ended", "held"]);
    expect(await write()).toBe("written");
    const left = candidate.leave();
    endWork();
    await clock.advance(1000);
    await left;
  });

  it("guarantee 19: refuses writes that come after the release, and no others", async () => {
    const [one, two] = [await start(), await start()];
    one.endWork();
    await one.candidate.leave();
    expect(await one.write()).toBe("LEADER_LEASE_EXPIRED");
    expect(await two.write()).toBe("written");
    expect(await client.list(ConfigMap, { namespace: "default" }).then(() => "listed")).toBe("listed");
    two.endWork();
    await two.candidate.leave();
  });

  it("releases a shard that it may not begin to process, and tries again", async () => {
    let mayBegin = false;
    const { candidate, lock, clock, log, endWork } = await start(async () => mayBegin);
    expect(log).toEqual([]);
    expect(lock.holder).toBe("");
    mayBegin = true;
    await clock.advance(5000);
    expect(log).toEqual(["held"]);
    endWork();
    await candidate.leave();
    expect(lock.holder).toBe("");
  });

  it("ends while another replica holds the shard", async () => {
    const lock = new Lock();
    const clock = new FakeClock();
    const time = "2026-01-01T00:00:00.000000Z";
    lock.record = {
      holderIdentity: "other",
      leaseDurationSeconds: 15,
      acquireTime: time,
      renewTime: time,
      leaderTransitions: 0,
    };
    const candidate = new ShardCandidate({
      ...DEFAULT_TIMING,
      clock,
      log: silentLogger,
      newLock: () => lock.of("me"),
      mayBegin: async () => true,
      onHeld: () => undefined,
      work: async () => undefined,
    });
    await clock.advance(3000);
    await candidate.leave();
    expect(lock.holder).toBe("other");
  });
});
