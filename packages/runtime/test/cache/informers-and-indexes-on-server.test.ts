import { Environment } from "@kubescaffold/envtest";
import { type DeepReadonly, type RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Cache, CacheOptions } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import { type ResourceEventHandler, transformStripManagedFields } from "../../src/cache/informer.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createNamespace, EVENT, type ServerNamespace } from "../support/controller-on-server.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";

const environment = new Environment();
const stops: (() => Promise<void>)[] = [];
let config: RestConfig;
let on: ServerNamespace;

beforeAll(async () => {
  config = await environment.start();
});

beforeEach(async () => {
  on = await createNamespace(config);
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => environment.stop());

interface OnServer {
  readonly cache: Cache;
  readonly logger: RecordingLogger;
  readonly requests: () => number;
}

function start(options: CacheOptions = {}): OnServer {
  let requests = 0;
  const logger = createRecordingLogger();
  const counting = interceptedConfig(config, async (request, send) => {
    requests += 1;
    return await send(request);
  });
  const cache = createCache(createClient(counting, { log: logger }), {
    logger,
    registry: createMetricsRegistry(),
    defaultNamespaces: { [on.namespace]: { labelSelector: "tested" } },
    ...options,
  });
  const stopping = new AbortController();
  const running = cache.start(stopping.signal);
  stops.push(async () => {
    stopping.abort();
    await running;
  });
  return { cache, logger, requests: () => requests };
}

function namesAdded(names: string[]): ResourceEventHandler<ConfigMap> {
  return {
    onAdd: ({ metadata }) => void names.push(metadata.name ?? ""),
    onUpdate: () => undefined,
    onDelete: () => undefined,
  };
}

function sizeOf(object: DeepReadonly<ConfigMap>): string {
  return object.data?.["value"] ?? "";
}

function parityOf(object: DeepReadonly<ConfigMap>): string {
  return Number(sizeOf(object)) % 2 === 0 ? "even" : "odd";
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe("the cache of a server", () => {
  it("row 25: an object that was read or reported cannot be changed, unless freezing is disabled", async () => {
    await on.write("a", "1");
    const { cache } = start();
    const reported: ConfigMap[] = [];
    const informer = await cache.getInformer(ConfigMap);
    informer.addEventHandler({
      onAdd: (object) => void reported.push(object as ConfigMap),
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    const key = { namespace: on.namespace, name: "a" };
    const held = (await cache.get(ConfigMap, key)) as ConfigMap;
    const [listed] = (await cache.list(ConfigMap)).items as ConfigMap[];
    await expect.poll(() => reported.length, EVENT).toBe(1);
    for (const object of [held, listed, reported[0]]) {
      expect(() => {
        (object as ConfigMap).data = {};
      }).toThrow(TypeError);
      expect(() => {
        ((object as ConfigMap).metadata.labels ??= {})["tested"] = "changed";
      }).toThrow(TypeError);
    }
    expect(await cache.get(ConfigMap, key)).toEqual(await on.live.get(ConfigMap, key));
    const open = start({ defaultUnsafeDisableDeepFreeze: true });
    ((await open.cache.get(ConfigMap, key)) as ConfigMap).data = { value: "2" };
    expect((await open.cache.get(ConfigMap, key)).data).toEqual({ value: "2" });
  });

  it("row 63: lists by indexes find the same objects as a search, while the objects change", async () => {
    const { cache } = start();
    await cache.indexField(ConfigMap, "size", (object) => [sizeOf(object)]);
    await cache.indexField(ConfigMap, "parity", (object) => [parityOf(object)]);
    await expect(cache.indexField(ConfigMap, "size", () => [])).rejects.toMatchObject({ code: "CACHE_INDEX_CONFLICT" });
    await cache.list(ConfigMap);
    const next = random(7);
    const existing = new Set<string>();
    for (let step = 0; step < 300; step += 1) {
      const name = `w${String(Math.floor(next() * 30))}`;
      if (next() < 0.25 && existing.has(name)) {
        await on.live.delete(ConfigMap.create({ metadata: { namespace: on.namespace, name } }));
        existing.delete(name);
      } else {
        const value = String(Math.floor(next() * 5));
        const object = ConfigMap.create({
          metadata: { namespace: on.namespace, name, labels: { tested: "" } },
          data: { value },
        });
        await (existing.has(name) ? on.live.update(object) : on.live.create(object));
        existing.add(name);
      }
    }
    await on.write("fence", "9");
    await expect.poll(async () => (await cache.list(ConfigMap, { fields: { size: "9" } })).items.length, EVENT).toBe(1);
    const all = (await on.live.list(ConfigMap, { namespace: on.namespace, labelSelector: "tested" })).items;
    expect(all.length).toBeGreaterThan(10);
    for (const size of ["0", "1", "2", "3", "4"]) {
      for (const parity of ["even", "odd"]) {
        const found = await cache.list(ConfigMap, { fields: { size }, fieldSelector: `parity=${parity}` });
        const expected = all.filter((object) => sizeOf(object) === size && parityOf(object) === parity);
        expect(byName(found.items)).toEqual(byName(expected));
      }
    }
    await expect(cache.list(ConfigMap, { fields: { color: "red" } })).rejects.toMatchObject({
      code: "CACHE_INDEX_MISSING",
    });
  });

  it("row 64: a limit truncates, a continue token is refused, namespace and labels are combined as by the server", async () => {
    const tiers = ["a", "b", "c", "d"];
    for (const tier of tiers) {
      const labels = { tested: "", tier, ...(tier === "d" ? {} : { app: "web" }) };
      await on.live.create(ConfigMap.create({ metadata: { namespace: on.namespace, name: tier, labels } }));
    }
    const { cache } = start();
    const limited = await cache.list(ConfigMap, { limit: 2 });
    expect([limited.items.length, limited.metadata.continue]).toEqual([2, "continue-not-supported"]);
    await expect(cache.list(ConfigMap, { continue: "x" })).rejects.toMatchObject({ code: "CACHE_LIST_OPTION" });
    const selections = [
      { labels: { app: "web" } },
      { labelSelector: "tier in (a,c,d),app=web" },
      { labelSelector: "!app" },
      { labelSelector: "tier notin (a),app" },
      { labelSelector: "app!=web,tier" },
      { hasLabels: ["tier"], labels: { tier: "b" } },
    ];
    for (const selection of selections) {
      const options = { namespace: on.namespace, ...selection };
      const live = (await on.live.list(ConfigMap, options)).items.filter(
        ({ metadata }) => metadata.labels !== undefined,
      );
      const cached = (await cache.list(ConfigMap, options)).items;
      expect({ selection, items: byName(cached) }).toEqual({ selection, items: byName(live) });
    }
  });

  it("row 65: transforms listed and watched objects before they are stored, and drops with a log what cannot be transformed", async () => {
    await on.write("a");
    const strip = transformStripManagedFields();
    const { cache, logger } = start({
      defaultTransform: (object) => {
        if (object.metadata.name === "bad") throw new TypeError("cannot");
        return strip(object);
      },
    });
    const added: string[] = [];
    (await cache.getInformer(ConfigMap)).addEventHandler(namesAdded(added));
    await on.write("bad");
    await on.write("b");
    await expect.poll(() => added, EVENT).toEqual(["a", "b"]);
    const key = { namespace: on.namespace, name: "b" };
    const { managedFields, ...metadata } = (await on.live.get(ConfigMap, key)).metadata;
    expect(managedFields).toHaveLength(1);
    expect((await cache.get(ConfigMap, key)).metadata).toEqual(metadata);
    expect((await cache.list(ConfigMap)).items.every((object) => object.metadata.managedFields === undefined)).toBe(
      true,
    );
    const errors = logger.records.filter(({ severity }) => severity === "error");
    expect(errors.map(({ error }) => String(error))).toEqual([
      expect.stringContaining(`"${on.namespace}/bad": cannot`) as string,
    ]);
  });

  it("row 69: resyncs all objects once per period, unchanged and without a request", async () => {
    await on.writeAll(["a", "b"]);
    const clock = new FakeClock();
    const { cache, requests } = start({ clock, random: () => 0.5, syncPeriodMs: 10_000 });
    const updates: string[] = [];
    const informer = await cache.getInformer(ConfigMap);
    const registration = informer.addEventHandler({
      onAdd: () => undefined,
      onUpdate: (objectOld, objectNew) =>
        void updates.push(`${objectNew.metadata.name ?? ""} ${objectOld === objectNew ? "unchanged" : "changed"}`),
      onDelete: () => undefined,
    });
    await registration.waitForSync(new AbortController().signal);
    const before = requests();
    await clock.advance(30_000);
    expect(updates.toSorted()).toEqual(["a", "b"].flatMap((name) => [1, 2, 3].map(() => `${name} unchanged`)));
    expect(requests()).toBe(before);
  });

  it("row 71: a handler that hangs delays no other", async () => {
    const { cache } = start();
    const informer = await cache.getInformer(ConfigMap);
    let hung = 0;
    const hanging = informer.addEventHandler({
      onAdd: async () => {
        hung += 1;
        await new Promise(() => undefined);
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    const added: string[] = [];
    informer.addEventHandler(namesAdded(added));
    const names = Array.from({ length: 20 }, (_, index) => `k${String(index)}`);
    for (const name of names) await on.write(name);
    await expect.poll(() => added, EVENT).toEqual(names);
    expect(hung).toBe(1);
    // A stop waits for the current call of each handler.
    hanging.remove();
  });
});

function byName(objects: readonly DeepReadonly<ConfigMap>[]): readonly DeepReadonly<ConfigMap>[] {
  return objects.toSorted((left, right) => ((left.metadata.name ?? "") < (right.metadata.name ?? "") ? -1 : 1));
}
