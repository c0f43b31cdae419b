import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import { startChaos } from "@kubescaffold/envtest/chaos";
import type { RestConfig } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { LeaseGuard } from "../../src/leader-election/lease-guard.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createCluster } from "../../src/manager/cluster.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const LIVENESS_MS = 120_000;
const PATH = "/api/v1/namespaces/default/configmaps/x";
const TIMING = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 300 };
const environment = new Environment({ backend: "embedded" });
let config: RestConfig;
let live: LiveClient;

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
});

afterAll(async () => {
  await environment.stop();
});

describe("guarantee 1: a manager that loses its lease", { timeout: LIVENESS_MS }, () => {
  it("guarantee 1: stops at once, and its last write was sent within the renew deadline and before the first of the next leader", async () => {
    const chaos = await startChaos({ target: config, seed: 1, faults: {} });
    onTestFinished(async () => await chaos.stop());
    const old = startLeader("old", chaos.restConfig);
    await until(async () => (await writes("old")).length > 5);
    const listener = await environment.cluster.listen();
    onTestFinished(async () => await listener.close());
    const next = startLeader("next", listener.config);
    await until(async () => (await writes("old")).length > 20);
    chaos.script([{ fault: "hangRequest", match: { resource: "leases" }, times: 1_000_000 }]);
    const ended = await old.ended;
    const lease = await live.get(Lease, { namespace: "default", name: "stubborn" });
    const renewedAt = Date.parse(lease.spec?.renewTime ?? "");
    await until(async () => (await writes("next")).length > 5);
    next.child.kill("SIGKILL");

    const [oldWrites, nextWrites] = [await writes("old"), await writes("next")];
    expect(ended.code).toBe("LEADER_ELECTION_LOST");
    // Times of a lease are microseconds of the same clock, those of a write whole milliseconds.
    const deadline = renewedAt + TIMING.renewDeadlineMs + 1;
    expect(Math.max(...oldWrites.map(({ sentAt }) => sentAt))).toBeLessThanOrEqual(deadline);
    expect(Math.max(...oldWrites.map(({ version }) => version))).toBeLessThan(
      Math.min(...nextWrites.map(({ version }) => version)),
    );
    // It does not wait for its runnable, its events, or the server.
    expect(ended.endedAt).toBeLessThan(deadline + TIMING.leaseDurationMs - TIMING.renewDeadlineMs);
  });
});

it("guarantee 1: a runnable that does not stop in time writes nothing after the lease was released", async () => {
  const transport = config.transport ?? fetch;
  const slowEvents: RestConfig = {
    ...config,
    transport: async (request) => {
      if (new URL(request.url).pathname.endsWith("/events")) {
        await new Promise((resolve) => {
          setTimeout(resolve, 1000);
        });
      }
      return await transport(request);
    },
  };
  const manager = await createManager(slowEvents, {
    logger: silentLogger,
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    leaderElection: true,
    leaderElectionId: "released",
    leaderElectionNamespace: "default",
    leaderElectionReleaseOnCancel: true,
    gracefulShutdownTimeoutMs: 50,
  });
  const over = new AbortController();
  const refusals = new Set<unknown>();
  manager.add(async () => {
    while (!over.signal.aborted) {
      const metadata = { namespace: "default", generateName: "released-", labels: { writer: "released" } };
      await manager
        .getClient()
        .create(ConfigMap.create({ metadata, data: { sentAt: "0" } }))
        .catch((error: unknown) => {
          refusals.add(codeOf(error));
        });
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  });
  const stopping = new AbortController();
  const running = manager.start(stopping.signal).catch(codeOf);
  await until(async () => (await writes("released")).length > 5);
  stopping.abort();
  expect(await running).toBe("MANAGER_SHUTDOWN_TIMEOUT");
  over.abort();
  const lease = await live.get(Lease, { namespace: "default", name: "released" });
  expect(lease.spec?.holderIdentity ?? "").toBe("");
  const versions = (await writes("released")).map(({ version }) => version);
  expect(Math.max(...versions)).toBeLessThan(Number(lease.metadata.resourceVersion));
  expect(refusals).toContain("LEADER_LEASE_EXPIRED");
});

it("sets the labels of the manager's options on the lease, and keeps others", async () => {
  const lease = Lease.create({
    metadata: { namespace: "default", name: "labeled", labels: { team: "a", shard: "0" } },
  });
  await live.create(lease);
  const manager = await createManager(config, {
    logger: silentLogger,
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    leaderElection: true,
    leaderElectionId: "labeled",
    leaderElectionNamespace: "default",
    leaderElectionLabels: { shard: "1" },
  });
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  await manager.elected;
  const { metadata } = await live.get(Lease, { namespace: "default", name: "labeled" });
  expect(metadata.labels).toEqual({ team: "a", shard: "1" });
  stopping.abort();
  await running;
});

describe("guarantee 2: a leader whose event loop was blocked", () => {
  it("guarantee 2: writes nothing after its renew deadline, whatever writes", async () => {
    const manager = await createManager(config, {
      logger: silentLogger,
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      leaderElection: true,
      leaderElectionId: "blocked",
      leaderElectionNamespace: "default",
      leaseDurationMs: 1500,
      renewDeadlineMs: 1000,
      retryPeriodMs: 200,
    });
    const client = manager.getClient();
    const object = ConfigMap.create({ metadata: { namespace: "default", name: "blocked" }, data: {} });
    const tried = new Promise<readonly unknown[]>((resolve) => {
      manager.add(async () => {
        const created = await client.create(object);
        block(1600);
        const attempts = [
          client.update({ ...created, data: { a: "1" } }),
          client.delete(created),
          client.create(ConfigMap.create({ metadata: { namespace: "default", name: "blocked-2" } })),
          client.status().update({ ...created, data: { a: "2" } }),
          client.deleteAllOf(ConfigMap, { namespace: "default" }),
        ];
        resolve(await Promise.all(attempts.map((attempt) => attempt.then(String, codeOf))));
      });
    });
    const running = manager.start(new AbortController().signal).catch(codeOf);
    expect(new Set(await tried)).toEqual(new Set(["LEADER_LEASE_EXPIRED"]));
    expect(await running).toBe("LEADER_ELECTION_LOST");
    expect((await live.get(ConfigMap, { namespace: "default", name: "blocked" })).data).toBeUndefined();
    await expect(live.get(ConfigMap, { namespace: "default", name: "blocked-2" })).rejects.toThrow("not found");
  });

  it("guarantee 2: writes nothing to other clusters that were added to its manager", async () => {
    const logger = silentLogger;
    const manager = await createManager(config, {
      logger,
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      leaderElection: true,
      leaderElectionId: "blocked-clusters",
      leaderElectionNamespace: "default",
      leaseDurationMs: 1500,
      renewDeadlineMs: 1000,
      retryPeriodMs: 200,
    });
    const other = createCluster(config, { logger, registry: createMetricsRegistry() });
    manager.add(other);
    const create = async (name: string): Promise<unknown> =>
      other
        .getClient()
        .create(ConfigMap.create({ metadata: { namespace: "default", name } }))
        .then(({ metadata }) => metadata.name, codeOf);
    const tried = new Promise<readonly unknown[]>((resolve) => {
      manager.add(async () => {
        const before = await create("other-1");
        block(1600);
        resolve([before, await create("other-2")]);
      });
    });
    const running = manager.start(new AbortController().signal).catch(codeOf);
    expect(await tried).toEqual(["other-1", "LEADER_LEASE_EXPIRED"]);
    expect(await running).toBe("LEADER_ELECTION_LOST");
  });

  it("guarantee 2: a client of a manager that has stopped sends nothing", async () => {
    const manager = await createManager(config, {
      logger: silentLogger,
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    });
    const stopping = new AbortController();
    const running = manager.start(stopping.signal);
    await manager.elected;
    stopping.abort();
    await running;
    const object = ConfigMap.create({ metadata: { namespace: "default", name: "late" } });
    await expect(manager.getClient().create(object)).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
    await expect(manager.getApiReader().list(ConfigMap)).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
  });

  it("guarantee 2: a lease counts from when its renewal was sent, and a lost one stays lost", async () => {
    const clock = new FakeClock();
    const guard = new LeaseGuard(clock, 1000);
    guard.check(PATH);
    guard.renewed(clock.monotonic());
    await clock.advance(999);
    guard.check(PATH);
    await clock.advance(1);
    expect(() => guard.check(PATH)).toThrow("its last renewal was 1000 ms ago");
    guard.renewed(clock.monotonic() - 1);
    guard.check(PATH);
    guard.lose();
    expect(() => guard.check(PATH)).toThrow("this manager is no longer the leader");
  });
});

interface Ended {
  readonly code: string;
  readonly endedAt: number;
}

function startLeader(
  writer: string,
  server: RestConfig,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = fork(
    fileURLToPath(new URL("stubborn-leader.ts", import.meta.url)),
    [JSON.stringify(server), writer, JSON.stringify(TIMING)],
    { execArgv: ["--import", "tsx", "--conditions=@kubescaffold/source"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<Ended>((resolve) => {
    child.once("message", (message) => resolve(message as Ended));
  });
  return { child, ended };
}

async function writes(writer: string): Promise<readonly { readonly sentAt: number; readonly version: number }[]> {
  const { items } = await live.list(ConfigMap, { namespace: "default", labels: { writer } });
  return items.map(({ metadata, data }) => ({
    sentAt: Number(data?.["sentAt"]),
    version: Number(metadata.resourceVersion),
  }));
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

function block(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
