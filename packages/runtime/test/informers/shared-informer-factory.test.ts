import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import type { InformerFactoryOptions } from "../../src/informers/informer-factory.ts";
import {
  createSharedInformerFactory,
  type SharedInformerFactory,
} from "../../src/informers/shared-informer-factory.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { FakeServer, Gadget, statusError, Widget, widget, Zone } from "../support/fake-server.ts";

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

interface Setup {
  readonly server: FakeServer;
  readonly clock: FakeClock;
  readonly factory: SharedInformerFactory;
  readonly stop: AbortController;
}

function setUp(options: InformerFactoryOptions<{ kind: string }> = {}): Setup {
  const server = new FakeServer();
  const clock = new FakeClock();
  const stop = new AbortController();
  stops.push(stop);
  const factory = createSharedInformerFactory(server.client(), {
    clock,
    logger: silentLogger,
    registry: createMetricsRegistry(),
    random: () => 0,
    ...options,
  });
  return { server, clock, factory, stop };
}

const namesOf = (objects: readonly ReadonlyObject[]): readonly unknown[] =>
  objects.map(({ metadata }) => metadata.name);

describe("a factory of informers", () => {
  it("has one informer for each kind, which all users share", async () => {
    const { server, factory, stop } = setUp();
    server.put(widget("a"));
    const seen: string[] = [];
    for (const user of ["first", "second"]) {
      factory.forKind(Widget).informer.addEventHandler({
        onAdd: ({ metadata }) => void seen.push(`${user} ${metadata.name ?? ""}`),
        onUpdate: () => undefined,
        onDelete: () => undefined,
      });
    }
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    await settle();
    expect(seen).toEqual(["first a", "second a"]);
    expect(namesOf(factory.forKind(Widget).lister.list())).toEqual(["a"]);
    expect(server.openWatches).toBe(1);
  });

  it("starts the informers that were requested before each start, and each once", async () => {
    const { server, factory, stop } = setUp();
    factory.forKind(Widget);
    factory.start(stop.signal);
    factory.forKind(Gadget);
    await factory.waitForCacheSync(stop.signal);
    expect(server.callsOf("list").map(({ kind }) => kind)).toEqual(["Widget"]);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    expect(server.callsOf("list").map(({ kind }) => kind)).toEqual(["Widget", "Gadget"]);
  });

  it("waits for the started informers only, and reports which have not synced and why", async () => {
    const { server, factory, stop } = setUp();
    server.onList = (_, kind) => {
      if (kind === "Gadget") throw statusError(403, "Forbidden");
    };
    factory.forKind(Widget);
    factory.forKind(Gadget);
    factory.start(stop.signal);
    factory.forKind(Zone);
    const waiting = new AbortController();
    const synced = factory.waitForCacheSync(waiting.signal);
    await settle();
    waiting.abort();
    expect(await synced).toEqual([
      { target: Widget, isSynced: true },
      {
        target: Gadget,
        isSynced: false,
        error: expect.objectContaining({ code: "CACHE_NOT_SYNCED", message: expect.stringContaining("Forbidden") }),
      },
    ]);
  });

  it("restricts lists and watches to its namespace, but not those of cluster-scoped kinds", async () => {
    const { server, factory, stop } = setUp({ namespace: "default" });
    server.put(widget("here"));
    server.put(widget("there", { metadata: { namespace: "other" } }));
    const { lister } = factory.forKind(Widget);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    expect(namesOf(lister.list())).toEqual(["here"]);
    expect(server.calls.map(({ verb, ...call }) => [verb, "options" in call && call.options.namespace])).toEqual([
      ["list", "default"],
      ["watch", "default"],
    ]);
  });

  it("narrows every list and watch with tweakListOptions", async () => {
    const { server, factory, stop } = setUp({
      namespace: "default",
      tweakListOptions: (selection) => ({ ...selection, labels: { app: "web" }, fieldSelector: "spec.size=1" }),
    });
    factory.forKind(Widget);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    await settle();
    for (const verb of ["list", "watch"] as const) {
      expect(server.callsOf(verb)).toMatchObject([
        { options: { namespace: "default", labels: { app: "web" }, fieldSelector: "spec.size=1" } },
      ]);
    }
  });

  it("transforms objects before they are stored", async () => {
    const { server, factory, stop } = setUp({
      transform: (object) => ({ ...object, metadata: { ...object.metadata, annotations: { seen: "yes" } } }),
    });
    server.put(widget("a"));
    const { lister } = factory.forKind(Widget);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    expect(lister.list()[0]?.metadata.annotations).toEqual({ seen: "yes" });
  });

  it("resyncs each kind in its own period", async () => {
    const { server, clock, factory, stop } = setUp({
      resyncPeriodMs: ({ kind }) => (kind === "Widget" ? 10_000 : 0),
    });
    server.put(widget("a"));
    server.put(Gadget.create({ metadata: { namespace: "default", name: "b" }, spec: {} }));
    const updates: string[] = [];
    for (const kind of [Widget, Gadget] as const) {
      factory.forKind<KubernetesObject>(kind).informer.addEventHandler({
        onAdd: () => undefined,
        onUpdate: (_, { metadata }) => void updates.push(metadata.name ?? ""),
        onDelete: () => undefined,
      });
    }
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    await settle();
    await clock.advance(10_000);
    await settle();
    expect(updates).toEqual(["a"]);
  });

  it("stops with the signal, and with shutdown, after the calls of handlers; nothing starts later", async () => {
    const { server, factory, stop } = setUp();
    server.put(widget("a"));
    let finish = (): void => undefined;
    const events: string[] = [];
    factory.forKind(Widget).informer.addEventHandler({
      onAdd: async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        events.push("handled");
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    await settle();
    const shutdowns = [factory.shutdown(), factory.shutdown()].map(async (done) => {
      await done;
      events.push("shut down");
    });
    await settle();
    finish();
    await Promise.all(shutdowns);
    expect(events).toEqual(["handled", "shut down", "shut down"]);
    expect(server.openWatches).toBe(0);
    expect(factory.forKind(Widget).informer.isStopped()).toBe(true);
    factory.forKind(Gadget);
    factory.start(stop.signal);
    await settle();
    expect(server.callsOf("list").map(({ kind }) => kind)).toEqual(["Widget"]);
  });

  it("stops its informers when the signal aborts", async () => {
    const { server, factory, stop } = setUp();
    factory.forKind(Widget);
    factory.start(stop.signal);
    await factory.waitForCacheSync(stop.signal);
    stop.abort();
    await settle();
    expect(factory.forKind(Widget).informer.isStopped()).toBe(true);
    expect(server.openWatches).toBe(0);
    await factory.shutdown();
  });
});
