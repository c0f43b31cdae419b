import type { DeepReadonly } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { type ResourceEventHandler, transformStripManagedFields } from "../../src/cache/informer.ts";
import { createListWatch } from "../../src/cache/list-watch.ts";
import { SharedInformer, type SharedInformerOptions } from "../../src/cache/shared-informer.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { FakeServer, statusError, Widget, widget } from "../support/fake-server.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

function create(server: FakeServer, more: Partial<SharedInformerOptions<Widget>> = {}) {
  const clock = new FakeClock();
  const log = createRecordingLogger();
  const stop = new AbortController();
  stops.push(stop);
  const informer = new SharedInformer<Widget>({
    kind: Widget,
    listWatch: createListWatch(server.client(), Widget, {}),
    clock,
    log,
    registry: createMetricsRegistry(),
    resyncPeriodMs: 0,
    random: () => 0,
    ...more,
  });
  return { clock, log, informer, stop, run: async () => await informer.run(stop.signal) };
}

function recorder(told: string[]): ResourceEventHandler<Widget> {
  const version = (object: ReadonlyObject): string =>
    `${object.metadata.name ?? ""}@${object.metadata.resourceVersion ?? ""}`;
  return {
    onAdd: (object, isInInitialList) => void told.push(`add ${version(object)}${isInInitialList ? " initial" : ""}`),
    onUpdate: (old, object) => void told.push(`update ${version(old)} ${version(object)}`),
    onDelete: (object, isUnknown) => void told.push(`delete ${version(object)}${isUnknown ? " unknown" : ""}`),
  };
}

describe("SharedInformer", () => {
  it("notifies of initial objects, then of changes, each after the store has changed", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { informer, run } = create(server);
    const told: string[] = [];
    const seen: (string | undefined)[] = [];
    informer.addEventHandler(recorder(told));
    informer.addEventHandler({
      onAdd: (object) =>
        void seen.push(
          informer.lister.get({ namespace: "default", name: object.metadata.name ?? "" })?.metadata.resourceVersion,
        ),
      onUpdate: (_, object) =>
        void seen.push(
          informer.lister.get({ namespace: "default", name: object.metadata.name ?? "" })?.metadata.resourceVersion,
        ),
      onDelete: (object) =>
        void seen.push(
          informer.lister.get({ namespace: "default", name: object.metadata.name ?? "" })?.metadata.resourceVersion,
        ),
    });
    void run();
    await settle();
    server.put(widget("a", { spec: { size: 2 } }));
    server.put(widget("b"));
    await settle();
    server.remove(widget("b"));
    await settle();
    expect(told).toEqual(["add a@101 initial", "update a@101 a@102", "add b@103", "delete b@104"]);
    expect(seen).toEqual(["101", "102", "103", undefined]);
  });

  it("row 18: an object deleted without a watch is reported with its last known state", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(widget("b"));
    const { informer, run, clock } = create(server);
    const told: string[] = [];
    informer.addEventHandler(recorder(told));
    void run();
    await settle();
    server.onWatch = () => {
      throw statusError(410, "Expired");
    };
    server.endWatches();
    await clock.advance(2000);
    server.remove(widget("a"));
    server.put(widget("c"));
    server.onWatch = () => undefined;
    server.compact();
    await clock.advance(5000);
    expect(told.slice(2)).toEqual(expect.arrayContaining(["delete a@101 unknown", "update b@102 b@102", "add c@104"]));
    expect(informer.lister.get({ namespace: "default", name: "a" })).toBeUndefined();
  });

  it("guarantee 6: a transformation that fails on a relist deletes nothing; the list is retried", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(widget("b"));
    let isFailing = false;
    const { informer, run, clock, log } = create(server, {
      transform: (object) => {
        if (isFailing && object.metadata.name === "a") throw new Error("cannot read a");
        return object;
      },
    });
    const told: string[] = [];
    informer.addEventHandler(recorder(told));
    void run();
    await settle();
    isFailing = true;
    server.put(widget("c"));
    await settle();
    server.onWatch = () => {
      throw statusError(410, "Expired");
    };
    server.endWatches();
    await clock.advance(10_000);
    expect(told).toEqual(["add a@101 initial", "add b@102 initial", "add c@103"]);
    expect(informer.lister.list()).toHaveLength(3);
    expect(log.records.map(({ error }) => String(error)).join("\n")).toContain(
      'cannot transform demo/v1, Kind=Widget "default/a": cannot read a',
    );
    isFailing = false;
    server.onWatch = () => undefined;
    server.put(widget("d"));
    await clock.advance(60_000);
    expect(told.filter((line) => line.startsWith("delete"))).toEqual([]);
    expect(informer.lister.list()).toHaveLength(4);
  });

  it("row 70: a late handler receives existing objects as initial, and later changes as not initial", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { informer, run } = create(server);
    void run();
    await settle();
    const told: string[] = [];
    const registration = informer.addEventHandler(recorder(told));
    expect(registration.hasSynced()).toBe(false);
    await settle();
    expect(registration.hasSynced()).toBe(true);
    server.put(widget("b"));
    await settle();
    expect(told).toEqual(["add a@101 initial", "add b@102"]);
  });

  it("row 71: a handler that hangs delays no other", async () => {
    const server = new FakeServer();
    const { informer, run } = create(server);
    const told: string[] = [];
    const hanging = informer.addEventHandler({
      onAdd: async () => await new Promise(() => undefined),
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    informer.addEventHandler(recorder(told));
    server.put(widget("a"));
    void run();
    await settle();
    server.put(widget("b"));
    await settle();
    expect(told).toEqual(["add a@101 initial", "add b@102"]);
    expect(hanging.hasSynced()).toBe(false);
    hanging.remove();
  });

  it("row 7: a handler that throws loses its event, is logged with the object, and gets the next", async () => {
    const server = new FakeServer();
    const { informer, run, log } = create(server);
    const told: string[] = [];
    const calls = { count: 0 };
    informer.addEventHandler({
      ...recorder(told),
      onAdd: (object) => {
        calls.count += 1;
        if (calls.count === 1) throw new TypeError("sync");
        if (calls.count === 2) return Promise.reject(new TypeError("async"));
        told.push(object.metadata.name ?? "");
        return undefined;
      },
    });
    for (const name of ["a", "b", "c"]) server.put(widget(name));
    void run();
    await settle();
    expect(told).toEqual(["c"]);
    expect(log.records.filter(({ severity }) => severity === "error").map(({ fields }) => fields["name"])).toEqual([
      "a",
      "b",
    ]);
  });

  it("guarantee 22: names editable() when a handler or an index function changes a cached object", async () => {
    const server = new FakeServer();
    const { informer, run, log } = create(server);
    const change = (object: DeepReadonly<Widget>): void => void ((object as Widget).spec.size = 2);
    informer.addEventHandler({ onAdd: change, onUpdate: (_, object) => change(object), onDelete: change });
    informer.addIndexers({ size: (object) => (change(object), []) });
    server.put(widget("a"));
    void run();
    await settle();
    const errors = log.records.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message, fields }) => [message, fields["hint"]])).toEqual(
      ["an index function failed, the object is not indexed", "an event handler failed, dropping the event"].map(
        (message) => [message, "objects from the cache are frozen: change the copy that editable(object) returns"],
      ),
    );
  });

  it.each([
    ["nothing", undefined, "it returned undefined, not a list of strings"],
    ["a text", "abc", "it returned string, not a list of strings"],
    ["numbers", [5], "it returned a list with number, not with strings"],
  ])("stores an object although its index function returns %s", async (_, values, message) => {
    const server = new FakeServer();
    const { informer, run, log } = create(server);
    informer.addIndexers({ size: () => values as unknown as string[], none: () => [undefined as unknown as string] });
    server.put(widget("a"));
    void run();
    await settle();
    expect(informer.lister.list()).toHaveLength(1);
    expect(informer.lister.byIndex("size", "a")).toEqual([]);
    const errors = log.records.filter(({ severity }) => severity === "error");
    expect(errors.map(({ error }) => (error as Error).message)).toEqual([message]);
  });

  it("guarantee 25: caches an object of many levels, and all others of its kind", async () => {
    const server = new FakeServer();
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
    server.put(widget("deep"));
    server.put(widget("flat"));
    // The server of this test copies its objects, which such a value does not allow.
    const { informer, run, log } = create(server, {
      transform: (object) => (object.metadata.name === "deep" ? ({ ...object, status: deep } as Widget) : object),
    });
    void run();
    await settle();
    expect(informer.lister.list().map(({ metadata }) => metadata.name)).toEqual(["deep", "flat"]);
    expect(informer.lister.list().every((object) => Object.isFrozen((object as { status?: unknown }).status))).toBe(
      true,
    );
    expect(log.records.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("waits for the handler's own initial calls, not only for the store", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { informer, run, stop } = create(server);
    let release = (): void => undefined;
    const registration = informer.addEventHandler({
      onAdd: async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      onUpdate: () => undefined,
      onDelete: () => undefined,
    });
    void run();
    await informer.waitForSync();
    await settle();
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, false]);
    release();
    await registration.waitForSync(stop.signal);
    expect(registration.hasSynced()).toBe(true);
  });

  it("row 69: resyncs all objects once per period, unchanged and without a request", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    server.put(widget("b"));
    const { informer, run, clock } = create(server, { resyncPeriodMs: 10_000 });
    const told: string[] = [];
    const never: string[] = [];
    informer.addEventHandler(recorder(told));
    informer.addEventHandler(recorder(never), { resyncPeriodMs: 0 });
    void run();
    await settle();
    const calls = server.calls.length;
    await clock.advance(30_000);
    expect(told.slice(2)).toEqual([1, 2, 3].flatMap(() => ["update a@101 a@101", "update b@102 b@102"]));
    expect(never).toHaveLength(2);
    expect(server.calls).toHaveLength(calls);
  });

  it("row 25: stored objects are deep-frozen, unless freezing is disabled", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { informer, run } = create(server);
    void run();
    await settle();
    const held = informer.lister.get({ namespace: "default", name: "a" }) as Widget;
    expect(() => {
      held.spec.size = 5;
    }).toThrow(TypeError);
    expect(() => {
      held.metadata.labels = {};
    }).toThrow(TypeError);
    const open = create(server, { unsafeDisableDeepFreeze: true });
    void open.run();
    await settle();
    (open.informer.lister.get({ namespace: "default", name: "a" }) as Widget).spec.size = 5;
    expect(open.informer.lister.get({ namespace: "default", name: "a" })?.spec.size).toBe(5);
  });

  it("row 65: transforms listed and watched objects before they are stored, and logs and drops failures", async () => {
    const server = new FakeServer();
    server.put(widget("a", { metadata: { managedFields: [{ manager: "x" }] } }));
    const { informer, run, log } = create(server, {
      transform: (object) => {
        if (object.metadata.name === "bad") throw new TypeError("cannot");
        return transformStripManagedFields()(object);
      },
    });
    void run();
    await settle();
    server.put(widget("b", { metadata: { managedFields: [{ manager: "x" }] } }));
    server.put(widget("bad"));
    await settle();
    expect(informer.lister.list().map(({ metadata }) => [metadata.name, metadata.managedFields])).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(log.records.filter(({ severity }) => severity === "error")).toHaveLength(1);
  });

  it("names a transform that returns no object", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { informer, run, log } = create(server, { transform: () => undefined as unknown as Widget });
    void run();
    await settle();
    expect(informer.hasSynced()).toBe(false);
    expect(String(log.records.find(({ severity }) => severity === "error")?.error)).toContain(
      'cannot transform demo/v1, Kind=Widget "default/a": the transform returned no object',
    );
  });

  it("a removed handler receives nothing more, a stopped informer notifies no handler", async () => {
    const server = new FakeServer();
    const { informer, run, stop, clock } = create(server, { resyncPeriodMs: 5000 });
    const told: string[] = [];
    const registration = informer.addEventHandler(recorder(told));
    informer.addEventHandler(recorder([]));
    const running = run();
    await settle();
    registration.remove();
    server.put(widget("a"));
    await settle();
    expect(told).toEqual([]);
    stop.abort();
    await running;
    expect([informer.isStopped(), clock.pendingTimers, server.openWatches]).toEqual([true, 0, 0]);
    expect(() => informer.addIndexers({ x: () => [] })).toThrow("after the informer had stopped");
  });
});
