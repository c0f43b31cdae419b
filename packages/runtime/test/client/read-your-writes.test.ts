import { Environment } from "@kubescaffold/envtest";
import { isNotFound, type RestConfig } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Namespace } from "@kubescaffold/k8s/core/v1";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Cache } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import type { Client, LiveClient, ObjectKey } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import * as patch from "../../src/client/patches.ts";
import { interceptedClient } from "../../src/client/wrapped-clients.ts";
import { createMetricsRegistry, type MetricsRegistry } from "../../src/metrics/registry.ts";

const environment = new Environment();
let config: RestConfig;
let live: LiveClient;
let namespace = "";
let gate: Gate;
let stop: AbortController;
let running: Promise<void>;
let registry: MetricsRegistry;
let cache: Cache;
let client: Client;

/** Holds back the events of watches while it is closed. */
class Gate {
  #waiting: (() => void)[] = [];
  #isOpen = true;

  close(): void {
    this.#isOpen = false;
  }

  open(): void {
    this.#isOpen = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  async pass(): Promise<void> {
    if (!this.#isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

beforeAll(async () => {
  config = await environment.start();
  live = createClient(config);
});

afterAll(() => environment.stop());

beforeEach(async () => {
  gate = new Gate();
  stop = new AbortController();
  registry = createMetricsRegistry();
  namespace = (await live.create(Namespace.create({ metadata: { generateName: "writes-" } }))).metadata.name ?? "";
  const delayed = interceptedClient(live, {
    client: (inner) => ({
      async *watch(kind, options) {
        for await (const event of inner.watch(kind, options)) {
          await gate.pass();
          yield event;
        }
      },
    }),
  });
  cache = createCache(delayed, { registry, defaultNamespaces: { [namespace]: {} } });
  client = createClient(config, { cache: { reader: cache, readYourWrites: true }, registry });
  running = cache.start(stop.signal);
});

afterEach(async () => {
  gate.open();
  stop.abort();
  await running;
});

const configMap = (name: string, value: string): ConfigMap =>
  ConfigMap.create({ metadata: { namespace, name }, data: { value } });

/** Reports whether the cache has an object, without waiting for writes. */
async function isCached(key: ObjectKey): Promise<boolean> {
  const found = await cache.get(ConfigMap, key).catch((error: unknown) => error);
  return !isNotFound(found);
}

/** Resolves to the result of a call that must wait until the gate opens. */
async function afterOpening<T>(call: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = call.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isSettled).toBe(false);
  gate.open();
  await settled;
  return await call;
}

describe("a client with readYourWrites", () => {
  it("guarantee 21: a cached get waits for the create, update, patch, apply, and status update before it", async () => {
    const key = { namespace, name: "one" };
    await client.list(ConfigMap);
    const writes: readonly (() => Promise<ConfigMap>)[] = [
      () => client.create(configMap("one", "created")),
      async () => client.update({ ...(await live.get(ConfigMap, key)), data: { value: "updated" } }),
      () =>
        client.patch(configMap("one", ""), patch.raw("application/merge-patch+json", { data: { value: "patched" } })),
      () => client.apply(configMap("one", "applied"), { fieldOwner: "test", forceOwnership: true }),
    ];
    for (const write of writes) {
      gate.close();
      const { data } = await write();
      expect((await afterOpening(client.get(ConfigMap, key))).data).toEqual(data);
    }
  });

  it("guarantee 21: a cached get does not wait for a write whose object was deleted before the first read", async () => {
    const key = { namespace, name: "gone" };
    await cache.getInformer(ConfigMap);
    const created = await client.create(configMap("gone", "created"));
    await expect.poll(async () => await isCached(key), { timeout: 20_000 }).toBe(true);
    await live.delete(created);
    await expect.poll(async () => await isCached(key), { timeout: 20_000 }).toBe(false);
    await expect(client.get(ConfigMap, key)).rejects.toSatisfy(isNotFound);
    await expect(client.list(ConfigMap)).resolves.toBeDefined();
  });

  it("guarantee 21: a cached get waits for a status update", async () => {
    const labels = { app: "status" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "run", image: "busybox" }] } };
    const created = await client.create(
      Deployment.create({
        metadata: { namespace, name: "status" },
        spec: { replicas: 0, selector: { matchLabels: labels }, template },
      }),
    );
    const key = { namespace, name: "status" };
    await client.get(Deployment, key);
    gate.close();
    const { metadata } = await client
      .status()
      .patch(
        created,
        patch.raw("application/merge-patch+json", { status: { conditions: [{ type: "Seen", status: "True" }] } }),
      );
    const read = await afterOpening(client.get(Deployment, key));
    expect(BigInt(read.metadata.resourceVersion ?? "0")).toBeGreaterThanOrEqual(
      BigInt(metadata.resourceVersion ?? "0"),
    );
    expect(read.status?.conditions).toEqual(expect.arrayContaining([expect.objectContaining({ type: "Seen" })]));
  });

  it("guarantee 21: a cached read waits for a deletion, and finds an object that was created again", async () => {
    const key = { namespace, name: "gone" };
    const created = await client.create(configMap("gone", "1"));
    await client.get(ConfigMap, key);
    gate.close();
    await client.delete(created);
    await expect(afterOpening(client.get(ConfigMap, key))).rejects.toSatisfy(isNotFound);
    gate.close();
    await client.create(configMap("gone", "2"));
    expect((await afterOpening(client.get(ConfigMap, key))).data).toEqual({ value: "2" });
  });

  it("guarantee 21: a cached list waits for all writes to the kind", async () => {
    await client.create(configMap("kept", "1"));
    const removed = await client.create(configMap("removed", "1"));
    await client.list(ConfigMap);
    gate.close();
    await client.create(configMap("added", "1"));
    await client.delete(removed);
    const { items } = await afterOpening(client.list(ConfigMap, { namespace }));
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(["kept", "added"]));
    expect(items.map(({ metadata }) => metadata.name)).not.toContain("removed");
  });

  it("guarantee 21: a read waits for a write that has not ended", async () => {
    const created = await client.create(configMap("running", "1"));
    await client.get(ConfigMap, { namespace, name: "running" });
    const writing = client.update({ ...created, data: { value: "2" } });
    expect((await client.get(ConfigMap, { namespace, name: "running" })).data).toEqual({ value: "2" });
    await writing;
  });

  it("does not wait for writes to other objects, and for failed writes", async () => {
    await client.create(configMap("a", "1"));
    await client.create(configMap("b", "1"));
    await client.list(ConfigMap);
    gate.close();
    await client.patch(configMap("b", ""), patch.raw("application/merge-patch+json", { data: { value: "2" } }));
    await expect(client.create(configMap("a", "2"))).rejects.toThrow("already exists");
    await expect(client.create(configMap("a", "2"), { dryRun: true })).rejects.toThrow("already exists");
    expect((await client.get(ConfigMap, { namespace, name: "a" })).data).toEqual({ value: "1" });
  });

  it("does not wait with disableReadYourWrites of the read or the write", async () => {
    const key = { namespace, name: "off" };
    await client.create(configMap("off", "1"));
    await client.get(ConfigMap, key);
    gate.close();
    await client.patch(configMap("off", ""), patch.raw("application/merge-patch+json", { data: { value: "2" } }), {
      disableReadYourWrites: true,
    });
    expect((await client.get(ConfigMap, key)).data).toEqual({ value: "1" });
    await client.patch(configMap("off", ""), patch.raw("application/merge-patch+json", { data: { value: "3" } }));
    expect((await client.get(ConfigMap, key, { disableReadYourWrites: true })).data).toEqual({ value: "1" });
    expect((await afterOpening(client.get(ConfigMap, key))).data).toEqual({ value: "3" });
  });

  it("stops waiting when the signal aborts or the informer is removed", async () => {
    const key = { namespace, name: "stuck" };
    await client.create(configMap("stuck", "1"));
    await client.get(ConfigMap, key);
    gate.close();
    await client.patch(configMap("stuck", ""), patch.raw("application/merge-patch+json", { data: { value: "2" } }));
    const signal = AbortSignal.timeout(50);
    await expect(client.get(ConfigMap, key, { signal })).rejects.toBe(
      await new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(signal.reason));
      }),
    );
    const waiting = client.get(ConfigMap, key);
    // The watch ends when it has passed the gate.
    const removed = cache.removeInformer(ConfigMap);
    gate.open();
    expect((await waiting).data).toEqual({ value: "2" });
    await removed;
    const text = await registry.metrics();
    expect(text).toContain(
      'controller_runtime_client_consistency_wait_duration_seconds_count{operation="get",result="timeout"} 1',
    );
  });

  it("refuses a reader without informers", () => {
    const reader = { get: cache.get.bind(cache), list: cache.list.bind(cache) };
    expect(() => createClient(config, { cache: { reader, readYourWrites: true } })).toThrow("has no informers");
  });

  it(
    "row 88: of 1000 reconciles that run twice with a delayed watch, none creates a second object",
    { timeout: 300_000 },
    async () => {
      // As controllers do that create objects with generated names.
      const reconcile = async (writer: Client, owner: string): Promise<void> => {
        const { items } = await writer.list(ConfigMap, { namespace, labels: { owner } });
        if (items.length > 0) return;
        const metadata = { namespace, generateName: "child-", labels: { owner } };
        await writer.create(ConfigMap.create({ metadata }));
      };
      const reconcileTwice = async (writer: Client, owner: string, whileReading: () => void): Promise<void> => {
        gate.close();
        await reconcile(writer, owner);
        whileReading();
        await reconcile(writer, owner);
        gate.open();
      };
      const stale = createClient(config, { cache: { reader: cache }, registry });
      const openSoon = (): void => void setImmediate(() => setImmediate(() => gate.open()));
      // The initial events of the watch pass the gate, too.
      await client.list(ConfigMap);
      for (let run = 0; run < 1000; run += 1) {
        await reconcileTwice(client, `own-${String(run)}`, openSoon);
      }
      for (let run = 0; run < 20; run += 1) {
        await reconcileTwice(stale, `stale-${String(run)}`, () => undefined);
      }
      const { items } = await live.list(ConfigMap, { namespace, hasLabels: ["owner"] });
      const created = (of: string): number =>
        items.filter(({ metadata }) => metadata.labels?.["owner"]?.startsWith(of)).length;
      expect(created("own-")).toBe(1000);
      // The race is there: without the option, second objects are created.
      expect(created("stale-")).toBe(40);
    },
  );

  it("guarantee 21: random writes are read back, whatever the delay of the watch", async () => {
    const names = ["a", "b", "c", "d"];
    const step = fc.record({
      name: fc.constantFrom(...names),
      verb: fc.constantFrom("write", "delete", "get", "list"),
      delayMs: fc.integer({ min: 0, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const expected = new Map<string, string>();
        const read: (readonly [unknown, unknown])[] = [];
        await live.deleteAllOf(ConfigMap, { namespace });
        const fresh = createClient(config, { cache: { reader: cache, readYourWrites: true }, registry });
        let count = 0;
        for (const { name, verb, delayMs } of steps) {
          gate.close();
          setTimeout(() => gate.open(), delayMs);
          const key = { namespace, name };
          if (verb === "write") {
            const value = String((count += 1));
            await fresh.apply(configMap(name, value), { fieldOwner: "test", forceOwnership: true });
            expected.set(name, value);
          } else if (verb === "delete" && expected.has(name)) {
            const { metadata } = await fresh.get(ConfigMap, key);
            await fresh.delete({ ...configMap(name, ""), metadata });
            expected.delete(name);
          } else if (verb === "get" && expected.has(name)) {
            const { data } = await fresh.get(ConfigMap, key);
            read.push([data?.["value"], expected.get(name)]);
          } else if (verb === "list") {
            const { items } = await fresh.list(ConfigMap, { namespace });
            const valueOf = (each: string): unknown =>
              items.find(({ metadata }) => metadata.name === each)?.data?.["value"];
            read.push(...[...expected].map(([each, value]) => [valueOf(each), value] as const));
          }
        }
        expect(read.map(([value]) => value)).toEqual(read.map(([, value]) => value));
      }),
      { numRuns: 30 },
    );
  });
});
