import { Environment } from "@kubescaffold/envtest";
import { type Chaos, startChaos } from "@kubescaffold/envtest/chaos";
import { type RestConfig, StatusError } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock, realClock, settle } from "@kubescaffold/platform/clock";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Cache } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import { createListWatch } from "../../src/cache/list-watch.ts";
import { Reflector, type ReflectorStore } from "../../src/cache/reflector.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient, type ClientOptions } from "../../src/client/create-client.ts";
import type { WatchOptions } from "../../src/client/options.ts";
import { interceptedClient } from "../../src/client/wrapped-clients.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createNamespace, EVENT, type ServerNamespace } from "../support/controller-on-server.ts";

const TEST = { timeout: 120_000 };
const environment = new Environment();
const stops: (() => Promise<unknown>)[] = [];
let config: RestConfig;
let on: ServerNamespace;
let chaos: Chaos;

beforeAll(async () => {
  config = await environment.start();
});

beforeEach(async () => {
  on = await createNamespace(config);
  chaos = await startChaos({ target: config, faults: {} });
  stops.push(async () => await chaos.stop());
});

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(() => environment.stop());

interface Observed {
  readonly client: LiveClient;
  /** What was requested of ConfigMaps: `list` or `watch`, and the parameters that select pages and versions. */
  readonly requests: () => readonly Readonly<Record<string, string>>[];
}

function observedClient(options: ClientOptions = {}, target: RestConfig = chaos.restConfig): Observed {
  const log = createRecordingLogger();
  const client = createClient(target, { log, requestLog: ["url"], ...options }) as LiveClient;
  const requests = (): readonly Readonly<Record<string, string>>[] =>
    log.records
      .flatMap(({ fields }) => (typeof fields["url"] === "string" ? [new URL(fields["url"])] : []))
      .filter(({ pathname }) => pathname.endsWith("/configmaps"))
      .map(({ searchParams }) => {
        const shown = ["resourceVersion", "limit", "sendInitialEvents"].flatMap((name) => {
          const value = searchParams.get(name);
          return value === null ? [] : [[name, value]];
        });
        const page = searchParams.has("continue") ? [["continue", "yes"]] : [];
        return Object.fromEntries([
          ["verb", searchParams.has("watch") ? "watch" : "list"],
          ...shown,
          ...page,
        ]) as Record<string, string>;
      });
  return { client, requests };
}

interface ObservedCache extends Observed {
  readonly cache: Cache;
  readonly clock: FakeClock;
  /** The events of the cache, without those of its initial list. */
  readonly events: string[];
}

// The clock of the cache is fake, so that its waits end when a test says so; requests and events are real.
async function startCache({
  streams,
  client,
}: {
  readonly streams: boolean;
  readonly client?: LiveClient;
}): Promise<ObservedCache> {
  const observed = observedClient();
  const clock = new FakeClock();
  const cache = createCache(client ?? observed.client, {
    clock,
    logger: silentLogger,
    registry: createMetricsRegistry(),
    random: () => 0,
    syncPeriodMs: 0,
    defaultNamespaces: { [on.namespace]: { labelSelector: "tested" } },
    defaultEnableWatchBookmarks: streams,
  });
  const stopping = new AbortController();
  const running = cache.start(stopping.signal);
  stops.push(async () => {
    stopping.abort();
    await running;
  });
  const events: string[] = [];
  const informer = await cache.getInformer(ConfigMap, { blockUntilSynced: false });
  informer.addEventHandler({
    onAdd: ({ metadata }, isInInitialList) => void (isInInitialList || events.push(`add ${metadata.name ?? ""}`)),
    onUpdate: (_, { metadata, data }) => void events.push(`update ${metadata.name ?? ""} ${data?.["value"] ?? ""}`),
    onDelete: ({ metadata }, isUnknown) =>
      void events.push(`delete ${metadata.name ?? ""}${isUnknown ? " unknown" : ""}`),
  });
  return { ...observed, cache, clock, events };
}

async function namesOf(cache: Cache): Promise<readonly string[]> {
  return (await cache.list(ConfigMap)).items.map(({ metadata }) => metadata.name ?? "").toSorted();
}

const watchAt = (version: unknown): unknown => ({ verb: "watch", resourceVersion: version });
const anyVersion = expect.stringMatching(/^\d+$/u) as unknown;

describe("a cache behind a proxy of a server", () => {
  it("row 15: 20 ordinary ends of the watch cost no list and lose or double nothing", TEST, async () => {
    await on.write("a");
    const { cache, events, requests } = await startCache({ streams: true });
    await cache.list(ConfigMap);
    // Each watch delivers an event before it ends.
    const ends = Array.from({ length: 20 }, (_, index) => ({
      fault: "closeWatch" as const,
      match: { resource: "configmaps" },
      skip: 2 * index + 1,
    }));
    const script = chaos.script(ends);
    const expected: string[] = [];
    for (let change = 1; change <= 21; change += 1) {
      await on.write("a", String(change));
      expected.push(`update a ${String(change)}`);
      await expect.poll(() => events, EVENT).toEqual(expected);
    }
    await script.injected;
    const [first, ...others] = requests();
    expect(first).toMatchObject({ verb: "watch", sendInitialEvents: "true" });
    expect(others).toEqual(Array.from({ length: 20 }, () => watchAt(anyVersion)));
    expect((await cache.get(ConfigMap, { namespace: on.namespace, name: "a" })).data).toEqual({ value: "21" });
  });

  it.each(["status", "event"] as const)(
    "row 17: 410 as a %s leads to one list, after the back-off",
    TEST,
    async (form) => {
      await on.writeAll(["a", "b"]);
      const { cache, clock, events, requests } = await startCache({ streams: false });
      await cache.list(ConfigMap);
      await on.write("b", "1");
      await expect.poll(() => events, EVENT).toEqual(["update b 1"]);
      const match = { resource: "configmaps", verb: "watch" };
      const script = chaos.script(
        form === "status"
          ? [
              { fault: "closeWatch", match },
              { fault: "expired", match },
            ]
          : [{ fault: "expireWatch", match }],
      );
      await on.live.delete(ConfigMap.create({ metadata: { namespace: on.namespace, name: "a" } }));
      await on.write("c");
      await script.injected;
      await expect.poll(() => clock.nextDelayMs, EVENT).toBe(800);
      const lists = (): number => requests().filter(({ verb }) => verb === "list").length;
      await clock.advance(799);
      expect([lists(), events.length]).toEqual([1, 1]);
      await clock.advance(1);
      await expect
        .poll(() => events.toSorted(), EVENT)
        .toEqual(["add c", "delete a unknown", "update b 1", "update b 1"]);
      expect(lists()).toBe(2);
      expect(await namesOf(cache)).toEqual(["b", "c"]);
      await on.write("d");
      await expect.poll(() => events.at(-1), EVENT).toBe("add d");
      expect(lists()).toBe(2);
    },
  );

  it(
    "row 21: lists that fail are spaced by a back-off from 0.8 s to at most 60 s, reset after 2 minutes",
    TEST,
    async () => {
      await on.write("a");
      chaos.script([{ fault: "internalError", match: { resource: "configmaps" }, times: 1_000_000 }]);
      const { cache, clock, requests } = await startCache({ streams: false });
      const gaps: (number | undefined)[] = [];
      for (let attempt = 1; attempt <= 12; attempt += 1) {
        await expect.poll(() => [requests().length, clock.pendingTimers], EVENT).toEqual([attempt, 1]);
        gaps.push(clock.nextDelayMs);
        await clock.advance(clock.nextDelayMs ?? 0);
      }
      expect(gaps).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000, 800, 1600, 3200]);
      await chaos.heal();
      await expect.poll(() => clock.pendingTimers, EVENT).toBe(1);
      await clock.advance(6400);
      await expect.poll(() => namesOf(cache), EVENT).toEqual(["a"]);
    },
  );

  it("row 68: pages of 500 at any version; pages that expire are replaced by one whole list", TEST, async () => {
    for (let batch = 0; batch < 1201; batch += 100) {
      const size = Math.min(100, 1201 - batch);
      await on.writeAll(Array.from({ length: size }, (_, index) => `w${String(batch + index)}`));
    }
    const pages = [
      { limit: 500, resourceVersion: "0" },
      { limit: 500, resourceVersion: "" },
      { limit: 500, isContinued: true },
      { limit: 500, isContinued: true },
    ];
    expect(await pagesOf((count) => count === 1)).toEqual(pages);
    expect(await pagesOf((count) => count === 1 || count === 4)).toEqual([...pages, { resourceVersion: "" }]);
  });
});

/** Lists all objects with a cache, some of whose lists the server refuses as expired; returns the options of its lists. */
async function pagesOf(isExpired: (count: number) => boolean): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  const client = interceptedClient(observedClient().client, {
    client: (inner) => ({
      list: async (listed, options) => {
        const { limit, resourceVersion, continue: token } = options ?? {};
        pages.push({ limit, resourceVersion, isContinued: token === undefined ? undefined : true });
        if (isExpired(pages.length)) throw new StatusError({ reason: "Expired", code: 410 });
        return await inner.list(listed, options);
      },
    }),
  });
  const { cache } = await startCache({ streams: false, client });
  expect((await cache.list(ConfigMap)).items).toHaveLength(1201);
  return pages;
}

class RecordingStore implements ReflectorStore<ConfigMap> {
  readonly changes: string[] = [];
  readonly bookmarks: string[] = [];

  replace(objects: Iterable<ConfigMap>, resourceVersion: string): void {
    this.changes.push(`replace ${String([...objects].length)}`);
    this.bookmarks.push(resourceVersion);
  }

  upsert(object: ConfigMap): void {
    this.changes.push(`upsert ${object.metadata.name ?? ""}`);
  }

  delete(object: ConfigMap): void {
    this.changes.push(`delete ${object.metadata.name ?? ""}`);
  }

  bookmark(resourceVersion: string): void {
    this.bookmarks.push(resourceVersion);
  }
}

// The server ends each watch after a few seconds, in place of minutes.
function startReflector(timeoutSeconds: number): Observed & { readonly store: RecordingStore } {
  const observed = observedClient({}, config);
  const store = new RecordingStore();
  const listWatch = createListWatch(observed.client, ConfigMap, { namespace: on.namespace, labelSelector: "tested" });
  const reflector = new Reflector<ConfigMap>({
    kind: ConfigMap,
    listWatch: { ...listWatch, watch: (options: WatchOptions) => listWatch.watch({ ...options, timeoutSeconds }) },
    store,
    clock: realClock,
    log: silentLogger,
    registry: createMetricsRegistry(),
  });
  const stopping = new AbortController();
  const running = reflector.run(stopping.signal);
  stops.push(async () => {
    stopping.abort();
    await running;
  });
  return { ...observed, store };
}

describe("a reflector of a quiet kind", () => {
  it(
    "row 16: after bookmarks alone the next watch starts at the last of them, and the store is not touched",
    TEST,
    async () => {
      await on.write("a");
      const { requests, store } = startReflector(5);
      await expect.poll(() => store.changes, EVENT).toEqual(["replace 1"]);
      // The watch does not select it, and the server's bookmark comes after it.
      const other = ConfigMap.create({ metadata: { namespace: on.namespace, name: "other" } });
      const { metadata } = await on.live.create(other);
      await expect.poll(() => requests().length, EVENT).toBe(2);
      const [listed, ...bookmarks] = store.bookmarks;
      expect(bookmarks.length).toBeGreaterThan(0);
      expect(Number(bookmarks.at(-1))).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
      expect(Number(bookmarks.at(-1))).toBeGreaterThan(Number(listed));
      expect(requests()[1]).toEqual(watchAt(bookmarks.at(-1)));
      expect(store.changes).toEqual(["replace 1"]);
    },
  );

  it(
    "row 22: is watched again whenever the server ends the watch, without a list, and the next event arrives",
    TEST,
    async () => {
      await on.write("a");
      const { requests, store } = startReflector(2);
      await expect.poll(() => requests().length, EVENT).toBe(4);
      expect(requests().slice(1)).toEqual(Array.from({ length: 3 }, () => watchAt(anyVersion)));
      await on.write("late");
      await expect.poll(() => store.changes, EVENT).toEqual(["replace 1", "upsert late"]);
    },
  );
});

describe("a client behind a proxy of a server", () => {
  it(
    "row 72: a 429 with Retry-After is repeated after that time, ten times, and then is the error; a repeated write happens once",
    TEST,
    async () => {
      const clock = new FakeClock();
      const target = { ...chaos.restConfig, idleTimeoutMs: 0 };
      const { client } = observedClient({ clock }, target);
      const object = ConfigMap.create({ metadata: { namespace: on.namespace, name: "throttled" } });
      await client.list(ConfigMap, { namespace: on.namespace });
      const refused = (): number => chaos.report().faults.tooManyRequests;
      const fault = { fault: "tooManyRequests", match: { verb: "create" }, retryAfterSeconds: 3 } as const;
      const all = chaos.script([{ ...fault, times: 1_000_000 }]);
      const failing = client.create(object).catch((error: unknown) => error);
      for (let retry = 1; retry <= 10; retry += 1) {
        await expect.poll(() => [refused(), clock.pendingTimers], EVENT).toEqual([retry, 1]);
        await clock.advance(2999);
        expect(refused()).toBe(retry);
        await clock.advance(1);
      }
      expect(await failing).toMatchObject({ status: { reason: "TooManyRequests" } });
      expect(refused()).toBe(11);
      all.cancel();
      chaos.script([{ ...fault, times: 2 }]);
      const created = client.create(object);
      for (const count of [12, 13]) {
        await expect.poll(() => [refused(), clock.pendingTimers], EVENT).toEqual([count, 1]);
        await clock.advance(3000);
      }
      const { metadata } = await created;
      await settle();
      expect(metadata.uid).toBe(
        (await on.live.get(ConfigMap, { namespace: on.namespace, name: "throttled" })).metadata.uid,
      );
    },
  );
});
