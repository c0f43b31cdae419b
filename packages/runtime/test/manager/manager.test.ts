import type { RestConfig } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import type { Client } from "../../src/client/client.ts";
import { createClient, type ClientOptions } from "../../src/client/create-client.ts";
import { createDiscoveryClient } from "../../src/discovery/discovery-client.ts";
import { createRestMapper } from "../../src/discovery/rest-mapper.ts";
import type { RestMapper } from "../../src/discovery/rest-mapping.ts";
import type { LeaderElectionLock, LeaderElectionRecord } from "../../src/leader-election/leader-election-lock.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createCluster } from "../../src/manager/cluster.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { ManagerOptions } from "../../src/manager/manager.ts";
import type { Runnable } from "../../src/manager/runnable.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";
import { FakeServer, Widget } from "../support/fake-server.ts";

const CONFIG: RestConfig = {
  server: "https://fake",
  transport: async () => await Promise.reject(new TypeError("no request was expected")),
};

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

async function create(options: ManagerOptions = {}, server: FakeServer = new FakeServer()) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  stops.push(stop);
  const manager = await createManager(CONFIG, {
    clock,
    logger,
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    newCache: (_, cacheOptions) => createCache(server.client(), cacheOptions),
    ...options,
  });
  return { manager, clock, logger, stop };
}

function recording(log: string[], name: string, more: Partial<Runnable> = {}): Runnable {
  return {
    runnableName: name,
    start: async (signal) => {
      log.push(`start ${name}`);
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          void settle().then(() => {
            log.push(`stop ${name}`);
            resolve();
          });
        });
      });
    },
    ...more,
  };
}

class FakeLock implements LeaderElectionLock {
  readonly identity = "me";
  record: LeaderElectionRecord | undefined;
  failure: Error | undefined;
  readonly #log: string[];

  constructor(log: string[] = []) {
    this.#log = log;
  }

  describe(): string {
    return "ns/lock";
  }

  async get(): Promise<LeaderElectionRecord | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return this.record;
  }

  async create(record: LeaderElectionRecord): Promise<void> {
    this.record = record;
  }

  async update(record: LeaderElectionRecord): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    if (record.holderIdentity === "") this.#log.push("release lease");
    this.record = record;
  }

  recordEvent(message: string): void {
    this.#log.push(message);
  }
}

const others = { needLeaderElection: () => false };

class RecordedWebhookServer extends WebhookServer {
  readonly #runnable: Runnable;

  constructor(runnable: Runnable) {
    super();
    this.#runnable = runnable;
  }

  override async start(signal: AbortSignal): Promise<void> {
    await this.#runnable.start(signal);
  }
}

async function createRecorded(log: string[], server: FakeServer = new FakeServer()) {
  const webhookServer = new RecordedWebhookServer(recording(log, "webhook"));
  const lock = new FakeLock(log);
  const parts = await create(
    { leaderElection: true, leaderElectionLock: lock, leaderElectionReleaseOnCancel: true, webhookServer },
    server,
  );
  const { manager } = parts;
  manager.add(recording(log, "controller", { warmup: async () => void log.push("warm up") }));
  manager.add(recording(log, "other", others));
  manager.add(recording(log, "http", { runnableGroup: "httpServers" }));
  manager.getWebhookServer();
  const informer = await manager.getCache().getInformer(Widget);
  return { ...parts, informer, lock };
}

describe("a manager", () => {
  it("row 10: starts HTTP servers, webhooks, caches, others, warm-ups and, once it leads, controllers", async () => {
    const log: string[] = [];
    const server = new FakeServer();
    let release = (): void => undefined;
    server.onList = async () => {
      log.push("list");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const { manager, stop } = await createRecorded(log, server);
    let isElected = false;
    void manager.elected.then(() => {
      isElected = true;
      log.push("elected");
    });
    const running = manager.start(stop.signal);
    await settle();
    expect(log).toEqual(["start http", "start webhook", "list"]);
    release();
    await settle();
    expect(log.slice(3)).toEqual(["start other", "warm up", "became leader", "start controller", "elected"]);
    expect(isElected).toBe(true);
    stop.abort();
    await running;
  });

  it("row 11: stops others, controllers, caches, webhooks and HTTP servers, then releases the lease", async () => {
    const log: string[] = [];
    const { manager, stop, informer } = await createRecorded(log);
    const running = manager.start(stop.signal);
    await manager.elected;
    log.length = 0;
    const witness = (runnableGroup: "leaderElection" | "webhooks"): Runnable => ({
      runnableGroup,
      start: async (signal) => {
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => {
            log.push(`${runnableGroup}: caches ${informer.isStopped() ? "stopped" : "run"}`);
            resolve();
          });
        });
      },
    });
    manager.add(witness("leaderElection"));
    manager.add(witness("webhooks"));
    stop.abort();
    await running;
    expect(log).toEqual([
      "stop other",
      "leaderElection: caches run",
      "stop controller",
      "webhooks: caches stopped",
      "stop webhook",
      "stop http",
      "stopped leading",
      "release lease",
    ]);
  });

  it("row 12: work that continues after the signal can still read the cache, and nothing is left at the end", async () => {
    const server = new FakeServer();
    const { manager, stop, clock } = await create({}, server);
    const read: unknown[] = [];
    manager.add(async (signal) => {
      await manager.getClient().list(Widget);
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          clock.setTimeout(resolve, 5000);
        });
      });
      read.push(await manager.getClient().list(Widget));
    });
    const running = manager.start(stop.signal);
    await manager.elected;
    await settle();
    stop.abort();
    await clock.advance(5000);
    await running;
    expect(read).toHaveLength(1);
    expect([server.openWatches, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("row 13: a runnable that does not end fails the stop after 30 seconds, by name", async () => {
    const { manager, stop, clock } = await create();
    manager.add({ runnableName: "hung", start: async () => await new Promise(() => undefined) });
    const outcome = manager.start(stop.signal).catch((error: unknown) => error);
    await manager.elected;
    stop.abort();
    let hasEnded = false;
    void outcome.then(() => (hasEnded = true));
    await clock.advance(29_999);
    expect(hasEnded).toBe(false);
    await clock.advance(1);
    expect(await outcome).toMatchObject({ code: "MANAGER_SHUTDOWN_TIMEOUT" });
    expect(String(await outcome)).toContain("still running: hung");
  });

  it("row 13: 0 does not wait, a negative time waits for ever", async () => {
    const hung: Runnable = { start: async () => await new Promise(() => undefined) };
    const impatient = await create({ gracefulShutdownTimeoutMs: 0 });
    impatient.manager.add(hung);
    const first = impatient.manager.start(impatient.stop.signal);
    await impatient.manager.elected;
    impatient.stop.abort();
    await expect(first).resolves.toBeUndefined();
    const patient = await create({ gracefulShutdownTimeoutMs: -1 });
    patient.manager.add(hung);
    let hasEnded = false;
    void handledLater(patient.manager.start(patient.stop.signal).finally(() => (hasEnded = true)));
    await patient.manager.elected;
    patient.stop.abort();
    await patient.clock.advance(86_400_000);
    expect(hasEnded).toBe(false);
  });

  it("row 32: a manager that lost its lease exits immediately, without waiting for reconcilers", async () => {
    const lock = new FakeLock();
    const server = new FakeServer();
    const { manager, stop, clock } = await create({ leaderElection: true, leaderElectionLock: lock }, server);
    await manager.getCache().getInformer(Widget);
    manager.add({ start: async () => await new Promise(() => undefined) });
    const outcome = manager.start(stop.signal).catch((error: unknown) => error);
    await manager.elected;
    lock.failure = new TypeError("the server is away");
    await clock.advance(12_000);
    expect(await outcome).toMatchObject({ code: "LEADER_ELECTION_LOST" });
    await settle();
    expect(server.openWatches).toBe(0);
  });

  it("row 35: a standby runs everything except the leader's runnables", async () => {
    const log: string[] = [];
    const server = new FakeServer();
    const { manager, stop, lock, clock } = await createRecorded(log, server);
    lock.record = {
      holderIdentity: "another",
      leaseDurationSeconds: 15,
      acquireTime: "",
      renewTime: "",
      leaderTransitions: 0,
    };
    let isElected = false;
    void manager.elected.then(() => (isElected = true));
    const running = manager.start(stop.signal);
    await settle();
    expect(log).toEqual(["start http", "start webhook", "start other", "warm up"]);
    expect([isElected, server.openWatches]).toEqual([false, 1]);
    await clock.advance(20_000);
    expect(log.slice(4)).toEqual(["became leader", "start controller"]);
    stop.abort();
    await running;
  });

  it("row 31: a standby that never led gives no lease up", async () => {
    const log: string[] = [];
    const { manager, stop, lock } = await createRecorded(log);
    lock.record = {
      holderIdentity: "another",
      leaseDurationSeconds: 15,
      acquireTime: "",
      renewTime: "",
      leaderTransitions: 0,
    };
    const running = manager.start(stop.signal);
    await settle();
    stop.abort();
    await expect(running).resolves.toBeUndefined();
    expect(log).not.toContain("release lease");
    expect(lock.record.holderIdentity).toBe("another");
  });

  it("row 78: a runnable added late starts at once in its group, one added after the stop is refused", async () => {
    const log: string[] = [];
    const { manager, stop } = await create();
    const running = manager.start(stop.signal);
    await manager.elected;
    manager.add(recording(log, "late"));
    manager.add(recording(log, "late other", others));
    expect(log).toEqual(["start late", "start late other"]);
    stop.abort();
    await running;
    expect(log.slice(2)).toEqual(["stop late other", "stop late"]);
    expect(() => manager.add(recording(log, "too late"))).toThrow("the manager is stopping");
  });

  it("row 78: the failure of one stops all and is returned, with the failure of the stop", async () => {
    const log: string[] = [];
    const { manager, stop, clock } = await create({ gracefulShutdownTimeoutMs: 1000 });
    manager.add(recording(log, "fine"));
    manager.add(async () => await Promise.reject(new TypeError("broken")));
    await expect(manager.start(stop.signal)).rejects.toThrow("broken");
    expect(log).toEqual(["start fine", "stop fine"]);
    const second = await create({ gracefulShutdownTimeoutMs: 1000 });
    second.manager.add({ runnableName: "hung", start: async () => await new Promise(() => undefined) });
    second.manager.add(async () => await Promise.reject(new TypeError("broken")));
    const outcome = second.manager.start(second.stop.signal).catch((error: unknown) => error);
    await second.clock.advance(1000);
    expect(await outcome).toMatchObject({ code: "MANAGER_STOP_FAILED" });
    expect(String(await outcome)).toMatch(/broken.*still running: hung/u);
    expect(clock.pendingTimers).toBe(0);
  });

  it("a runnable that ends early is no failure", async () => {
    const { manager, stop } = await create();
    manager.add(async () => await Promise.resolve());
    const running = manager.start(stop.signal);
    await manager.elected;
    await settle();
    stop.abort();
    await expect(running).resolves.toBeUndefined();
  });

  it("a stop while caches sync stops the started runnables", async () => {
    const server = new FakeServer();
    server.onList = async () => await new Promise(() => undefined);
    const log: string[] = [];
    const { manager, stop } = await create({}, server);
    manager.add(recording(log, "controller"));
    manager.add(recording(log, "http", { runnableGroup: "httpServers" }));
    await manager.getCache().getInformer(Widget);
    const running = manager.start(stop.signal);
    await settle();
    stop.abort();
    server.onList = () => undefined;
    expect(log).toEqual(["start http"]);
    void running;
  });

  it("a cluster that is added is filled before controllers start", async () => {
    const server = new FakeServer();
    let release = (): void => undefined;
    server.onList = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const { manager, stop, clock, logger } = await create();
    const log: string[] = [];
    const other = createCluster(CONFIG, {
      clock,
      logger,
      newCache: (_, options) => createCache(server.client(), options),
    });
    await other.getCache().getInformer(Widget);
    manager.add(other);
    manager.add(recording(log, "controller"));
    const running = manager.start(stop.signal);
    await settle();
    expect(log).toEqual([]);
    release();
    await settle();
    expect(log).toEqual(["start controller"]);
    stop.abort();
    await running;
  });

  it("uses the client that newClient creates from the options of the manager", async () => {
    const created: (readonly [Client, ClientOptions])[] = [];
    const { manager } = await create({
      client: { fieldOwner: "owner" },
      newClient: (config, options) => {
        const client = createClient(config, options);
        created.push([client, options]);
        return client;
      },
    });
    const [first] = created;
    expect(created).toHaveLength(1);
    expect(manager.getClient()).toBe(first?.[0]);
    expect(first?.[1]).toMatchObject({ fieldOwner: "owner", cache: { reader: manager.getCache() } });
    expect(manager.getApiReader()).not.toBe(first?.[0]);
  });

  it("maps kinds everywhere with the one mapper that mapperProvider returns", async () => {
    const mappers: RestMapper[] = [];
    const kinds: unknown[] = [];
    let cacheMapper: RestMapper | undefined;
    const { manager } = await create({
      mapperProvider: (config, restClient) => {
        expect(config.server).toBe(CONFIG.server);
        const mapper = createRestMapper(createDiscoveryClient(restClient));
        const counting: RestMapper = {
          ...mapper,
          restMapping: (kind) => {
            kinds.push(kind);
            return Promise.reject(new Error("unmapped"));
          },
        };
        mappers.push(counting);
        return counting;
      },
      newCache: (client, options) => {
        cacheMapper = client.restMapper;
        return createCache(client, options);
      },
    });
    expect(mappers).toHaveLength(1);
    expect(manager.getRestMapper()).toBe(mappers[0]);
    expect(manager.getClient().restMapper).toBe(mappers[0]);
    expect(cacheMapper).toBe(mappers[0]);
    await expect(manager.getApiReader().get(Widget, { namespace: "a", name: "b" })).rejects.toThrow("unmapped");
    await expect(
      manager.getClient().create(Widget.create({ metadata: { name: "b" }, spec: {} as Widget["spec"] })),
    ).rejects.toThrow("unmapped");
    expect(kinds).toHaveLength(2);
  });

  it("fails with the error of mapperProvider", async () => {
    const mapperProvider = (): RestMapper => {
      throw new Error("no groups");
    };
    await expect(create({ mapperProvider })).rejects.toThrow("no groups");
    expect(() => createCluster(CONFIG, { mapperProvider })).toThrow("no groups");
  });

  it("starts once; checks come before the start", async () => {
    const { manager, stop } = await create();
    manager.addHealthzCheck("ping", () => undefined);
    const running = manager.start(stop.signal);
    await expect(manager.start(stop.signal)).rejects.toMatchObject({ code: "MANAGER_STARTED_TWICE" });
    expect(() => manager.addReadyzCheck("late", () => undefined)).toThrow(
      "cannot add the check late: the manager has started",
    );
    stop.abort();
    await running;
  });

  it("times of the election that contradict one another fail before anything starts", async () => {
    const log: string[] = [];
    const { manager, stop } = await create({
      leaderElection: true,
      leaderElectionLock: new FakeLock(),
      leaseDurationMs: 1000,
      renewDeadlineMs: 2000,
    });
    manager.add(recording(log, "other", others));
    await expect(manager.start(stop.signal)).rejects.toMatchObject({ code: "LEADER_BAD_TIMING" });
    expect(log).toEqual([]);
  });

  it("an election needs a name", async () => {
    await expect(create({ leaderElection: true })).rejects.toMatchObject({ code: "LEADER_ID_MISSING" });
  });

  it("never changes the config it is given", async () => {
    const config = Object.freeze({ ...CONFIG });
    const manager = await createManager(config, { metrics: { bindAddress: "0" } });
    expect(manager.getConfig()).toEqual(CONFIG);
  });
});
