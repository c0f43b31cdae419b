import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { LeaderElectionIdentityError } from "../../src/leader-election/errors.ts";
import { createLeaseLock, type LeaderElectionLock } from "../../src/leader-election/leader-election-lock.ts";
import { DEFAULT_TIMING, LeaderElector } from "../../src/leader-election/leader-elector.ts";
import { createMultiLock } from "../../src/leader-election/multi-lock.ts";
import { silentLogger } from "../../src/log/logger.ts";

const environment = new Environment({ backend: "embedded" });
let config: RestConfig;
let client: Client;

beforeAll(async () => {
  config = await environment.start();
  client = createClient(config);
});

afterAll(async () => {
  await environment.stop();
});

interface Candidate {
  readonly elector: LeaderElector;
  readonly stop: () => Promise<void>;
}

let migrations = 0;

class Migration {
  readonly clock = new FakeClock();
  readonly #prefix = `migration-${String((migrations += 1))}`;

  lock(identity: string, name: "old" | "new"): LeaderElectionLock {
    return createLeaseLock({ client, namespace: "default", name: this.leaseName(name), identity });
  }

  leaseName(name: "old" | "new"): string {
    return `${this.#prefix}-${name}`;
  }

  both(identity: string): LeaderElectionLock {
    return createMultiLock({ primary: this.lock(identity, "old"), secondary: this.lock(identity, "new") });
  }

  start(lock: LeaderElectionLock, releaseOnCancel = false): Candidate {
    const controller = new AbortController();
    const elector = new LeaderElector({
      ...DEFAULT_TIMING,
      lock,
      clock: this.clock,
      log: silentLogger,
      releaseOnCancel,
      random: () => 0,
      onStartedLeading: () => undefined,
      onStoppedLeading: () => undefined,
    });
    const running = elector.run(controller.signal);
    return {
      elector,
      stop: async () => {
        controller.abort();
        await running;
      },
    };
  }

  /** Lets time pass while the server answers, in steps shorter than the retry period. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      await this.clock.advance(500);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async holders(): Promise<readonly (string | undefined)[]> {
    const names = [this.leaseName("old"), this.leaseName("new")];
    const leases = names.map(
      async (name) => await client.get(Lease, { namespace: "default", name }).catch(() => undefined),
    );
    return (await Promise.all(leases)).map((lease) => lease?.spec?.holderIdentity);
  }
}

it("creates and renews both leases", async () => {
  const migration = new Migration();
  const one = migration.start(migration.both("one"));
  await migration.pass(6000);
  expect(one.elector.isLeader()).toBe(true);
  expect(await migration.holders()).toEqual(["one", "one"]);
  await one.stop();
});

it("waits for the leader of the old lease, and then leads with both", async () => {
  const migration = new Migration();
  const old = migration.start(migration.lock("old", "old"), true);
  await migration.pass(1000);
  const both = migration.start(migration.both("both"));
  await migration.pass(40_000);
  expect([old.elector.isLeader(), both.elector.isLeader()]).toEqual([true, false]);
  expect(await migration.holders()).toEqual(["old", undefined]);
  await old.stop();
  await migration.pass(4000);
  expect(both.elector.isLeader()).toBe(true);
  expect(await migration.holders()).toEqual(["both", "both"]);
  await both.stop();
});

it("keeps candidates of the new lease waiting while a candidate holds both", async () => {
  const migration = new Migration();
  const both = migration.start(migration.both("both"), true);
  await migration.pass(1000);
  const later = migration.start(migration.lock("later", "new"));
  await migration.pass(40_000);
  expect([both.elector.isLeader(), later.elector.isLeader()]).toEqual([true, false]);
  await both.stop();
  await migration.pass(4000);
  expect(later.elector.isLeader()).toBe(true);
  await later.stop();
});

it("does not lead while another candidate renews only the new lease", async () => {
  const migration = new Migration();
  const later = migration.start(migration.lock("later", "new"), true);
  await migration.pass(1000);
  // The old lease has expired long ago.
  const gone = migration.start(migration.lock("gone", "old"));
  await migration.pass(1000);
  await gone.stop();
  const both = migration.start(migration.both("both"));
  await migration.pass(60_000);
  expect([later.elector.isLeader(), both.elector.isLeader()]).toEqual([true, false]);
  expect(both.elector.getLeader()).toBe("leaderelection.k8s.io/unknown");
  await later.stop();
  await migration.pass(20_000);
  expect(both.elector.isLeader()).toBe(true);
  expect(await migration.holders()).toEqual(["both", "both"]);
  await both.stop();
});

it("creates the new lease again when it was deleted", async () => {
  const migration = new Migration();
  const one = migration.start(migration.both("one"));
  await migration.pass(1000);
  await client.delete(Lease.create({ metadata: { namespace: "default", name: migration.leaseName("new") } }));
  await migration.pass(8000);
  expect(one.elector.isLeader()).toBe(true);
  expect(await migration.holders()).toEqual(["one", "one"]);
  await one.stop();
});

it("requires one identity for both locks", () => {
  const migration = new Migration();
  const locks = { primary: migration.lock("one", "old"), secondary: migration.lock("two", "new") };
  expect(() => createMultiLock(locks)).toThrow(LeaderElectionIdentityError);
});
