import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { createController } from "../../src/controller/controller.ts";
import { enqueueRequestForObject } from "../../src/handler/event-handler.ts";
import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../src/manager/manager.ts";
import type { Runnable } from "../../src/manager/runnable.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { kind } from "../../src/source/source.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";
import { createNamespace, EVENT, type ServerNamespace } from "../support/controller-on-server.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";

const TEST = { timeout: 120_000 };
const environment = new Environment();
const stops: (() => Promise<unknown>)[] = [];
let config: RestConfig;
let on: ServerNamespace;

beforeAll(async () => {
  config = await environment.start();
});

beforeEach(async () => {
  on = await createNamespace(config);
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(() => environment.stop());

interface OnServer {
  readonly manager: Manager;
  readonly logger: RecordingLogger;
  readonly stopping: AbortController;
  /** Starts the manager; resolves with the error of `start`. */
  readonly run: () => Promise<unknown>;
}

// A manager whose cache has the objects of the test's namespace.
async function create(options: ManagerOptions = {}, target: RestConfig = config): Promise<OnServer> {
  const logger = createRecordingLogger();
  const stopping = new AbortController();
  const manager = await createManager(target, {
    logger,
    cache: { defaultNamespaces: { [on.namespace]: { labelSelector: "tested" } } },
    ...options,
    metrics: { bindAddress: "0", registry: createMetricsRegistry(), ...options.metrics },
  });
  const run = async (): Promise<unknown> => {
    const outcome = manager.start(stopping.signal).catch((error: unknown) => error);
    stops.push(async () => {
      stopping.abort();
      await outcome;
    });
    return await outcome;
  };
  return { manager, logger, stopping, run };
}

function election(name: string): ManagerOptions {
  return {
    leaderElection: true,
    leaderElectionId: name,
    leaderElectionNamespace: on.namespace,
    leaderElectionReleaseOnCancel: true,
    retryPeriodMs: 100,
  };
}

function recorded(log: string[], name: string, more: Partial<Runnable> = {}): Runnable {
  return {
    runnableName: name,
    start: async (signal) => {
      log.push(name);
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
      });
    },
    ...more,
  };
}

class RecordedWebhookServer extends WebhookServer {
  readonly #log: string[];

  constructor(log: string[]) {
    super();
    this.#log = log;
  }

  override async start(signal: AbortSignal): Promise<void> {
    await recorded(this.#log, "webhooks").start(signal);
  }
}

describe("a manager on a server", () => {
  it(
    "row 10: starts HTTP servers, webhooks, caches, others, warm-ups and, once it has written its lease, controllers",
    TEST,
    async () => {
      const log: string[] = [];
      const observed = interceptedConfig(config, async (request, send) => {
        const answer = await send(request);
        const url = new URL(request.url);
        if (url.pathname.endsWith("/configmaps")) log.push("watch");
        if (url.pathname.endsWith("/leases") && request.method === "POST") log.push("lease");
        return answer;
      });
      const webhookServer = new RecordedWebhookServer(log);
      const { manager, run } = await create({ ...election("row-10"), webhookServer }, observed);
      manager.add(recorded(log, "controller", { warmup: async () => void log.push("warm-up") }));
      manager.add(recorded(log, "other", { needLeaderElection: () => false }));
      manager.add(recorded(log, "http", { runnableGroup: "httpServers" }));
      manager.getWebhookServer();
      const informer = await manager.getCache().getInformer(ConfigMap);
      const synced = informer.waitForSync().then(() => log.push("synced"));
      void run();
      await manager.elected;
      await synced;
      expect(log).toEqual(["http", "webhooks", "watch", "synced", "other", "warm-up", "lease", "controller"]);
    },
  );

  it.each([
    [undefined, 30_000],
    [5000, 5000],
  ])(
    "row 13: with gracefulShutdownTimeoutMs %s, a reconcile that never ends fails the stop after %s ms, by name",
    TEST,
    async (given, limitMs) => {
      const clock = new FakeClock();
      const { manager, run, stopping } = await create({
        clock,
        ...(given === undefined ? {} : { gracefulShutdownTimeoutMs: given }),
      });
      let hung = 0;
      await newControllerManagedBy(manager)
        .named("row-13")
        .for(ConfigMap)
        .complete(async () => {
          hung += 1;
          await new Promise(() => undefined);
        });
      let hasEnded = false;
      const outcome = run().finally(() => (hasEnded = true));
      await on.write("a");
      await expect.poll(() => hung, EVENT).toBe(1);
      stopping.abort();
      await clock.advance(limitMs - 1);
      expect(hasEnded).toBe(false);
      await clock.advance(1);
      expect(await outcome).toMatchObject({
        code: "MANAGER_SHUTDOWN_TIMEOUT",
        message: expect.stringContaining("still running: controller row-13") as string,
      });
    },
  );

  it("row 13: 0 does not wait for a reconcile, a negative time waits for ever", TEST, async () => {
    const start = async (gracefulShutdownTimeoutMs: number) => {
      const clock = new FakeClock();
      const parts = await create({ clock, gracefulShutdownTimeoutMs });
      let release: (() => void) | undefined;
      await newControllerManagedBy(parts.manager)
        .named("row-13")
        .for(ConfigMap)
        .complete(async () => {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        });
      const outcome = parts.run();
      await expect.poll(() => release, EVENT).toBeDefined();
      parts.stopping.abort();
      return { clock, outcome, release: () => release?.() };
    };
    await on.write("a");
    const impatient = await start(0);
    expect(await impatient.outcome).toBeUndefined();
    const patient = await start(-1);
    let hasEnded = false;
    void patient.outcome.finally(() => (hasEnded = true));
    await patient.clock.advance(86_400_000);
    expect(hasEnded).toBe(false);
    patient.release();
    expect(await patient.outcome).toBeUndefined();
  });

  it("row 14: a second signal exits the process with 1, although a reconcile is running", TEST, async () => {
    await on.write("a");
    const program = fork(fileURLToPath(new URL("signalled.ts", import.meta.url)), [], {
      execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
      env: {
        ...process.env,
        SIGNALLED_CONFIG: JSON.stringify(await environment.listen()),
        SIGNALLED_NAMESPACE: on.namespace,
      },
    });
    const messages: unknown[] = [];
    program.on("message", (message) => messages.push(message));
    const exited = once(program, "exit");
    await expect.poll(() => messages, EVENT).toEqual(["running"]);
    program.kill("SIGTERM");
    await expect.poll(() => messages, EVENT).toEqual(["running", "stopping"]);
    program.kill("SIGTERM");
    expect((await exited)[0]).toBe(1);
  });

  it("row 46: counts reconciles, requests, and leadership in its metrics", TEST, async () => {
    const options = { ...election("row-46"), metrics: { bindAddress: "127.0.0.1:0" } };
    const { manager, run } = await create(options);
    await newControllerManagedBy(manager)
      .named("row-46")
      .for(ConfigMap)
      .complete(async (key) => {
        await manager.getApiReader().get(ConfigMap, key);
        if (key.name === "missing") await on.live.get(ConfigMap, { ...key, name: "no-such" });
      });
    void run();
    await manager.elected;
    await on.write("a");
    const scrape = async (): Promise<Readonly<Record<string, number>>> => {
      const text = await (await fetch(`http://127.0.0.1:${String(manager.ports.metrics)}/metrics`)).text();
      const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
      );
    };
    await expect
      .poll(scrape, EVENT)
      .toMatchObject({ 'controller_runtime_reconcile_total{controller="row-46",result="success"}': 1 });
    expect(await scrape()).toMatchObject({
      'controller_runtime_reconcile_total{controller="row-46",result="error"}': 0,
      'controller_runtime_reconcile_time_seconds_count{controller="row-46"}': 1,
      'controller_runtime_max_concurrent_reconciles{controller="row-46"}': 1,
      'controller_runtime_active_workers{controller="row-46"}': 0,
      'workqueue_adds_total{name="row-46",controller="row-46"}': 1,
      'leader_election_master_status{name="row-46"}': 1,
    });
    const requests = Object.keys(await scrape()).filter((series) => series.startsWith("rest_client_requests_total"));
    for (const labels of ['method="GET"', 'code="200"', 'method="POST"', 'code="201"']) {
      expect(requests).toContainEqual(expect.stringContaining(labels));
    }
  });

  it("row 47: reports in its health endpoints whether its cache has the objects of the server", TEST, async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = interceptedConfig(config, async (request, send) => {
      if (new URL(request.url).pathname.endsWith("/configmaps")) await released;
      return await send(request);
    });
    const { manager, run } = await create({ healthProbeBindAddress: "127.0.0.1:0" }, slow);
    const informer = await manager.getCache().getInformer(ConfigMap);
    manager.addReadyzCheck("cache", () => {
      if (!informer.hasSynced()) throw new Error("the cache has not synced");
    });
    void run();
    const base = `http://127.0.0.1:${String(manager.ports.health)}`;
    const get = async (path: string): Promise<readonly [number, string]> => {
      const answer = await fetch(`${base}${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await get("/readyz")).toEqual([500, "[-]cache failed: reason withheld\nreadyz check failed\n"]);
    expect(await get("/readyz/cache")).toEqual([500, expect.stringContaining("the cache has not synced")]);
    expect(await get("/readyz?exclude=cache")).toEqual([200, "ok"]);
    expect(await get("/healthz")).toEqual([200, "ok"]);
    release();
    await manager.elected;
    expect(await get("/readyz?verbose")).toEqual([200, "[+]cache ok\nreadyz check passed\n"]);
  });

  it(
    "row 76: a standby with a warm-up has its queue filled, and reconciles everything without another list when it leads",
    TEST,
    async () => {
      const names = Array.from({ length: 50 }, (_, index) => `k${String(index)}`);
      await on.writeAll(names);
      let watches = 0;
      const counting = interceptedConfig(config, async (request, send) => {
        if (new URL(request.url).pathname.endsWith("/configmaps")) watches += 1;
        return await send(request);
      });
      const first = await create(election("row-76"));
      const ended = first.run();
      await first.manager.elected;
      const second = await create(election("row-76"), counting);
      const reconciled = new Set<string>();
      await newControllerManagedBy(second.manager)
        .named("row-76")
        .for(ConfigMap)
        .withOptions({ enableWarmup: true })
        .complete(async ({ name }) => void reconciled.add(name));
      void second.run();
      const depth = async (): Promise<number | undefined> =>
        (await second.manager.getMetricsRegistry().getSingleMetric("workqueue_depth")?.get())?.values.reduce(
          (sum, { value }) => sum + value,
          0,
        );
      await expect.poll(depth, EVENT).toBe(50);
      const before = watches;
      expect([reconciled.size, before]).toEqual([0, 1]);
      first.stopping.abort();
      expect(await ended).toBeUndefined();
      await second.manager.elected;
      await expect.poll(() => reconciled.size, EVENT).toBe(50);
      expect(watches).toBe(before);
    },
  );

  it(
    "row 78: a controller that is added late starts at once, one that is added after the stop is refused, and the failure of one stops all",
    TEST,
    async () => {
      const { manager, run } = await create();
      const outcome = run();
      await manager.elected;
      await on.write("a");
      const reconciled: string[] = [];
      const late = createController("row-78", manager, {
        reconciler: async ({ name }) => {
          reconciled.push(name);
          if (name === "broken") throw new TypeError("broken");
        },
        recoverPanic: false,
      });
      await late.watch(
        kind({ cache: manager.getCache(), kind: ConfigMap, handler: enqueueRequestForObject<ConfigMap>() }),
      );
      await expect.poll(() => reconciled, EVENT).toEqual(["a"]);
      await on.write("broken");
      expect(await outcome).toMatchObject({ message: "broken" });
      expect(() => manager.add(recorded([], "too late"))).toThrow("the manager is stopping");
      await on.write("b");
      await settle();
      expect(reconciled).toEqual(["a", "broken"]);
    },
  );

  it(
    "row 87: log lines of a reconcile name the object and the reconcile, and contain no data of a secret",
    TEST,
    async () => {
      const { manager, logger, run } = await create();
      const data = { password: Buffer.from("hunter2").toString("base64") };
      await newControllerManagedBy(manager)
        .named("row-87")
        .for(Secret)
        .complete(async (key, { log }) => {
          log.info("reconciling");
          await manager.getClient().update({ ...(await manager.getClient().get(Secret, key)), type: "changed" });
        });
      void run();
      await manager.elected;
      const metadata = { namespace: on.namespace, name: "a", labels: { tested: "" } };
      await on.live.create(Secret.create({ metadata, data }));
      const found = (message: string) => logger.records.filter((record) => record.message === message);
      await expect.poll(() => found("reconciler error").length, EVENT).toBeGreaterThan(1);
      const lines = found("reconciling");
      const ids = lines.map(({ fields }) => fields["reconcileID"]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(lines[0]?.fields).toEqual({
        controller: "row-87",
        controllerGroup: "",
        controllerKind: "Secret",
        Secret: { name: "a", namespace: on.namespace },
        name: "a",
        namespace: on.namespace,
        reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
      });
      const written = JSON.stringify(logger.records.map((record) => [record, String(record.error)]));
      expect(written).not.toContain("hunter2");
      expect(written).not.toContain(data.password);
    },
  );
});
