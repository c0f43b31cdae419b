import { Environment } from "@kubescaffold/envtest";
import { type Chaos, startChaos } from "@kubescaffold/envtest/chaos";
import type { RestConfig } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import type { Cache } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const LIVENESS = { timeout: 60_000 };
const TEST = { timeout: 120_000 };
const environment = new Environment();
const stops: (() => Promise<unknown>)[] = [];
let config: RestConfig;
let live: LiveClient;

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(() => environment.stop());

async function proxy(speed = 1): Promise<Chaos> {
  const chaos = await startChaos({ target: config, faults: {}, speed });
  stops.push(async () => await chaos.stop());
  return chaos;
}

async function startManager(
  target: RestConfig,
  options: ManagerOptions,
  prepare: (manager: Manager) => Promise<unknown> = async () => undefined,
): Promise<{ readonly manager: Manager; readonly outcome: Promise<unknown> }> {
  const manager = await createManager(target, {
    logger: silentLogger,
    ...options,
    metrics: { bindAddress: "0", registry: createMetricsRegistry(), ...options.metrics },
  });
  await prepare(manager);
  const stopping = new AbortController();
  const outcome = manager.start(stopping.signal).catch((error: unknown) => error);
  stops.push(async () => {
    stopping.abort();
    await outcome;
  });
  return { manager, outcome };
}

function startCache(chaos: Chaos): Cache {
  const client = createClient(chaos.restConfig, { clock: chaos.clock, log: silentLogger });
  const cache = createCache(client, {
    clock: chaos.clock,
    logger: silentLogger,
    registry: createMetricsRegistry(),
    defaultNamespaces: { default: {} },
  });
  const stop = new AbortController();
  const running = cache.start(stop.signal);
  stops.push(async () => {
    stop.abort();
    await running;
  });
  return cache;
}

describe("a cache behind a broken connection to a server", () => {
  it("row 18: reports an object that was deleted meanwhile, with its last known state", TEST, async () => {
    const chaos = await proxy(20);
    const key = { namespace: "default", name: "lost" };
    await live.create(ConfigMap.create({ metadata: key, data: { last: "known" } }));
    const informer = await startCache(chaos).getInformer(ConfigMap);
    const deleted: unknown[] = [];
    informer.addEventHandler({
      onAdd: () => undefined,
      onUpdate: () => undefined,
      onDelete: ({ metadata, data }, isStateUnknown) => void deleted.push([metadata.name, data, isStateUnknown]),
    });
    const outage = chaos.script([{ fault: "dropRequest", times: 1_000_000 }]);
    chaos.closeConnections();
    await live.delete(ConfigMap.create({ metadata: key }));
    chaos.script([{ fault: "expired", match: { resource: "configmaps" }, times: 2 }]);
    outage.cancel();
    await expect.poll(() => deleted, LIVENESS).toEqual([["lost", { last: "known" }, true]]);
  });

  it("row 20: reopens a watch that stays silent, and catches up", TEST, async () => {
    const chaos = await proxy(100);
    const cache = startCache(chaos);
    await cache.list(ConfigMap);
    const script = chaos.script([{ fault: "hangWatch", match: { resource: "configmaps" } }]);
    const key = { namespace: "default", name: "silent" };
    await live.create(ConfigMap.create({ metadata: key }));
    await script.injected;
    await expect.poll(async () => await cache.get(ConfigMap, key).catch(() => undefined), LIVENESS).toBeDefined();
  });
});

describe("a manager on a server", () => {
  it("row 32: fails when its lease cannot be renewed, and writes nothing after that", TEST, async () => {
    const chaos = await proxy();
    const { manager, outcome } = await startManager(chaos.restConfig, {
      leaderElection: true,
      leaderElectionId: "row-32",
      leaderElectionNamespace: "default",
      leaseDurationMs: 6000,
      renewDeadlineMs: 4000,
      retryPeriodMs: 500,
    });
    await manager.elected;
    chaos.script([{ fault: "unavailable", match: { resource: "leases" }, times: 1_000_000 }]);
    expect(await outcome).toMatchObject({ code: "LEADER_ELECTION_LOST" });
    const late = ConfigMap.create({ metadata: { namespace: "default", name: "row-32-late" } });
    await expect(manager.getClient().create(late)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:CLIENT_CLOSED|LEADER_LEASE_EXPIRED)$/u),
    });
    await expect(live.get(ConfigMap, { namespace: "default", name: "row-32-late" })).rejects.toThrow("not found");
  });

  it("row 56: watches a kind that is installed after its start", TEST, async () => {
    const chaos = await proxy(20);
    const kind = { group: "late.demo", version: "v1", kind: "Comet" };
    const reconciled: string[] = [];
    await startManager(chaos.restConfig, { clock: chaos.clock }, async (manager) => {
      await newControllerManagedBy(manager)
        .named("row-56")
        .withOptions({ cacheSyncTimeoutMs: 86_400_000 })
        .for(kind)
        .complete(async ({ name }) => void reconciled.push(name));
    });
    await live.create(
      CustomResourceDefinition.create({
        metadata: { name: "comets.late.demo" },
        spec: {
          group: kind.group,
          scope: "Namespaced",
          names: { kind: kind.kind, plural: "comets", singular: "comet", listKind: "CometList" },
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
        },
      }),
    );
    const comet = { apiVersion: "late.demo/v1", kind: "Comet", metadata: { namespace: "default", name: "halley" } };
    await expect
      .poll(async () => (await live.create(comet).catch(() => undefined))?.metadata.name, LIVENESS)
      .toBe("halley");
    await expect.poll(() => reconciled, LIVENESS).toContain("halley");
  });

  it("row 83: lets only tokens with permission read its metrics", TEST, async () => {
    const [reader, other] = await Promise.all(
      ["metrics-reader", "metrics-other"].map(
        async (name) => await environment.addServiceAccount({ namespace: "default", name }),
      ),
    );
    const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
    await live.create(ClusterRole.create({ metadata: { name: "row-83" }, rules }));
    const subjects = [{ kind: "ServiceAccount", namespace: "default", name: "metrics-reader" }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "row-83" };
    await live.create(ClusterRoleBinding.create({ metadata: { name: "row-83" }, roleRef, subjects }));
    const { manager } = await startManager(config, {
      metrics: { bindAddress: "127.0.0.1:0", filter: "authentication-and-authorization" },
    });
    await expect.poll(() => manager.ports.metrics, LIVENESS).toBeDefined();
    const read = async (token?: string): Promise<number> => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(`http://127.0.0.1:${String(manager.ports.metrics)}/metrics`, { headers })).status;
    };
    expect([await read(), await read("stranger"), await read(tokenOf(other))]).toEqual([401, 401, 403]);
    // An authorizer may learn of a binding a moment later, and the manager remembers a refusal for a while.
    await expect.poll(async () => await read(tokenOf(reader)), LIVENESS).toBe(200);
  });
});

function tokenOf(user: RestConfig | undefined): string {
  if (user?.credentials?.kind !== "token") throw new TypeError("the user has no token");
  return user.credentials.token;
}
