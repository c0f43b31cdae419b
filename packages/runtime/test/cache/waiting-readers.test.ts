import { handledLater } from "@kubescaffold/platform";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import type { Cache } from "../../src/cache/cache.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import { callSignal, withCallScope } from "../../src/log/call-scope.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { FakeServer, statusError, Widget, widget } from "../support/fake-server.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function start(server: FakeServer): {
  readonly cache: Cache;
  readonly clock: FakeClock;
  readonly stop: AbortController;
} {
  const stop = new AbortController();
  stops.push(stop);
  const clock = new FakeClock();
  const cache = createCache(server.client(), {
    clock,
    logger: silentLogger,
    registry: createMetricsRegistry(),
    random: () => 0,
  });
  void cache.start(stop.signal);
  return { cache, clock, stop };
}

function hang(server: FakeServer): void {
  server.onList = async () => {
    await new Promise(() => undefined);
  };
}

async function outcome(read: Promise<unknown>): Promise<unknown> {
  return await Promise.race([
    read.then(() => "resolved").catch((error: unknown) => error),
    settle().then(() => "pending"),
  ]);
}

describe("a cached read of a kind that has not synced", () => {
  it("guarantee 5: fails with the server's refusal, while informers go on trying", async () => {
    const server = new FakeServer();
    server.onList = () => {
      throw statusError(403, "Forbidden");
    };
    const { cache, clock } = start(server);
    const informer = await cache.getInformer(Widget, { blockUntilSynced: false });
    const patient = informer.waitForSync();
    const first = await outcome(cache.list(Widget));
    expect(first).toMatchObject({ code: "CACHE_NOT_SYNCED", cause: { code: "CLIENT_STATUS" } });
    await clock.advance(60_000);
    await expect(cache.get(Widget, { namespace: "default", name: "a" })).rejects.toThrow(
      "Forbidden says the fake server",
    );
    server.onList = () => undefined;
    server.put(widget("a"));
    await clock.advance(60_000);
    await patient;
    expect((await cache.list(Widget)).items).toHaveLength(1);
  });

  it("guarantee 5: waits while the server is overloaded", async () => {
    const server = new FakeServer();
    server.onList = () => {
      throw statusError(503, "ServiceUnavailable");
    };
    const { cache, clock } = start(server);
    const read = cache.list(Widget);
    expect(await outcome(read)).toBe("pending");
    server.onList = () => undefined;
    await clock.advance(10_000);
    expect((await read).items).toEqual([]);
  });

  it("guarantee 5: fails when the informer is removed", async () => {
    const server = new FakeServer();
    hang(server);
    const { cache } = start(server);
    const read = handledLater(cache.list(Widget));
    await settle();
    void cache.removeInformer(Widget);
    expect(await outcome(read)).toMatchObject({
      code: "CACHE_KIND_MISSING",
      message: "demo/v1, Kind=Widget was removed from the cache",
    });
  });

  it("guarantee 5: fails when the cache stops, and after that", async () => {
    const server = new FakeServer();
    hang(server);
    const { cache, stop } = start(server);
    const read = handledLater(cache.list(Widget));
    const informer = handledLater(cache.getInformer(Widget));
    await settle();
    stop.abort();
    expect(await outcome(read)).toMatchObject({ code: "CACHE_NOT_RUNNING" });
    expect(await outcome(informer)).toMatchObject({ code: "CACHE_NOT_RUNNING" });
    expect(await outcome(cache.list(Widget))).toMatchObject({ code: "CACHE_NOT_RUNNING" });
    expect(await outcome(cache.getInformer(Widget))).toMatchObject({ code: "CACHE_NOT_RUNNING" });
  });

  it("guarantee 5: ends with the signal of the reconcile that reads, which does not end the watch", async () => {
    const server = new FakeServer();
    let release = (): void => undefined;
    server.onList = async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const { cache } = start(server);
    const reconcile = new AbortController();
    const scope = { signal: reconcile.signal, log: silentLogger };
    const read = handledLater(withCallScope(scope, async () => await cache.list(Widget)));
    await settle();
    reconcile.abort(new Error("too slow"));
    expect(await outcome(read)).toMatchObject({ code: "CACHE_NOT_SYNCED", cause: { message: "too slow" } });
    expect(server.callsOf("list").map((call) => "options" in call && call.options.signal?.aborted)).toEqual([false]);
    release();
    await settle();
    expect((await cache.list(Widget)).items).toEqual([]);
  });

  it("guarantee 5: the handlers that a reconcile adds do not end with its signal", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { cache } = start(server);
    await cache.list(Widget);
    const signals: unknown[] = [];
    const onAdd = (): void => void signals.push(callSignal(undefined));
    await withCallScope({ signal: AbortSignal.abort(), log: silentLogger }, async () => {
      const informer = await cache.getInformer(Widget, { signal: new AbortController().signal });
      informer.addEventHandler({ onAdd, onUpdate: () => undefined, onDelete: () => undefined });
    });
    await settle();
    server.put(widget("b"));
    await settle();
    expect(signals).toEqual([undefined, undefined]);
  });
});
