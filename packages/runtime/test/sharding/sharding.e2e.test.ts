import { Environment } from "@kubescaffold/envtest";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createSharding } from "../../src/sharding/create-sharding.ts";
import { ShardingOptionsError } from "../../src/sharding/errors.ts";
import type { Sharding, ShardingOptions } from "../../src/sharding/sharding.ts";

const TIMING = { leaseDurationMs: 1500, renewDeadlineMs: 1000, retryPeriodMs: 100 };
const environment = new Environment({ backend: "embedded" });
const stops = new Set<() => Promise<unknown>>();
let client: Client;
let count = 0;

beforeAll(async () => {
  await environment.start();
  client = createClient(environment.config);
});

afterEach(async () => {
  await Promise.all([...stops].map(async (stop) => await stop()));
  stops.clear();
});

afterAll(async () => {
  await environment.stop();
});

interface Replica {
  readonly manager: Manager;
  readonly sharding: Sharding;
  readonly start: () => void;
  readonly stop: () => Promise<unknown>;
}

const uniqueId = (): string => `sharding-${String((count += 1))}`;

async function createReplica(id: string, options: Partial<ShardingOptions> = {}): Promise<Replica> {
  const manager = await createManager(environment.config, {
    logger: silentLogger,
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
  });
  const sharding = await createSharding(manager, { id, shards: 4, namespace: "default", ...TIMING, ...options });
  const stopping = new AbortController();
  let ended: Promise<unknown> = Promise.resolve(undefined);
  const stop = async (): Promise<unknown> => {
    stopping.abort();
    return await ended;
  };
  stops.add(stop);
  const start = (): void => {
    ended = manager.start(stopping.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  return { manager, sharding, start, stop };
}

async function reconcile(
  replica: Replica,
  name: string,
  onRequest: (shard: number, name: string) => void,
): Promise<void> {
  replica.sharding.forEachShard(async ({ shard, manager }) => {
    await newControllerManagedBy(manager)
      .for(ConfigMap)
      .named(name)
      .complete(async (request) => onRequest(shard, request.name));
  });
}

const createAll = async (prefix: string, total: number): Promise<readonly string[]> => {
  const names = Array.from({ length: total }, (_, index) => `${prefix}-${String(index)}`);
  for (const name of names) await client.create(ConfigMap.create({ metadata: { namespace: "default", name } }));
  return names;
};

describe("a sharding", () => {
  it("passes each request to the controller of its shard, and all requests to some", async () => {
    const id = uniqueId();
    const names = await createAll(id, 40);
    const replica = await createReplica(id);
    const seen = new Map<string, number>();
    const wrong: string[] = [];
    await reconcile(replica, id, (shard, name) => {
      if (shard !== replica.sharding.shardOf({ namespace: "default", name })) wrong.push(name);
      seen.set(name, shard);
    });
    replica.start();
    await vi.waitFor(() => expect(names.filter((name) => !seen.has(name))).toEqual([]), { timeout: 10_000 });
    expect(replica.sharding.heldShards()).toEqual([0, 1, 2, 3]);
    expect(new Set(names.map((name) => seen.get(name)))).toEqual(new Set([0, 1, 2, 3]));
    expect(wrong).toEqual([]);
    const status = await replica.manager.getMetricsRegistry().getSingleMetric("leader_election_master_status")?.get();
    expect(status?.values.map(({ value }) => value)).toEqual([1, 1, 1, 1]);
  });

  it("divides the shards when a second replica comes, and takes them over when it stops", async () => {
    const id = uniqueId();
    const [one, two] = [await createReplica(id), await createReplica(id)];
    one.start();
    await vi.waitFor(() => expect(one.sharding.heldShards()).toHaveLength(4), { timeout: 10_000 });
    two.start();
    await vi.waitFor(
      () => {
        expect(one.sharding.heldShards()).toHaveLength(2);
        expect(two.sharding.heldShards()).toHaveLength(2);
      },
      { timeout: 10_000 },
    );
    expect(new Set([...one.sharding.heldShards(), ...two.sharding.heldShards()])).toEqual(new Set([0, 1, 2, 3]));
    expect(await two.stop()).toBeUndefined();
    expect(two.sharding.heldShards()).toEqual([]);
    await vi.waitFor(() => expect(one.sharding.heldShards()).toHaveLength(4), { timeout: 10_000 });
  });

  it("keeps the lease of a shard until its reconciles have ended", async () => {
    const id = uniqueId();
    await createAll(id, 12);
    const [one, two] = [await createReplica(id), await createReplica(id)];
    const active = new Map<string, string>();
    const overlaps: string[] = [];
    let releases: (() => void)[] = [];
    const slow = (replica: Replica, owner: string): void =>
      replica.sharding.forEachShard(async ({ manager }) => {
        await newControllerManagedBy(manager)
          .for(ConfigMap)
          .named(id)
          .complete(async ({ name }) => {
            if (!name.startsWith(id)) return;
            if (active.has(name)) overlaps.push(`${name}: ${String(active.get(name))} ${owner}`);
            active.set(name, owner);
            // Ignores its signal.
            if (owner === "one") await new Promise<void>((resolve) => releases.push(resolve));
            active.delete(name);
          });
      });
    slow(one, "one");
    slow(two, "two");
    one.start();
    await vi.waitFor(() => expect(releases.length).toBeGreaterThanOrEqual(4), { timeout: 10_000 });
    two.start();
    // Longer than the lease takes: it is renewed while the reconciles go on.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(two.sharding.heldShards()).toEqual([]);
    const stopReleasing = setInterval(() => {
      for (const release of releases) release();
      releases = [];
    }, 20);
    await vi.waitFor(() => expect(two.sharding.heldShards()).toHaveLength(2), { timeout: 10_000 });
    await Promise.all([one.stop(), two.stop()]);
    clearInterval(stopReleasing);
    expect(overlaps).toEqual([]);
  });

  it("guarantee 18: waits for replicas with another number of shards, and removes what they leave", async () => {
    const id = uniqueId();
    const old = await createReplica(id);
    old.start();
    await vi.waitFor(() => expect(old.sharding.heldShards()).toHaveLength(4), { timeout: 10_000 });
    const next = await createReplica(id, { shards: 6, leaseDurationMs: 300, renewDeadlineMs: 200 });
    next.start();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect([old.sharding.heldShards().length, next.sharding.heldShards().length]).toEqual([4, 0]);
    await old.stop();
    await vi.waitFor(() => expect(next.sharding.heldShards()).toHaveLength(6), { timeout: 10_000 });
    await vi.waitFor(
      async () => {
        const { items } = await client.list(Lease, {
          namespace: "default",
          labelSelector: `kubescaffold.dev/sharding=${id}`,
        });
        expect(new Set(items.map(({ metadata }) => metadata.labels?.["kubescaffold.dev/shards"]))).toEqual(
          new Set(["6"]),
        );
      },
      { timeout: 20_000, interval: 200 },
    );
  }, 60_000);

  it("lets one of two replicas with different numbers of shards begin, if both start at once", async () => {
    const id = uniqueId();
    const replicas = [await createReplica(id, { shards: 3 }), await createReplica(id, { shards: 5 })];
    let both = false;
    const check = setInterval(() => {
      both ||= replicas.every(({ sharding }) => sharding.heldShards().length > 0);
    }, 5);
    for (const replica of replicas) replica.start();
    await vi.waitFor(
      () => expect(Math.max(...replicas.map(({ sharding }) => sharding.heldShards().length))).toBeGreaterThan(2),
      {
        timeout: 20_000,
      },
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    clearInterval(check);
    expect(both).toBe(false);
  }, 60_000);

  it("sets up shards that it holds when forEachShard is called later, with their writes checked", async () => {
    const id = uniqueId();
    const replica = await createReplica(id, { shards: 2 });
    replica.start();
    await vi.waitFor(() => expect(replica.sharding.heldShards()).toHaveLength(2), { timeout: 10_000 });
    const tried = new Promise<unknown>((resolve) => {
      replica.sharding.forEachShard(({ shard, manager }) => {
        if (shard !== 0) return;
        manager.add(async () => {
          const until = performance.now() + 1200;
          while (performance.now() < until);
          const late = ConfigMap.create({ metadata: { namespace: "default", name: `${id}-late` } });
          resolve(await client.create(late).catch((error: unknown) => (error as { code: unknown }).code));
        });
      });
    });
    expect(await tried).toBe("LEADER_LEASE_EXPIRED");
  });

  it("uses the part of a request that the options name", async () => {
    const { sharding } = await createReplica(uniqueId(), {
      shards: 1000,
      shardKey: (request) => (request as { namespace: string }).namespace,
    });
    expect(sharding.shardOf({ namespace: "a", name: "1" })).toBe(sharding.shardOf({ namespace: "a", name: "2" }));
    expect(sharding.shardOf({ namespace: "a", name: "1" })).not.toBe(sharding.shardOf({ namespace: "b", name: "1" }));
  });

  it("stops the manager after a programming error in a set-up", async () => {
    const replica = await createReplica(uniqueId(), { shards: 1 });
    let called = (): void => undefined;
    const wasCalled = new Promise<void>((resolve) => (called = resolve));
    replica.sharding.forEachShard(() => {
      called();
      throw new TypeError("no such method");
    });
    replica.start();
    await wasCalled;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await replica.stop()).toMatchObject({ message: "no such method" });
  });

  it.each([{ id: "Upper" }, { id: "a".repeat(41) }, { id: "" }, { shards: 0 }, { shards: 1.5 }])(
    "rejects the options %o",
    async (options) => {
      await expect(createReplica(options.id ?? "valid", options)).rejects.toThrow(ShardingOptionsError);
    },
  );
});
