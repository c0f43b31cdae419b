import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createListWatch } from "../../src/cache/list-watch.ts";
import { Reflector, type ReflectorStore } from "../../src/cache/reflector.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { ConnectionError, UnreadableEventError } from "../../src/rest/errors.ts";
import { FakeServer, statusError, Widget, widget } from "../support/fake-server.ts";

class MapStore implements ReflectorStore<Widget> {
  readonly objects = new Map<string, Widget>();
  readonly changes: string[] = [];

  replace(items: Iterable<Widget>, resourceVersion: string): void {
    const objects = [...items];
    this.objects.clear();
    for (const object of objects) this.objects.set(object.metadata.name ?? "", object);
    this.changes.push(`replace ${objects.map((object) => object.metadata.name).join(" ")} @${resourceVersion}`);
  }

  upsert(object: Widget): void {
    this.objects.set(object.metadata.name ?? "", object);
    this.changes.push(`upsert ${object.metadata.name ?? ""}`);
  }

  delete(object: KubernetesObject): void {
    this.objects.delete(object.metadata.name ?? "");
    this.changes.push(`delete ${object.metadata.name ?? ""}`);
  }

  bookmark(resourceVersion: string): void {
    this.changes.push(`bookmark ${resourceVersion}`);
  }
}

const stop = { current: new AbortController() };

afterEach(() => {
  stop.current.abort();
  stop.current = new AbortController();
});

async function start(server: FakeServer, random: number = 0) {
  const clock = new FakeClock();
  const store = new MapStore();
  const log = createRecordingLogger();
  const errors: unknown[] = [];
  const registry = createMetricsRegistry();
  const reflector = new Reflector<Widget>({
    kind: Widget,
    listWatch: createListWatch(server.client(), Widget, {}),
    store,
    clock,
    log,
    registry,
    random: () => random,
    onError: (error) => errors.push(error),
  });
  const running = reflector.run(stop.current.signal);
  await settle();
  return { clock, store, log, errors, reflector, registry, running };
}

function unreachable(failure: "refused" | "closed"): ConnectionError {
  return new ConnectionError("https://fake", { failure, detail: failure });
}

describe("Reflector", () => {
  it("lists once from the server's cache, then watches from there with bookmarks", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { store } = await start(server);
    server.put(widget("b"));
    server.remove(widget("a"));
    await settle();
    expect(store.changes).toEqual(["replace a @101", "upsert b", "delete a"]);
    expect(server.calls.map(({ verb }) => verb)).toEqual(["list", "watch"]);
    expect(server.calls[0]).toMatchObject({ options: { resourceVersion: "0" } });
    expect(server.calls[1]).toMatchObject({
      options: { resourceVersion: "101", allowWatchBookmarks: true, timeoutSeconds: 300 },
    });
  });

  it("requests watches that end after 5 to 10 minutes", async () => {
    const server = new FakeServer();
    await start(server, 0.999);
    expect(server.callsOf("watch")[0]).toMatchObject({ options: { timeoutSeconds: 599 } });
  });

  it("row 15: 20 ordinary ends of the watch cost no list and lose or double nothing", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { clock, store, reflector } = await start(server);
    for (let round = 1; round <= 20; round += 1) {
      await clock.advance(300_000);
      server.endWatches();
      server.put(widget(`during-${round}`));
      await settle();
      server.put(widget(`after-${round}`));
      await settle();
      expect(server.callsOf("watch")).toHaveLength(round + 1);
      expect(server.openWatches).toBe(1);
    }
    expect(server.callsOf("list")).toHaveLength(1);
    expect(store.objects.size).toBe(41);
    expect(new Set(store.changes).size).toBe(store.changes.length);
    expect(reflector.lastSyncResourceVersion).toBe(server.version);
  });

  it("guarantee 9: an event that cannot be read is counted and logged, and the objects are listed again", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { clock, store, log, errors, registry } = await start(server);
    await clock.advance(60_000);
    server.endWatches(new UnreadableEventError("{nonsense"));
    server.put(widget("b"));
    await settle();
    expect(server.openWatches).toBe(0);
    await clock.advance(2000);
    expect(server.callsOf("list")).toHaveLength(2);
    expect([...store.objects.keys()]).toEqual(["a", "b"]);
    expect(errors).toMatchObject([{ code: "CLIENT_UNREADABLE_EVENT" }]);
    expect(log.records.some(({ error }) => error instanceof UnreadableEventError)).toBe(true);
    const counted = await registry.getSingleMetric("kubescaffold_reflector_unreadable_events_total")?.get();
    expect(counted?.values.map(({ value }) => value)).toEqual([1]);
    server.put(widget("c"));
    await settle();
    expect(store.changes.at(-1)).toBe("upsert c");
  });

  it.each([{}, { metadata: {} }])(
    "guarantee 15: lists without a resourceVersion (%j) fill the store, and the watch starts at the current objects",
    async (list) => {
      const server = new FakeServer();
      server.put(widget("a"));
      const client = server.client();
      const watches: unknown[] = [];
      const store = new MapStore();
      const reflector = new Reflector<Widget>({
        kind: Widget,
        listWatch: {
          list: async () => ({ ...list, items: [widget("a")] }) as unknown as ListOf<Widget>,
          watch: (options) => {
            watches.push(options.resourceVersion);
            return client.watch(Widget, options);
          },
        },
        store,
        clock: new FakeClock(),
        log: createRecordingLogger(),
        registry: createMetricsRegistry(),
      });
      void reflector.run(stop.current.signal);
      await settle();
      server.put(widget("b"));
      await settle();
      expect([...store.objects.keys()]).toEqual(["a", "b"]);
      expect(watches).toEqual([undefined, ""]);
    },
  );

  it("row 15: the watch goes on from the last event", async () => {
    const server = new FakeServer();
    const { clock } = await start(server);
    server.put(widget("a"));
    await clock.advance(300_000);
    server.endWatches();
    await settle();
    expect(server.callsOf("watch").at(-1)).toMatchObject({ options: { resourceVersion: "101" } });
  });

  it("row 16: after bookmarks alone the next watch starts at the last of them, and the store is not touched", async () => {
    const server = new FakeServer();
    const { clock, store } = await start(server);
    for (let version = 0; version < 100; version += 1) {
      server.skipVersions(1);
      server.bookmark(Widget);
    }
    await clock.advance(60_000);
    server.compact();
    server.endWatches();
    await settle();
    expect(server.callsOf("watch").at(-1)).toMatchObject({ options: { resourceVersion: "200" } });
    expect(server.callsOf("list")).toHaveLength(1);
    expect(store.changes.filter((change) => !change.startsWith("bookmark"))).toEqual(["replace  @100"]);
  });

  it.each(["status", "event"] as const)("row 17: 410 as a %s leads to one list, after the back-off", async (form) => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(widget("b"));
    const { clock, store } = await start(server);
    await clock.advance(300_000);
    server.onWatch = () => {
      if (form === "status") throw statusError(410, "Expired");
    };
    server.endWatches();
    server.remove(widget("a"));
    server.put(widget("c"));
    server.compact();
    if (form === "event") {
      await settle();
      server.push("Widget", { type: "ERROR", object: statusError(410, "Expired").status });
    }
    await settle();
    expect(server.callsOf("list")).toHaveLength(1);
    server.onWatch = () => undefined;
    await clock.advance(799);
    expect(server.callsOf("list")).toHaveLength(1);
    await clock.advance(1);
    expect(server.callsOf("list")).toHaveLength(2);
    expect(store.changes.at(-1)).toBe("replace b c @104");
    expect(server.openWatches).toBe(1);
  });

  it("row 17: the list after 410 requests the last known version, and any version only if that is refused", async () => {
    const server = new FakeServer();
    const { clock } = await start(server);
    server.onList = (options) => {
      if (options.resourceVersion !== "") throw statusError(410, "Expired");
    };
    server.push("Widget", { type: "ERROR", object: statusError(410, "Gone").status });
    await clock.advance(800);
    expect(server.callsOf("list").map((call) => "options" in call && call.options.resourceVersion)).toEqual([
      "0",
      "100",
      "",
    ]);
    expect(server.openWatches).toBe(1);
  });

  it("a version that the server does not have yet leads to a list of any version, at once", async () => {
    const server = new FakeServer();
    server.onList = (options) => {
      if (options.resourceVersion !== "")
        throw statusError(504, "Timeout", { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } });
    };
    const { store, errors } = await start(server);
    expect(store.changes).toEqual(["replace  @100"]);
    expect(errors).toEqual([]);
  });

  it("row 21: lists that fail are spaced by a back-off from 0.8 s to at most 60 s, reset after 2 minutes", async () => {
    for (const random of [0, 0.999]) {
      stop.current.abort();
      stop.current = new AbortController();
      const server = new FakeServer();
      const at: number[] = [];
      const clockOf: { clock?: FakeClock } = {};
      server.onList = () => {
        at.push(clockOf.clock?.monotonic() ?? 0);
        throw statusError(500, "InternalError");
      };
      const { clock, errors } = await start(server, random);
      clockOf.clock = clock;
      await clock.advance(400_000);
      const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
      const factor = 1 + random;
      const expected = [800, 1600, 3200, 6400, 12_800, 25_600, 30_000].map((gap) => gap * factor);
      expect(gaps.slice(0, 6)).toEqual(expected.slice(0, 6).map((gap) => expect.closeTo(gap) as number));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
      expect(gaps.slice(6).some((gap) => Math.abs(gap - 800 * factor) < 1)).toBe(true);
      expect(errors.length).toBe(at.length);
    }
  });

  it("a refused connection is tried again after a back-off, without a list", async () => {
    const server = new FakeServer();
    const { clock } = await start(server);
    await clock.advance(60_000);
    server.onWatch = () => {
      throw unreachable("refused");
    };
    server.endWatches();
    await settle();
    await clock.advance(10_000);
    expect(server.callsOf("watch").length).toBeLessThan(7);
    server.onWatch = () => undefined;
    await clock.advance(10_000);
    expect(server.callsOf("list")).toHaveLength(1);
    expect(server.openWatches).toBe(1);
  });

  it("a broken connection is opened again at once, without a list", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { clock } = await start(server);
    await clock.advance(60_000);
    server.endWatches(unreachable("closed"));
    await settle();
    expect(server.openWatches).toBe(1);
    expect(server.callsOf("list")).toHaveLength(1);
  });

  it("an overloaded server is retried after a backoff, without a list", async () => {
    const server = new FakeServer();
    const { clock } = await start(server);
    server.push("Widget", { type: "ERROR", object: statusError(429, "TooManyRequests").status });
    await settle();
    expect(server.openWatches).toBe(0);
    await clock.advance(800);
    expect(server.openWatches).toBe(1);
    expect(server.callsOf("list")).toHaveLength(1);
  });

  it("another error of a watch is logged and leads to a list after the back-off", async () => {
    const server = new FakeServer();
    const { clock, log } = await start(server);
    server.push("Widget", { type: "ERROR", object: statusError(500, "InternalError").status });
    await clock.advance(800);
    expect(server.callsOf("list")).toHaveLength(2);
    expect(log.records.filter((record) => record.severity === "error")).toHaveLength(1);
  });

  it("a watch that ends within a second without an event causes a list, so that a broken server is not called in a loop", async () => {
    const server = new FakeServer();
    const { clock } = await start(server);
    server.endWatches();
    await settle();
    expect(server.openWatches).toBe(0);
    await clock.advance(800);
    expect(server.callsOf("list")).toHaveLength(2);
  });

  it("row 20: a watch that stays silent beyond its timeout is reopened within a minute, and counted", async () => {
    const server = new FakeServer();
    const { clock, registry } = await start(server);
    await clock.advance(359_999);
    expect(server.callsOf("watch")).toHaveLength(1);
    await clock.advance(1);
    expect(server.callsOf("watch")).toHaveLength(2);
    expect(server.openWatches).toBe(1);
    expect(server.callsOf("list")).toHaveLength(1);
    expect(await registry.metrics()).toContain(
      'kubescaffold_reflector_watch_reconnects_total{kind="demo/v1, Kind=Widget",reason="silent"} 1',
    );
  });

  it("row 44: a forbidden list is reported with the server's words at the first attempt", async () => {
    const server = new FakeServer();
    server.onList = () => {
      throw statusError(403, "Forbidden", {
        message:
          'widgets.demo is forbidden: User "x" cannot list resource "widgets" in API group "demo" at the cluster scope',
      });
    };
    const { log, errors } = await start(server);
    expect(errors).toHaveLength(1);
    expect(String(log.records.find((record) => record.severity === "error")?.error)).toContain(
      'cannot list resource "widgets"',
    );
  });

  it("row 68: pages of 500 at any version; pages that expire are replaced by one whole list", async () => {
    const server = new FakeServer();
    for (let index = 0; index < 1201; index += 1) server.put(widget(`w${index}`));
    server.onList = (options) => {
      if (options.resourceVersion === "0") throw statusError(410, "Expired");
    };
    const { store } = await start(server);
    expect(
      server.callsOf("list").map((call) => call.verb === "list" && [call.options.limit, call.options.continue]),
    ).toEqual([
      [500, undefined],
      [500, undefined],
      [500, "500"],
      [500, "1000"],
    ]);
    expect(store.objects.size).toBe(1201);
    const other = new FakeServer();
    for (let index = 0; index < 1201; index += 1) other.put(widget(`w${index}`));
    other.onList = (options) => {
      if (options.resourceVersion === "0" || options.continue === "1000") throw statusError(410, "Expired");
    };
    const second = await start(other);
    expect(other.callsOf("list").at(-1)).not.toHaveProperty("options.limit");
    expect(second.store.objects.size).toBe(1201);
  });

  it("skips objects of another kind and events of unknown type", async () => {
    const server = new FakeServer();
    const { store, log } = await start(server);
    server.push("Widget", { type: "ADDED", object: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" } } });
    server.push("Widget", { type: "STRANGE" as "ADDED", object: widget("y") });
    server.put(widget("a"));
    await settle();
    expect(store.changes).toEqual(["replace  @100", "upsert a"]);
    expect(log.records.filter((record) => record.severity === "info" && record.verbosity === 0)).toHaveLength(2);
  });

  it("leaves nothing behind when it is stopped, in any state", async () => {
    const server = new FakeServer();
    const { clock, running } = await start(server);
    stop.current.abort();
    await running;
    expect([server.openWatches, clock.pendingTimers]).toEqual([0, 0]);
  });
});
