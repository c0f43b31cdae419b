import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import type { Stored } from "../../src/client/partial-object.ts";
import {
  enqueueRequestForObject,
  type EventHandler,
  funcs,
  type HandlerContext,
} from "../../src/handler/event-handler.ts";
import {
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
  withLowPriorityWhenUnchanged,
} from "../../src/handler/handler.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import type { Request } from "../../src/reconcile/reconcile.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import type { PriorityQueue } from "../../src/workqueue/queue.ts";
import { FakeServer, Gadget, storedWidget, Widget, Zone } from "../support/fake-server.ts";

function contextOf() {
  const queue = createPriorityQueue<Request>({ clock: new FakeClock() });
  const log = createRecordingLogger();
  const context: HandlerContext & { queue: PriorityQueue<Request>; log: typeof log } = {
    queue,
    log,
    signal: new AbortController().signal,
  };
  return context;
}

async function taken(queue: PriorityQueue<Request>): Promise<readonly string[]> {
  const requests: string[] = [];
  while (queue.length > 0) {
    const next = await queue.getWithPriority();
    if (next !== undefined) {
      requests.push(`${next.item.namespace}/${next.item.name} ${next.priority}`);
      queue.done(next.item);
    }
  }
  return requests;
}

const at = (name: string, resourceVersion: string): Stored<Widget> => storedWidget(name, { resourceVersion });

function ownedBy(...references: readonly Partial<OwnerReference>[]): Stored<Gadget> {
  const ownerReferences = references.map((reference) => ({
    apiVersion: "demo/v1",
    kind: "Widget",
    name: "w",
    uid: "u",
    ...reference,
  }));
  const metadata = { namespace: "default", name: "g", uid: "g", resourceVersion: "1", ownerReferences };
  return Gadget.create({ metadata, spec: {} }) as Stored<Gadget>;
}

describe("enqueueRequestForObject", () => {
  it("enqueues the object, unchanged ones with low priority", async () => {
    const context = contextOf();
    const handler = enqueueRequestForObject<Widget>();
    await handler.create({ object: at("initial", "1"), isInInitialList: true }, context);
    await handler.create({ object: at("created", "1"), isInInitialList: false }, context);
    await handler.update({ objectOld: at("resynced", "1"), objectNew: at("resynced", "1") }, context);
    await handler.update({ objectOld: at("updated", "1"), objectNew: at("updated", "2") }, context);
    await handler.delete({ object: at("deleted", "1"), deleteStateUnknown: true }, context);
    await handler.generic({ object: at("generic", "1") }, context);
    expect(await taken(context.queue)).toEqual([
      "default/created 0",
      "default/updated 0",
      "default/deleted 0",
      "default/generic 0",
      "default/initial -100",
      "default/resynced -100",
    ]);
  });
});

describe("enqueueRequestsFromMapFunc", () => {
  it("row 75: maps the old and the new object of an update, each request once", async () => {
    const context = contextOf();
    const adds: unknown[] = [];
    const queue = {
      ...context.queue,
      add: (request: Request) => adds.push(request),
    } as unknown as PriorityQueue<Request>;
    const handler = enqueueRequestsFromMapFunc<Widget>((object) => [
      { namespace: "x", name: object.metadata.resourceVersion },
      { namespace: "x", name: "both" },
    ]);
    await handler.update({ objectOld: at("a", "1"), objectNew: at("a", "2") }, { ...context, queue });
    expect(adds).toEqual([
      { namespace: "x", name: "1" },
      { namespace: "x", name: "both" },
      { namespace: "x", name: "2" },
    ]);
  });

  it("waits for a function that reads first", async () => {
    const context = contextOf();
    const handler = enqueueRequestsFromMapFunc<Widget>(async (object) => {
      await settle();
      return [{ namespace: "", name: object.metadata.name }];
    });
    await handler.create({ object: at("a", "1"), isInInitialList: true }, context);
    expect(await taken(context.queue)).toEqual(["/a -100"]);
  });
});

describe("enqueueRequestForOwner", () => {
  const restMapper = new FakeServer().restMapper();

  it("row 45: owners match by group and kind in any version", async () => {
    const context = contextOf();
    const handler = enqueueRequestForOwner(Widget, { restMapper });
    const object = ownedBy(
      { apiVersion: "demo/v9", name: "other-version" },
      { apiVersion: "elsewhere/v1", name: "other-group" },
      { kind: "Gadget", name: "other-kind" },
    );
    await handler.create({ object, isInInitialList: false }, context);
    await handler.delete({ object, deleteStateUnknown: false }, context);
    expect(await taken(context.queue)).toEqual(["default/other-version 0"]);
  });

  it("row 45: a cluster-scoped owner's request has no namespace", async () => {
    const context = contextOf();
    const handler = enqueueRequestForOwner(Zone, { restMapper });
    await handler.generic({ object: ownedBy({ kind: "Zone", name: "z" }) }, context);
    expect(await taken(context.queue)).toEqual(["/z 0"]);
  });

  it("row 45: a change of owner enqueues both", async () => {
    const context = contextOf();
    const handler = enqueueRequestForOwner(Widget, { restMapper, onlyControllerOwner: true });
    const objectOld = ownedBy({ name: "old", controller: true }, { name: "bystander" });
    await handler.update({ objectOld, objectNew: ownedBy({ name: "new", controller: true }) }, context);
    expect(await taken(context.queue)).toEqual(["default/old -100", "default/new -100"]);
  });

  it("logs and skips when the owner's kind is unknown, and retries with the next event", async () => {
    const context = contextOf();
    const failing = { ...restMapper, restMapping: async () => await Promise.reject(new TypeError("unknown kind")) };
    await enqueueRequestForOwner(Widget, { restMapper: failing }).generic({ object: ownedBy({}) }, context);
    expect([context.queue.length, context.log.records.length]).toEqual([0, 1]);
  });
});

describe("enqueueRequestsFromMapFunc", () => {
  it.each<readonly [string, (handler: EventHandler<Widget>, context: HandlerContext) => unknown]>([
    ["create", (handler, context) => handler.create({ object: at("w", "1"), isInInitialList: false }, context)],
    ["delete", (handler, context) => handler.delete({ object: at("w", "1"), deleteStateUnknown: false }, context)],
    ["generic", (handler, context) => handler.generic({ object: at("w", "1") }, context)],
  ])("throws the error of a function for the one object of an event: %s", (_, handle) => {
    const handler = enqueueRequestsFromMapFunc<Widget>(() => {
      throw new TypeError("the object");
    });
    expect(() => handle(handler, contextOf())).toThrow("the object");
  });

  it("handles the errors of both objects of an update, thrown or rejected", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const handler = enqueueRequestsFromMapFunc<Widget>(({ metadata: { resourceVersion } }) => {
        if (resourceVersion === "2") throw new TypeError("the new object");
        return Promise.reject(new TypeError("the old object"));
      });
      const handled = handler.update({ objectOld: at("w", "1"), objectNew: at("w", "2") }, contextOf());
      await expect(handled).rejects.toThrow("the old object");
      // Node reports a rejection without a handler after the microtasks.
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});

describe("withLowPriorityWhenUnchanged", () => {
  it("lowers only requests without a priority for unchanged objects", async () => {
    const context = contextOf();
    const request = (name: string): Request => ({ namespace: "", name });
    const inner: EventHandler<Widget> = funcs<Widget>({
      create: (event, { queue }) => queue.add(request(event.object.metadata.name)),
      update: (_, { queue }) => (queue as PriorityQueue<Request>).addWithOptions({ priority: 7 }, request("explicit")),
    });
    const handler = withLowPriorityWhenUnchanged(inner);
    await handler.create({ object: at("initial", "1"), isInInitialList: true }, context);
    await handler.create({ object: at("created", "1"), isInInitialList: false }, context);
    await handler.update({ objectOld: at("x", "1"), objectNew: at("x", "1") }, context);
    await handler.delete({ object: at("x", "1"), deleteStateUnknown: false }, context);
    expect(await taken(context.queue)).toEqual(["/explicit 7", "/created 0", "/initial -100"]);
  });
});
