import { readFileSync } from "node:fs";

import { FakeClock, settle } from "@kubescaffold/platform/clock";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import type { PriorityQueue } from "../../src/workqueue/queue.ts";

interface Operation {
  readonly op: "add" | "get" | "done";
  readonly item: string;
  readonly priority?: number;
  readonly length: number;
}

async function takeAll(queue: PriorityQueue<string>): Promise<readonly string[]> {
  const taken: string[] = [];
  while (queue.length > 0) {
    const item = (await queue.get()) ?? "";
    taken.push(item);
    queue.done(item);
  }
  return taken;
}

async function replay(queue: PriorityQueue<string>, operation: Operation): Promise<Operation> {
  switch (operation.op) {
    case "add":
      queue.addWithOptions(operation.priority === undefined ? {} : { priority: operation.priority }, operation.item);
      return operation;
    case "done":
      queue.done(operation.item);
      return operation;
    case "get":
      return { ...operation, ...(await queue.getWithPriority()) };
    default:
      return operation.op satisfies never;
  }
}

describe("createPriorityQueue", () => {
  it("does what controller-runtime's queue does in a recorded run of random operations", async () => {
    const { operations } = JSON.parse(readFileSync(new URL("recorded/go-trace.json", import.meta.url), "utf8")) as {
      readonly operations: readonly Operation[];
    };
    const queue = createPriorityQueue<string>({ clock: new FakeClock() });
    expect(operations.length).toBeGreaterThan(1000);
    const replayed: Operation[] = [];
    for (const operation of operations) {
      replayed.push({ ...(await replay(queue, operation)), length: queue.length });
    }
    expect(replayed).toEqual(operations);
  });

  it("row 51: a live change goes before a backlog of 10 000 keys", async () => {
    const queue = createPriorityQueue<string>();
    queue.addWithOptions({ priority: -100 }, ...Array.from({ length: 10_000 }, (_, index) => `backlog-${index}`));
    queue.add("live");
    expect(await queue.getWithPriority()).toEqual({ item: "live", priority: 0 });
    expect(await queue.get()).toBe("backlog-0");
  });

  it("row 52: priorities only rise, a raise goes to the end of its level, equals keep their order", async () => {
    const queue = createPriorityQueue<string>();
    queue.addWithOptions({ priority: -100 }, "a", "b", "c");
    queue.addWithOptions({ priority: 5 }, "d", "e");
    queue.addWithOptions({ priority: 5 }, "a");
    queue.addWithOptions({ priority: -100 }, "d");
    queue.add("c");
    expect(await takeAll(queue)).toEqual(["d", "e", "a", "c", "b"]);
  });

  it("row 53: a fresh event ends a wait and leaves the failure count", async () => {
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ clock });
    for (let failure = 0; failure < 10; failure += 1) queue.addRateLimited("a");
    expect(queue.length).toBe(0);
    queue.add("a");
    expect(queue.length).toBe(1);
    expect(queue.numRequeues("a")).toBe(10);
    queue.done((await queue.get()) ?? "");
    await clock.advance(3_600_000);
    expect(queue.length).toBe(0);
  });

  it("row 54: of several delays the earliest counts, and the higher priority", async () => {
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ clock });
    queue.addWithOptions({ afterMs: 10_000, priority: 3 }, "a");
    queue.addWithOptions({ afterMs: 5000, priority: 1 }, "a");
    queue.addAfter("a", 20_000);
    await clock.advance(4999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(await queue.getWithPriority()).toEqual({ item: "a", priority: 3 });
    queue.done("a");
    await clock.advance(60_000);
    expect(queue.length).toBe(0);
  });

  it("items that waited stand in the order in which they became ready", async () => {
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ clock });
    queue.addAfter("late", 2000);
    queue.addAfter("early", 1000);
    await clock.advance(1500);
    queue.add("between");
    await clock.advance(500);
    expect(await takeAll(queue)).toEqual(["early", "between", "late"]);
  });

  it("rate limited with a delay waits the shorter of the two and counts a failure", async () => {
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ clock });
    queue.addWithOptions({ rateLimited: true, afterMs: 60_000 }, "a");
    await clock.advance(5);
    expect(queue.length).toBe(1);
    expect(queue.numRequeues("a")).toBe(1);
  });

  it("an item added while it is worked on counts as ready and is handed out after done", async () => {
    const queue = createPriorityQueue<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    expect(queue.length).toBe(1);
    let second: string | undefined;
    void queue.get().then((item) => (second = item));
    await settle();
    expect(second).toBeUndefined();
    queue.done("a");
    await settle();
    expect(second).toBe("a");
  });

  it("after shutdown workers are released, queued items stay, and adds are ignored", async () => {
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ clock });
    const waiting = queue.get();
    queue.addAfter("b", 1000);
    queue.shutDown();
    queue.add("a");
    expect([await waiting, await queue.get(), queue.length, clock.pendingTimers]).toEqual([undefined, undefined, 0, 0]);
    await queue.shutDownWithDrain();
  });

  it("hands out by priority, then by arrival, for any items", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(8), fc.integer({ min: -2, max: 2 }))), async (adds) => {
        const queue = createPriorityQueue<string>();
        const expected = new Map<string, { priority: number; arrival: number }>();
        for (const [arrival, [key, priority]] of adds.entries()) {
          queue.addWithOptions({ priority }, `k${key}`);
          const known = expected.get(`k${key}`);
          if (known === undefined || priority > known.priority) expected.set(`k${key}`, { priority, arrival });
        }
        const order = [...expected]
          .toSorted(([, left], [, right]) => right.priority - left.priority || left.arrival - right.arrival)
          .map(([key]) => key);
        expect(await takeAll(queue)).toEqual(order);
      }),
    );
  });
});
