import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createListWatch } from "../../src/cache/list-watch.ts";
import { SharedInformer, type SharedInformerOptions } from "../../src/cache/shared-informer.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { ConnectionError, UnreadableEventError } from "../../src/rest/errors.ts";
import { FakeServer, statusError, Widget, widget } from "../support/fake-server.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function streamingServer(): FakeServer {
  const server = new FakeServer();
  server.streamsInitialEvents = true;
  server.put(widget("a"));
  server.put(widget("b"));
  return server;
}

async function start(server: FakeServer, more: Partial<SharedInformerOptions<Widget>> = {}) {
  const clock = new FakeClock();
  const stop = new AbortController();
  stops.push(stop);
  const registry = createMetricsRegistry();
  const informer = new SharedInformer<Widget>({
    kind: Widget,
    listWatch: createListWatch(server.client(), Widget, {}),
    clock,
    log: createRecordingLogger(),
    registry,
    resyncPeriodMs: 0,
    random: () => 0,
    ...more,
  });
  const told: string[] = [];
  informer.addEventHandler({
    onAdd: (object) => void told.push(`add ${object.metadata.name ?? ""}`),
    onUpdate: (_, object) => void told.push(`update ${object.metadata.name ?? ""}`),
    onDelete: (object) => void told.push(`delete ${object.metadata.name ?? ""}`),
  });
  const running = informer.run(stop.signal);
  await settle();
  return { clock, stop, informer, registry, told, running };
}

const verbs = (server: FakeServer): readonly string[] => server.calls.map(({ verb }) => verb);

describe("the initial events of a watch", () => {
  it("guarantee 7: fill the cache without a list, and the watch goes on", async () => {
    const server = streamingServer();
    const { informer, told, registry, stop, running, clock } = await start(server);
    expect(informer.hasSynced()).toBe(true);
    server.put(widget("c"));
    server.remove(widget("a"));
    await settle();
    expect(told).toEqual(["add a", "add b", "add c", "delete a"]);
    expect(verbs(server)).toEqual(["watch"]);
    expect(server.calls[0]).toMatchObject({
      options: { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: true },
    });
    expect(informer.lister.resourceVersion).toBe(server.version);
    const watches = await registry.getSingleMetric("kubescaffold_reflector_watches_total")?.get();
    expect(watches?.values.map(({ value }) => value)).toEqual([1]);
    stop.abort();
    await running;
    expect([server.openWatches, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("guarantee 7: are requested again from the known version when the history has expired", async () => {
    const server = streamingServer();
    const { clock, told } = await start(server);
    let isExpired = true;
    server.onWatch = ({ sendInitialEvents }) => {
      if (isExpired && sendInitialEvents !== true) throw statusError(410, "Expired");
      isExpired = false;
    };
    await clock.advance(60_000);
    server.endWatches();
    server.remove(widget("a"));
    server.put(widget("c"));
    await clock.advance(60_000);
    expect(told.slice(2)).toEqual(["delete a", "update b", "add c"]);
    expect(verbs(server)).not.toContain("list");
    expect(server.callsOf("watch").at(-1)).toMatchObject({
      options: { sendInitialEvents: true, resourceVersion: "102" },
    });
  });

  it.each([400, 422])(
    "guarantee 7: a server that refuses them with %i is listed in pages, and not asked again",
    async (code) => {
      const server = streamingServer();
      let attempts = 0;
      server.onWatch = ({ sendInitialEvents }) => {
        if (sendInitialEvents === true) {
          attempts += 1;
          throw statusError(code, "Invalid");
        }
      };
      const { clock, informer } = await start(server);
      expect(informer.lister.list()).toHaveLength(2);
      expect(server.callsOf("list")).toMatchObject([{ options: { limit: 500, resourceVersion: "0" } }]);
      await clock.advance(60_000);
      server.compact();
      server.skipVersions(1);
      server.compact();
      server.endWatches();
      await clock.advance(60_000);
      expect(server.callsOf("list")).toHaveLength(2);
      expect(attempts).toBe(1);
    },
  );

  it("guarantee 7: a server that ignores the request is listed after 10 seconds of silence", async () => {
    const server = streamingServer();
    server.withholdsInitialEventsEnd = true;
    const { clock, informer, told } = await start(server);
    await clock.advance(9000);
    expect(informer.hasSynced()).toBe(false);
    await clock.advance(2000);
    expect(informer.hasSynced()).toBe(true);
    expect(told).toEqual(["add a", "add b"]);
    expect(verbs(server)).toEqual(["watch", "list", "watch"]);
    expect(server.openWatches).toBe(1);
  });

  it.each([
    ["a connection that breaks", new ConnectionError("https://fake", { failure: "closed", detail: "closed" })],
    ["an event that cannot be read", new UnreadableEventError("{nonsense")],
  ])("guarantee 7: after %s in between, nothing is stored, and the next attempt lists", async (_, error) => {
    const server = streamingServer();
    server.withholdsInitialEventsEnd = true;
    const { clock, informer, told } = await start(server);
    server.endWatches(error);
    await settle();
    expect([informer.hasSynced(), told]).toEqual([false, []]);
    await clock.advance(2000);
    expect(informer.hasSynced()).toBe(true);
    expect(verbs(server)).toEqual(["watch", "list", "watch"]);
  });

  it("guarantee 7: a refused watch leads to a list, which reports the reason", async () => {
    const server = streamingServer();
    server.onWatch = () => {
      throw statusError(403, "Forbidden");
    };
    server.onList = () => {
      throw statusError(403, "Forbidden");
    };
    const { informer } = await start(server);
    await expect(informer.waitForRead()).rejects.toMatchObject({ code: "CACHE_NOT_SYNCED" });
    expect(verbs(server)).toEqual(["watch", "list"]);
  });

  it("guarantee 6: a transformation that fails for one of them deletes nothing", async () => {
    const server = streamingServer();
    let isFailing = false;
    const { clock, told } = await start(server, {
      transform: (object) => {
        if (isFailing) throw new Error("no");
        return object;
      },
    });
    isFailing = true;
    await clock.advance(60_000);
    server.skipVersions(1);
    server.compact();
    server.endWatches();
    await clock.advance(10_000);
    expect(told).toEqual(["add a", "add b"]);
    isFailing = false;
    await clock.advance(60_000);
    expect(told).toEqual(["add a", "add b", "update a", "update b"]);
  });
});
