import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createUnmanagedController } from "../../src/controller/controller.ts";
import { enqueueRequestForObject, filteredHandler } from "../../src/handler/event-handler.ts";
import { enqueueRequestsFromMapFunc } from "../../src/handler/handler.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Observation, ReconcileTrigger } from "../../src/observe/observer.ts";
import type { ReconcileFunction, Request } from "../../src/reconcile/reconcile.ts";
import { func, type SourceContext } from "../../src/source/source.ts";

const REQUEST: Request = { namespace: "default", name: "a" };
const object = (resourceVersion: string, name = REQUEST.name) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { ...REQUEST, name, uid: name, creationTimestamp: "2026-01-01T00:00:00Z", resourceVersion },
});
const OBJECT = { apiVersion: "v1", kind: "ConfigMap", ...REQUEST };

async function run(start: (context: SourceContext) => void, reconciler: ReconcileFunction, isObserved = true) {
  const clock = new FakeClock();
  const triggers: (ReconcileTrigger | undefined)[] = [];
  const observer = {
    observe: (each: Observation): void => {
      if (each.kind === "reconcile-started") triggers.push(each.trigger);
    },
  };
  const surroundings = { clock, registry: createMetricsRegistry(), logger: silentLogger };
  const controller = createUnmanagedController("widget", isObserved ? { ...surroundings, observer } : surroundings, {
    reconciler,
  });
  await controller.watch(func(start));
  const stop = new AbortController();
  const running = controller.start(stop.signal);
  await settle();
  return {
    clock,
    triggers,
    stop: async (): Promise<void> => {
      stop.abort();
      await running;
    },
  };
}

describe("the trigger of a reconcile", () => {
  it.each([
    ["an object of the initial list", "initial-list", (handler: Informed) => handler.onAdd(object("1"), true)],
    ["a new object", "created", (handler: Informed) => handler.onAdd(object("1"), false)],
    ["a change", "updated", (handler: Informed) => handler.onUpdate(object("1"), object("2"))],
    ["a resync", "resync", (handler: Informed) => handler.onUpdate(object("1"), object("1"))],
    ["a deletion", "deleted", (handler: Informed) => handler.onDelete(object("1"), false)],
  ] as const)("is %s", async (_, reason, notify) => {
    const { triggers, stop } = await run(
      (context) => void notify(filteredHandler({ handler: enqueueRequestForObject() }, context)),
      async () => undefined,
    );
    await stop();
    expect(triggers).toEqual([{ reason, object: OBJECT }]);
  });

  it("is the object of the event, not that of the request", async () => {
    const handler = enqueueRequestsFromMapFunc(async () => await Promise.resolve([REQUEST]));
    const { triggers, stop } = await run(
      (context) => void filteredHandler({ handler }, context).onUpdate(object("1", "owned"), object("2", "owned")),
      async () => undefined,
    );
    await stop();
    expect(triggers).toEqual([{ reason: "updated", object: { ...OBJECT, name: "owned" } }]);
  });

  it("is the first of several events, with the number of the others", async () => {
    const { triggers, stop } = await run(
      (context) => {
        const handler = filteredHandler({ handler: enqueueRequestForObject() }, context);
        void handler.onAdd(object("1"), false);
        void handler.onUpdate(object("1"), object("2"));
        void handler.onUpdate(object("2"), object("3"));
      },
      async () => undefined,
    );
    await stop();
    expect(triggers).toEqual([{ reason: "created", object: OBJECT, merged: 2 }]);
  });

  it.each([
    ["requeue-after", async () => await Promise.resolve({ requeueAfterMs: 1000 })],
    ["requeue", async () => await Promise.resolve({ requeue: true })],
    [
      "retry",
      async (): Promise<undefined> => {
        throw new Error("no quota");
      },
    ],
  ] as const)("is %s, unless an event comes first", async (reason, reconciler) => {
    let notify: (() => unknown) | undefined;
    const { clock, triggers, stop } = await run((context) => {
      const handler = filteredHandler({ handler: enqueueRequestForObject() }, context);
      notify = () => handler.onUpdate(object("1"), object("2"));
      context.queue.add(REQUEST);
    }, reconciler);
    expect(triggers).toEqual([undefined]);
    await clock.advance(1000);
    expect(triggers.at(-1)).toEqual({ reason });
    const count = triggers.length;
    notify?.();
    await settle();
    expect(triggers[count]).toEqual({ reason: "updated", object: OBJECT });
    await stop();
  });

  it("is not recorded without an observer", async () => {
    let hasOwnQueue = false;
    const { triggers, stop } = await run(
      (context) => (hasOwnQueue = context.queueOf !== undefined),
      async () => undefined,
      false,
    );
    await stop();
    expect([triggers, hasOwnQueue]).toEqual([[], false]);
  });
});

type Informed = ReturnType<typeof filteredHandler>;
