import type { RestConfig } from "@kubescaffold/k8s";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import type { PartialObjectMetadata } from "../../src/client/partial-object.ts";
import { enqueueRequestsFromMapFunc } from "../../src/handler/handler.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { ControllerDefaults, Manager } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { funcs, generationChanged, ofObject } from "../../src/predicate/predicate.ts";
import type { Reconciler } from "../../src/reconcile/reconcile.ts";
import { func } from "../../src/source/source.ts";
import { FakeServer, Gadget, Widget, widget, Zone } from "../support/fake-server.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

async function create(server: FakeServer, controller: ControllerDefaults = {}) {
  const clock = new FakeClock();
  const logger = createRecordingLogger();
  const registry = createMetricsRegistry();
  const stop = new AbortController();
  stops.push(stop);
  const config: RestConfig = {
    server: "https://fake",
    transport: async () => await Promise.reject(new TypeError("none")),
  };
  const created = await createManager(config, {
    clock,
    logger,
    controller,
    metrics: { bindAddress: "0", registry },
    newCache: (_, options) => createCache(server.client(), options),
  });
  const manager: Manager = Object.assign(created, { getRestMapper: () => server.restMapper() });
  const reconciled: string[] = [];
  const reconciler: Reconciler = {
    reconcile: async ({ namespace, name }, { log }) => {
      reconciled.push(`${namespace}/${name}`);
      log.info("reconciling");
    },
  };
  const run = async (): Promise<void> => {
    void manager.start(stop.signal);
    await manager.elected;
    await settle();
  };
  return { manager, clock, logger, registry, reconciled, reconciler, run };
}

function gadget(name: string, owner: { readonly name: string; readonly controller?: boolean }): Gadget {
  const reference = { apiVersion: "demo/v1", kind: "Widget", uid: "u", ...owner };
  return Gadget.create({ metadata: { namespace: "default", name, ownerReferences: [reference] }, spec: {} });
}

describe("newControllerManagedBy", () => {
  it("row 45: reconciles the objects it is for and the controlling owners of those it owns", async () => {
    const server = new FakeServer();
    const { manager, reconciled, reconciler, run } = await create(server);
    await newControllerManagedBy(manager).for(Widget).owns(Gadget).complete(reconciler);
    await run();
    server.put(widget("w"));
    server.put(gadget("g", { name: "owner", controller: true }));
    server.put(gadget("h", { name: "bystander" }));
    await settle();
    expect(reconciled.toSorted()).toEqual(["default/owner", "default/w"]);
    reconciled.length = 0;
    server.put(gadget("g", { name: "other", controller: true }));
    await settle();
    expect(reconciled.toSorted()).toEqual(["default/other", "default/owner"]);
    reconciled.length = 0;
    server.remove(gadget("g", { name: "other", controller: true }));
    await settle();
    expect(reconciled).toEqual(["default/other"]);
  });

  it("row 45: every owner is reconciled with matchEveryOwner", async () => {
    const server = new FakeServer();
    const { manager, reconciled, reconciler, run } = await create(server);
    await newControllerManagedBy(manager).for(Widget).owns(Gadget, { matchEveryOwner: true }).complete(reconciler);
    await run();
    server.put(gadget("h", { name: "bystander" }));
    await settle();
    expect(reconciled).toEqual(["default/bystander"]);
  });

  it("row 74: event filters run first and both must pass; raw sources are not filtered; status writes are ignored", async () => {
    const server = new FakeServer();
    const { manager, reconciled, reconciler, run } = await create(server);
    const asked: string[] = [];
    const say = (name: string) =>
      ofObject(() => {
        asked.push(name);
        return true;
      });
    await newControllerManagedBy(manager)
      .for(Widget, { predicates: [say("local"), generationChanged] })
      .withEventFilter(say("global"))
      .withEventFilter(ofObject(({ metadata }) => metadata.name !== "hidden"))
      .watchesRawSource(func(({ queue }) => queue.add({ namespace: "raw", name: "hidden" })))
      .complete(reconciler);
    await run();
    server.put(widget("hidden"));
    await settle();
    expect(asked).toEqual(["global"]);
    server.put(widget("w", { metadata: { generation: 1 } }));
    server.put(widget("w", { metadata: { generation: 1 }, status: { ready: true } }));
    await settle();
    server.put(widget("w", { metadata: { generation: 2 } }));
    await settle();
    expect(reconciled).toEqual(["raw/hidden", "default/w", "default/w"]);
  });

  it("watches kinds with handlers, and only their metadata where configured", async () => {
    const server = new FakeServer();
    const { manager, reconciled, reconciler, run } = await create(server);
    const toZone = enqueueRequestsFromMapFunc<Widget>(({ metadata }) => [
      { namespace: "", name: `zone-${metadata.name ?? ""}` },
    ]);
    await newControllerManagedBy(manager)
      .for(Zone)
      .watches(Widget, toZone, { predicates: [funcs({ delete: () => false })] })
      .watchesMetadata(
        Gadget,
        enqueueRequestsFromMapFunc<PartialObjectMetadata<Gadget>>(() => []),
      )
      .complete(reconciler);
    await run();
    server.put(widget("a"));
    await settle();
    server.remove(widget("a"));
    await settle();
    expect(reconciled).toEqual(["/zone-a"]);
    const metadataOnly = server
      .callsOf("list")
      .map((call) => [call.kind, "options" in call && call.options.metadataOnly]);
    expect(metadataOnly).toEqual(expect.arrayContaining([["Gadget", true]]));
  });

  it("row 87: log lines of a reconciliation name the controller, the kind, the object and the reconciliation", async () => {
    const server = new FakeServer();
    server.put(widget("a"));
    const { manager, reconciler, run, logger } = await create(server);
    await newControllerManagedBy(manager).for(Widget).complete(reconciler);
    await run();
    expect(logger.records.find(({ message }) => message === "reconciling")?.fields).toEqual({
      controller: "widget",
      controllerGroup: "demo",
      controllerKind: "Widget",
      Widget: { name: "a", namespace: "default" },
      name: "a",
      namespace: "default",
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
    });
  });

  it("workers come from the options, then from the kind's entry, then from the manager", async () => {
    const server = new FakeServer();
    const { manager, reconciler, registry } = await create(server, {
      maxConcurrentReconciles: 2,
      groupKindConcurrency: { "Widget.demo": 5 },
    });
    await newControllerManagedBy(manager).for(Widget).complete(reconciler);
    await newControllerManagedBy(manager).for(Gadget).complete(reconciler);
    await newControllerManagedBy(manager).for(Zone).withOptions({ maxConcurrentReconciles: 7 }).complete(reconciler);
    const gauge = await registry.getSingleMetric("controller_runtime_max_concurrent_reconciles")?.get();
    expect(gauge?.values.map(({ labels, value }) => [labels["controller" as keyof typeof labels], value])).toEqual([
      ["widget", 5],
      ["gadget", 2],
      ["zone", 7],
    ]);
  });

  // A number of workers that is not positive counts as missing, as upstream.
  it.each([
    [0, 5, 5],
    [-1, 5, 2],
    [undefined, 0, 2],
    [0, -3, 2],
    [3, 0, 3],
  ])("%s workers of the options and %s of the kind are %s workers", async (own, ofKind, expected) => {
    const { manager, reconciler, registry } = await create(new FakeServer(), {
      maxConcurrentReconciles: 2,
      groupKindConcurrency: { "Widget.demo": ofKind },
    });
    const options = own === undefined ? {} : { maxConcurrentReconciles: own };
    await newControllerManagedBy(manager).for(Widget).withOptions(options).complete(reconciler);
    const gauge = await registry.getSingleMetric("controller_runtime_max_concurrent_reconciles")?.get();
    expect(gauge?.values.map(({ value }) => value)).toEqual([expected]);
  });

  it("row 79: each misuse has its own message", async () => {
    const { manager, reconciler } = await create(new FakeServer());
    const begin = () => newControllerManagedBy(manager);
    const none = undefined as unknown as Reconciler;
    await expect(
      newControllerManagedBy(none as unknown as Manager)
        .for(Widget)
        .complete(reconciler),
    ).rejects.toThrow("the manager is missing");
    await expect(begin().for(Widget).complete(none)).rejects.toThrow("the reconciler is missing");
    await expect(begin().for(Widget).withOptions({ reconciler }).complete(reconciler)).rejects.toThrow(
      "there are two reconcilers",
    );
    await expect(begin().for(Widget).for(Zone).complete(reconciler)).rejects.toThrow("for() was called more than once");
    await expect(begin().named("x").owns(Gadget).complete(reconciler)).rejects.toThrow("owns() needs for()");
    await expect(
      begin()
        .watches(
          Gadget,
          enqueueRequestsFromMapFunc<Gadget>(() => []),
        )
        .complete(reconciler),
    ).rejects.toThrow("it has no name");
    await expect(begin().named("x").complete(reconciler)).rejects.toThrow("it watches nothing");
    await begin().for(Widget).complete(reconciler);
    await expect(begin().for(Widget).complete(reconciler)).rejects.toMatchObject({ code: "CONTROLLER_NAME_TAKEN" });
    await begin().for(Widget).named("another").complete(reconciler);
    await begin().for(Widget).withOptions({ skipNameValidation: true }).complete(reconciler);
  });
});
