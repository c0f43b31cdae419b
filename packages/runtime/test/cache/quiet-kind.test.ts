import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { FakeServer, Widget, widget } from "../support/fake-server.ts";

const stop = new AbortController();
afterEach(() => stop.abort());

it("row 22: a kind without events for 30 minutes has one watch at all times, reopened once in 5 minutes at most", async () => {
  const server = new FakeServer();
  const clock = new FakeClock();
  const cache = createCache(server.client(), { clock, logger: silentLogger, registry: createMetricsRegistry() });
  void cache.start(stop.signal);
  const informer = await cache.getInformer(Widget);
  const seen: string[] = [];
  informer.addEventHandler({
    onAdd: (object) => void seen.push(object.metadata.name ?? ""),
    onUpdate: () => undefined,
    onDelete: () => undefined,
  });
  await settle();
  let endsAt = Infinity;
  const startOfWatch = (): void => {
    const call = server.callsOf("watch").at(-1);
    endsAt = clock.now() + (call?.verb === "watch" ? (call.options.timeoutSeconds ?? 0) : 0) * 1000;
  };
  startOfWatch();
  for (let second = 0; second < 1800; second += 1) {
    await clock.advance(1000);
    expect(server.openWatches).toBe(1);
    if (clock.now() < endsAt) continue;
    server.endWatches();
    await settle();
    startOfWatch();
  }
  expect(server.callsOf("list")).toHaveLength(1);
  expect(server.callsOf("watch").length - 1).toBeLessThanOrEqual(6);
  server.put(widget("late"));
  await settle();
  expect(seen).toEqual(["late"]);
});
