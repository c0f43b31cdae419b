import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createCache } from "../../src/cache/informer-cache.ts";
import { createUnmanagedController, type ControllerOptions } from "../../src/controller/controller.ts";
import { enqueueRequestForObject } from "../../src/handler/event-handler.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { ofObject } from "../../src/predicate/predicate.ts";
import { EventChannel } from "../../src/source/event-channel.ts";
import { channel, func, kind } from "../../src/source/source.ts";
import { FakeServer, Gadget, statusError, Widget, widget } from "../support/fake-server.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function create(server: FakeServer, options: Partial<ControllerOptions> = {}) {
  const clock = new FakeClock();
  const registry = createMetricsRegistry();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  stops.push(stop);
  const client = server.client();
  const cache = createCache(client, { clock, registry, logger, random: () => 0 });
  const reconciled: string[] = [];
  const controller = createUnmanagedController(
    "widget",
    { clock, registry, logger },
    {
      reconciler: async ({ namespace, name }) => {
        reconciled.push(`${namespace}/${name}`);
      },
      ...options,
    },
  );
  void cache.start(stop.signal);
  const start = async (): Promise<void> => await controller.start(stop.signal);
  return { clock, logger, cache, client, controller, reconciled, stop, start, registry };
}

describe("the sources of a controller", () => {
  it("row 8: a reconciliation sees at least the version of the event it came of", async () => {
    const server = new FakeServer();
    const seen: number[] = [];
    const { cache, controller, start } = create(server, {
      reconciler: async (key) => {
        seen.push(Number((await cache.get(Widget, key)).metadata.resourceVersion));
      },
    });
    const told: number[] = [];
    await controller.watch(
      kind({
        cache,
        kind: Widget,
        handler: enqueueRequestForObject<Widget>(),
        predicates: [
          ofObject<Widget>((object) => {
            told.push(Number(object.metadata.resourceVersion));
            return true;
          }),
        ],
      }),
    );
    server.put(widget("a"));
    void start();
    await settle();
    for (let update = 0; update < 10_000; update += 1) {
      server.put(widget("a", { spec: { size: update } }));
      if (update % 10 === 0) await settle();
    }
    await settle();
    expect(told).toHaveLength(10_001);
    expect(seen.length).toBeGreaterThan(900);
    expect(seen.at(-1)).toBe(told.at(-1));
    expect(seen.every((version, index) => index === 0 || version >= (seen[index - 1] ?? 0))).toBe(true);
  });

  it("row 9: nothing is reconciled before all sources are filled and all initial objects are in the queue", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(widget("b"));
    const { clock, cache, controller, reconciled, start } = create(server);
    server.onList = async (_, kindName) => {
      if (kindName === "Gadget") {
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, 3000);
        });
      }
    };
    for (const each of [Widget, Gadget] as const) {
      await controller.watch(kind({ cache, kind: each, handler: enqueueRequestForObject() }));
    }
    void start();
    await clock.advance(2999);
    expect(reconciled).toEqual([]);
    await clock.advance(1);
    expect(reconciled).toEqual(["default/a", "default/b"]);
  });

  it("row 44: sources that are not filled in time fail the start with the kind and the server's refusal", async () => {
    const server = new FakeServer();
    server.onList = () => {
      throw statusError(403, "Forbidden", { message: 'cannot list resource "widgets" in API group "demo"' });
    };
    const { clock, cache, controller, start } = create(server);
    await controller.watch(kind({ cache, kind: Widget, handler: enqueueRequestForObject() }));
    const running = start();
    const outcome = running.catch((error: unknown) => error);
    await clock.advance(119_999);
    await clock.advance(2);
    const error = await outcome;
    expect(error).toMatchObject({ code: "CONTROLLER_SYNC_TIMEOUT" });
    expect(String(error)).toContain("kind source demo/v1, Kind=Widget did not sync within 120000 ms");
    expect(String(error)).toContain('cannot list resource "widgets"');
  });

  it("a stop while sources are being filled is no failure", async () => {
    const server = new FakeServer();
    server.onList = async () => await new Promise(() => undefined);
    const { clock, cache, controller, start, stop } = create(server);
    await controller.watch(kind({ cache, kind: Widget, handler: enqueueRequestForObject() }));
    const running = start();
    await clock.advance(1000);
    stop.abort();
    await expect(running).resolves.toBeUndefined();
  });

  it("row 56: a kind that is installed 20 seconds later is watched within 10 seconds more", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { clock, cache, client, controller, reconciled, start, logger } = create(server);
    const restMapping = client.restMapper.restMapping.bind(client.restMapper);
    client.restMapper.restMapping = async () => await Promise.reject(statusError(404, "NotFound"));
    await controller.watch(kind({ cache, kind: Widget, handler: enqueueRequestForObject() }));
    void start();
    await clock.advance(20_000);
    expect(reconciled).toEqual([]);
    client.restMapper.restMapping = restMapping;
    await clock.advance(10_000);
    expect(reconciled).toEqual(["default/a"]);
    expect(logger.records.filter(({ message }) => message.includes("CRD may not be installed"))).toHaveLength(1);
  });

  it("a source added while the controller runs starts at once", async () => {
    const server = new FakeServer();
    server.put(widget("late"));
    const { cache, controller, reconciled, start } = create(server);
    await controller.watch(func(() => undefined));
    void start();
    await settle();
    await controller.watch(kind({ cache, kind: Widget, handler: enqueueRequestForObject() }));
    await settle();
    expect(reconciled).toEqual(["default/late"]);
  });

  it("a source that fails to start fails the controller", async () => {
    const { controller, start } = create(new FakeServer());
    await controller.watch(func(async () => await Promise.reject(new TypeError("no source"))));
    await expect(start()).rejects.toThrow("no source");
  });

  it("row 76: the warm-up fills the queue without reconciling, and the start does not fill it again", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { cache, controller, reconciled, stop, start } = create(server, { enableWarmup: true });
    await controller.watch(kind({ cache, kind: Widget, handler: enqueueRequestForObject() }));
    await controller.warmup?.(stop.signal);
    await settle();
    expect(reconciled).toEqual([]);
    void start();
    await settle();
    expect(reconciled).toEqual(["default/a"]);
    expect(server.callsOf("list")).toHaveLength(1);
  });

  it("row 7: a predicate that throws loses its event with a log, and nothing else", async () => {
    const server = new FakeServer();
    server.put(widget("bad"));
    server.put(widget("good"));
    const { cache, controller, reconciled, start, logger } = create(server);
    const predicate = ofObject<Widget>(({ metadata }) => {
      if (metadata.name === "bad") throw new TypeError("predicate");
      return true;
    });
    await controller.watch(
      kind({ cache, kind: Widget, handler: enqueueRequestForObject<Widget>(), predicates: [predicate] }),
    );
    void start();
    await settle();
    expect(reconciled).toEqual(["default/good"]);
    expect(logger.records.some(({ fields, severity }) => severity === "error" && fields["name"] === "bad")).toBe(true);
  });

  it.each([0, -1])("a channel with a buffer of %s receives one event at a time", async (bufferSize) => {
    const { controller, reconciled, start } = create(new FakeServer());
    const events = new EventChannel<Widget>();
    await controller.watch(channel({ channel: events, bufferSize, handler: enqueueRequestForObject<Widget>() }));
    void start();
    for (const name of ["a", "b", "c"]) await events.send({ object: widget(name) });
    await settle();
    expect(reconciled).toEqual(["default/a", "default/b", "default/c"]);
  });

  it("row 73: a channel brings generic events, and its sender waits while the buffer is full", async () => {
    const { controller, reconciled, start } = create(new FakeServer());
    const events = new EventChannel<Widget>();
    const blocked: (() => void)[] = [];
    await controller.watch(channel({ channel: events, handler: enqueueRequestForObject<Widget>() }));
    await controller.watch(
      channel<Widget>({
        channel: events,
        bufferSize: 2,
        handler: {
          ...enqueueRequestForObject<Widget>(),
          generic: async () => {
            await new Promise<void>((resolve) => {
              blocked.push(resolve);
            });
          },
        },
      }),
    );
    const sent: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      void events.send({ object: widget(`w${index}`) }).then(() => sent.push(index));
    }
    await settle();
    expect(sent).toEqual([]);
    void start();
    await settle();
    expect(sent).toEqual([0, 1]);
    expect(reconciled).toEqual(["default/w0", "default/w1", "default/w2"]);
    blocked[0]?.();
    await settle();
    expect(sent).toEqual([0, 1, 2]);
    events.close();
    await settle();
    expect(sent).toEqual([0, 1, 2, 3]);
  });
});
