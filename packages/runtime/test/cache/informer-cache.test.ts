import { isNotFound } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Cache, CacheOptions } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import { cachedClient } from "../../src/client/wrapped-clients.ts";
import type { RestMapping } from "../../src/discovery/rest-mapping.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { FakeServer, statusError, Widget, widget, Zone } from "../support/fake-server.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function create(server: FakeServer, options: CacheOptions = {}) {
  const stop = new AbortController();
  stops.push(stop);
  const clock = new FakeClock();
  const cache = createCache(server.client(), {
    clock,
    logger: silentLogger,
    registry: createMetricsRegistry(),
    random: () => 0,
    ...options,
  });
  return { cache, clock, stop, start: async () => await cache.start(stop.signal) };
}

function started(server: FakeServer, options: CacheOptions = {}): Cache {
  const { cache, start } = create(server, options);
  void start();
  return cache;
}

function namespacesAsked(server: FakeServer): readonly unknown[] {
  return server
    .callsOf("list")
    .map((call) => ("options" in call ? [call.options.namespace, call.options.fieldSelector] : []));
}

describe("createCache", () => {
  it("row 58: concurrent first reads list and watch the kind once, and resolve when it has synced", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const cache = started(server);
    const key = { namespace: "default", name: "a" };
    const objects = await Promise.all([cache.get(Widget, key), cache.get(Widget, key), cache.list(Widget)]);
    expect(objects[0]).toBe(objects[1]);
    expect(objects[2].items).toEqual([objects[0]]);
    await settle();
    expect(server.calls.map(({ verb }) => verb)).toEqual(["list", "watch"]);
  });

  it("row 58: a read before the start fails, and an aborted one reports why the kind has not synced", async () => {
    const server = new FakeServer();
    const { cache, start } = create(server);
    await expect(cache.get(Widget, { name: "a" })).rejects.toMatchObject({ code: "CACHE_NOT_RUNNING" });
    void start();
    server.onList = () => {
      throw statusError(403, "Forbidden");
    };
    const abort = new AbortController();
    const read = handledLater(cache.get(Widget, { name: "a" }, { signal: abort.signal }));
    await settle();
    abort.abort();
    await expect(read).rejects.toMatchObject({ code: "CACHE_NOT_SYNCED" });
    await expect(read).rejects.toThrow("Forbidden says the fake server");
  });

  it("row 59: a strict cache fails for a kind without an informer and sends no request", async () => {
    const server = new FakeServer();
    const cache = started(server, { readerFailOnMissingInformer: true });
    await expect(cache.list(Widget)).rejects.toMatchObject({ code: "CACHE_KIND_MISSING" });
    expect(server.calls).toEqual([]);
    await cache.getInformer(Widget);
    expect((await cache.list(Widget)).items).toEqual([]);
  });

  it("a miss is a NotFound that names the resource", async () => {
    const cache = started(new FakeServer());
    const error: unknown = await cache.get(Widget, { namespace: "x", name: "a" }).catch((caught: unknown) => caught);
    expect(isNotFound(error)).toBe(true);
    expect(String(error)).toContain('widgets.demo "a" not found');
  });

  it("row 61: listed namespaces are watched one by one, others fail, cluster-scoped kinds are cached completely", async () => {
    const server = new FakeServer();
    for (const namespace of ["a", "b", "c"]) server.put(widget("w", { metadata: { namespace } }));
    server.put(Zone.create({ metadata: { name: "z" }, spec: {} }));
    const cache = started(server, { defaultNamespaces: { a: {}, b: {} } });
    expect((await cache.list(Widget)).items.map(({ metadata }) => metadata.namespace)).toEqual(["a", "b"]);
    await expect(cache.get(Widget, { namespace: "c", name: "w" })).rejects.toMatchObject({
      code: "CACHE_NAMESPACE_UNKNOWN",
    });
    expect((await cache.get(Zone, { name: "z" })).metadata.name).toBe("z");
    expect(namespacesAsked(server)).toEqual([
      ["a", undefined],
      ["b", undefined],
      [undefined, undefined],
    ]);
  });

  it("row 61: the rest leaves the listed namespaces out", async () => {
    const server = new FakeServer();
    const cache = started(server, {
      byObject: [{ kind: Widget, namespaces: { a: {}, "": { labelSelector: "x=y" } }, fieldSelector: "spec.size=1" }],
    });
    await cache.list(Widget);
    expect(namespacesAsked(server)).toEqual([
      ["a", "spec.size=1"],
      [undefined, "spec.size=1,metadata.namespace!=a"],
    ]);
  });

  it("namespaces of a cluster-scoped kind are refused", async () => {
    const cache = started(new FakeServer(), { byObject: [{ kind: Zone, namespaces: { a: {} } }] });
    await expect(cache.list(Zone)).rejects.toMatchObject({ code: "CACHE_CLUSTER_SCOPED" });
  });

  it("row 62: selectors are sent to the server, and one for a namespace narrows the path", async () => {
    const server = new FakeServer();
    const cache = started(server, {
      defaultLabelSelector: "app=web",
      byObject: [{ kind: Widget, fieldSelector: "metadata.namespace=a" }],
    });
    await cache.list(Widget);
    expect(server.calls[0]).toMatchObject({
      options: { namespace: "a", labelSelector: "app=web", fieldSelector: "metadata.namespace=a" },
    });
  });

  it("metadata-only reads have their own cache", async () => {
    const server = new FakeServer();
    const cache = started(server);
    await cache.list(Widget, { metadataOnly: true });
    await cache.list(Widget);
    await settle();
    expect(server.callsOf("list").map((call) => "options" in call && call.options.metadataOnly)).toEqual([
      true,
      undefined,
    ]);
  });

  it("row 63: lists by indexes find the same objects as a search", async () => {
    const server = new FakeServer();
    const cache = started(server);
    await cache.indexField(Widget, "spec.size", (object) => [String(object.spec.size)]);
    await cache.indexField(Widget, "spec.parity", (object) => [object.spec.size % 2 === 0 ? "even" : "odd"]);
    await cache.list(Widget);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.nat(20), namespace: fc.nat(2), size: fc.nat(4), isGone: fc.boolean() }), {
          maxLength: 200,
        }),
        async (changes) => {
          for (const { name, namespace, size, isGone } of changes) {
            const object = widget(`w${name}`, { metadata: { namespace: `n${namespace}` }, spec: { size } });
            if (isGone) server.remove(object);
            else server.put(object);
          }
          await settle();
          const all = (await cache.list(Widget)).items;
          for (const size of [0, 1, 2, 3, 4]) {
            const found = await cache.list(Widget, {
              namespace: "n1",
              fields: { "spec.size": String(size) },
              fieldSelector: "spec.parity=even",
            });
            const expected = all.filter(
              ({ metadata, spec }) => metadata.namespace === "n1" && spec.size === size && size % 2 === 0,
            );
            expect(new Set(found.items)).toEqual(new Set(expected));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("row 63: a field without index and a second index of a name fail", async () => {
    const cache = started(new FakeServer());
    await cache.indexField(Widget, "spec.size", (object) => [String(object.spec.size)]);
    await expect(cache.indexField(Widget, "spec.size", () => [])).rejects.toMatchObject({
      code: "CACHE_INDEX_CONFLICT",
    });
    await expect(cache.list(Widget, { fields: { "spec.color": "red" } })).rejects.toMatchObject({
      code: "CACHE_INDEX_MISSING",
    });
    await expect(cache.list(Widget, { fieldSelector: "spec.size!=1" })).rejects.toMatchObject({
      code: "CACHE_LIST_OPTION",
    });
  });

  it("name and namespace need no index", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(widget("b"));
    const cache = started(server);
    const found = await cache.list(Widget, { fields: { "metadata.name": "b", "metadata.namespace": "default" } });
    expect(found.items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
  });

  it("row 64: a limit truncates, a continue token is refused, namespace and labels are combined", async () => {
    const server = new FakeServer();
    for (const name of ["a", "b", "c"]) server.put(widget(name, { metadata: { labels: { app: "web", tier: name } } }));
    server.put(widget("d", { metadata: { namespace: "other", labels: { app: "web" } } }));
    server.put(widget("e"));
    const cache = started(server);
    const names = async (options: Parameters<Cache["list"]>[1]): Promise<unknown> =>
      (await cache.list(Widget, options)).items.map(({ metadata }) => metadata.name);
    const limited = await cache.list(Widget, { limit: 2 });
    expect([limited.items.length, limited.metadata.continue]).toEqual([2, "continue-not-supported"]);
    await expect(cache.list(Widget, { continue: "x" })).rejects.toMatchObject({ code: "CACHE_LIST_OPTION" });
    expect(await names({ namespace: "default", labels: { app: "web" } })).toEqual(["a", "b", "c"]);
    expect(await names({ labelSelector: "tier in (a,c),app=web" })).toEqual(["a", "c"]);
    expect(await names({ hasLabels: ["tier"], labels: { tier: "b" } })).toEqual(["b"]);
  });

  it("row 93: a kind whose informer was removed is not watched, and is listed again by the next read", async () => {
    const server = new FakeServer();
    const cache = started(server);
    await cache.list(Widget);
    await settle();
    await cache.removeInformer(Widget);
    expect(server.openWatches).toBe(0);
    server.put(widget("a"));
    expect((await cache.list(Widget)).items).toHaveLength(1);
  });

  it("guarantee 23: stops although the server does not answer which resource a kind is, and ends those who wait for it", async () => {
    const server = new FakeServer();
    const client = server.client();
    let answer = (_mapping: RestMapping): void => undefined;
    client.restMapper.restMapping = async () => await new Promise((resolve) => (answer = resolve));
    const stop = new AbortController();
    stops.push(stop);
    const cache = createCache(client, { logger: silentLogger, registry: createMetricsRegistry() });
    const running = cache.start(stop.signal);
    const waiting = [
      cache.list(Widget),
      cache.getInformer(Widget),
      cache.getInformer(Widget, { blockUntilSynced: false }),
    ];
    const outcomes = Promise.all(waiting.map(async (each) => await each.catch((error: unknown) => error)));
    const impatient = new AbortController();
    const syncs = [impatient, new AbortController()].map(async ({ signal }) => await cache.waitForCacheSync(signal));
    await settle();
    impatient.abort();
    expect(await syncs[0]).toBe(false);
    stop.abort();
    await running;
    expect(await syncs[1]).toBe(false);
    expect(await outcomes).toEqual(
      waiting.map(() => expect.objectContaining({ code: "CACHE_NOT_RUNNING" }) as unknown),
    );
    answer({ gvk: Widget, gvr: { group: "demo", version: "v1", resource: "widgets" }, scope: "namespaced" });
    await settle();
    expect(server.calls).toEqual([]);
  });

  it("a kind that is removed and read again while it cannot be mapped has one watch, which ends with its removal", async () => {
    const server = new FakeServer();
    const client = server.client();
    const restMapping = client.restMapper.restMapping.bind(client.restMapper);
    let fail = (_error: Error): void => undefined;
    client.restMapper.restMapping = async () => await new Promise<never>((_, reject) => (fail = reject));
    const stop = new AbortController();
    stops.push(stop);
    const cache = createCache(client, { logger: silentLogger, registry: createMetricsRegistry() });
    void cache.start(stop.signal);
    const first = cache.list(Widget).catch((error: unknown) => error);
    await settle();
    const removed = cache.removeInformer(Widget).catch((error: unknown) => error);
    client.restMapper.restMapping = restMapping;
    await cache.list(Widget);
    fail(statusError(404, "NotFound"));
    expect([await first, await removed].map(isNotFound)).toEqual([true, true]);
    await settle();
    await cache.list(Widget);
    expect([server.openWatches, server.callsOf("watch").length]).toEqual([1, 1]);
    await cache.removeInformer(Widget);
    expect(server.openWatches).toBe(0);
  });

  it("guarantee 12: a list of one namespace costs in proportion to its objects, with and without an index", async () => {
    const server = new FakeServer();
    for (let index = 0; index < 6000; index += 1) {
      server.put(widget(`w${index}`, { metadata: { namespace: `n${index % 300}` }, spec: { size: index % 2 } }));
    }
    const cache = started(server);
    await cache.indexField(Widget, "spec.size", (object) => [String(object.spec.size)]);
    await cache.list(Widget);
    const { all, one, indexed, named } = await readsOf(cache);
    expect([all, one, indexed, named]).toEqual([6000, 20, 20, 1]);
  });

  it("guarantee 13: a namespace does not matter for a cluster-scoped kind", async () => {
    const server = new FakeServer();
    server.put(Zone.create({ metadata: { name: "z" }, spec: {} }));
    const cache = started(server);
    expect((await cache.get(Zone, { namespace: "default", name: "z" })).metadata.name).toBe("z");
    expect((await cache.list(Zone, { namespace: "default" })).items).toHaveLength(1);
  });

  it("guarantee 13: only own keys of labels count", async () => {
    const server = new FakeServer();
    server.put(widget("a", { metadata: { labels: { app: "web" } } }));
    const cache = started(server);
    for (const name of ["constructor", "toString", "hasOwnProperty"]) {
      expect((await cache.list(Widget, { hasLabels: [name] })).items).toEqual([]);
      expect((await cache.list(Widget, { labelSelector: name })).items).toEqual([]);
      expect((await cache.list(Widget, { labelSelector: `!${name}` })).items).toHaveLength(1);
    }
  });

  it("guarantee 15: an asynchronous handler receives one event at a time, also from several namespaces", async () => {
    const server = new FakeServer();
    for (const namespace of ["a", "b", "c"]) {
      for (const name of ["v", "w"]) server.put(widget(name, { metadata: { namespace } }));
    }
    const cache = started(server, { defaultNamespaces: { a: {}, b: {}, c: {} } });
    const informer = await cache.getInformer(Widget);
    let running = 0;
    let most = 0;
    const received: string[] = [];
    informer.addEventHandler({
      onAdd: async ({ metadata }) => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        received.push(`${metadata.namespace ?? ""}/${metadata.name ?? ""}`);
        if (received.length === 1) throw new Error("the first call fails");
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(most).toBe(1);
    expect(received.toSorted()).toEqual(["a/v", "a/w", "b/v", "b/w", "c/v", "c/w"]);
  });

  it("guarantee 15: a list of several namespaces has the version of its oldest part", async () => {
    const server = new FakeServer();
    const cache = started(server, { defaultNamespaces: { a: {}, b: {} } });
    await cache.list(Widget);
    await settle();
    server.put(widget("w", { metadata: { namespace: "a" } }));
    await settle();
    expect((await cache.list(Widget, { namespace: "a" })).metadata.resourceVersion).toBe("101");
    expect((await cache.list(Widget)).metadata.resourceVersion).toBe("100");
  });

  it("waits for all informers, and reports when it is stopped before", async () => {
    const server = new FakeServer();
    const { cache, start, stop } = create(server);
    await cache.getInformer(Widget);
    let release = (): void => undefined;
    server.onList = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    void start();
    const abort = new AbortController();
    const first = cache.waitForCacheSync(abort.signal);
    await settle();
    abort.abort();
    expect(await first).toBe(false);
    const second = cache.waitForCacheSync(stop.signal);
    release();
    expect(await second).toBe(true);
  });

  it("starts once, and stops with nothing left", async () => {
    const server = new FakeServer();
    const { cache, clock, start, stop } = create(server);
    const running = start();
    await cache.list(Widget);
    await settle();
    await expect(start()).rejects.toMatchObject({ code: "CACHE_STARTED_TWICE" });
    stop.abort();
    await running;
    expect([server.openWatches, clock.pendingTimers]).toEqual([0, 0]);
    await expect(cache.list(Zone)).rejects.toMatchObject({ code: "CACHE_NOT_RUNNING" });
  });
});

// The objects that a list looks at: the store hands out their metadata, and the filters read it.
async function readsOf(cache: Cache): Promise<Readonly<Record<"all" | "one" | "indexed" | "named", number>>> {
  const objects = (await cache.list(Widget)).items;
  const count = async (options: Parameters<Cache["list"]>[1]): Promise<number> => {
    let examined = 0;
    const { filter } = Array.prototype;
    const spy = vi.spyOn(Array.prototype, "filter").mockImplementation(function filtered(
      this: unknown[],
      ...parameters: unknown[]
    ) {
      examined = Math.max(examined, this.length);
      return Reflect.apply(filter, this, parameters) as unknown[];
    });
    try {
      await cache.list(Widget, options);
    } finally {
      spy.mockRestore();
    }
    return examined;
  };
  return {
    all: objects.length,
    one: await count({ namespace: "n7" }),
    indexed: await count({ namespace: "n7", fields: { "spec.size": "1" } }),
    named: await count({ namespace: "n7", fields: { "metadata.name": "w7" } }),
  };
}

describe("cachedClient over a cache", () => {
  it("row 60: reads kinds from the cache, except disabled ones, and plain kinds only if enabled", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(Zone.create({ metadata: { name: "z" }, spec: {} }));
    const cache = started(server);
    const client = cachedClient(server.client(), { reader: cache, disableFor: [Zone] });
    const key = { namespace: "default", name: "a" };
    await client.get(Zone, { name: "z" });
    await client.get({ group: "demo", version: "v1", kind: "Widget" }, key);
    expect(server.calls.map(({ verb, kind }) => `${verb} ${kind}`)).toEqual(["get Zone", "get Widget"]);
    expect(Object.isFrozen(await client.get(Widget, key))).toBe(true);
    const eager = cachedClient(server.client(), { reader: cache, unstructured: true });
    expect(await eager.get({ group: "demo", version: "v1", kind: "Widget" }, key)).toBe(await client.get(Widget, key));
  });
});
