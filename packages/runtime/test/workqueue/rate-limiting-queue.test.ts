import { FakeClock, settle } from "@kubescaffold/platform/clock";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createRateLimitingQueue, createWorkQueue } from "../../src/workqueue/rate-limiting-queue.ts";

describe("createWorkQueue", () => {
  it("adding a key twice delivers it once", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    queue.add("a");
    queue.add("b");
    expect(queue.length).toBe(2);
    expect([await queue.get(), await queue.get()]).toEqual(["a", "b"]);
  });

  it("re-adding a key while it is processed delivers it once more, after done", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    queue.done("a");
    expect(queue.length).toBe(1);
    await queue.get();
    queue.done("a");
    expect(queue.length).toBe(0);
  });

  it("items with equal fields are one item", async () => {
    const queue = createWorkQueue<{ cluster: string; key: { name: string } }>();
    queue.add({ cluster: "a", key: { name: "x" } });
    queue.add({ key: { name: "x" }, cluster: "a" });
    expect(queue.length).toBe(1);
  });

  it("a waiting worker gets the next item", async () => {
    const queue = createWorkQueue<string>();
    const taken = queue.get();
    queue.add("a");
    expect(await taken).toBe("a");
    expect(queue.length).toBe(0);
  });

  it("after shutdown queued items are handed out, waiting workers are released, and adds are ignored", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    queue.shutDown();
    queue.add("b");
    expect([await queue.get(), await queue.get()]).toEqual(["a", undefined]);
    const idle = createWorkQueue<string>();
    const waiting = idle.get();
    idle.shutDown();
    expect(await waiting).toBeUndefined();
  });

  it("draining waits until everything taken is done", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    await queue.get();
    let isDrained = false;
    const drained = queue.shutDownWithDrain().then(() => (isDrained = true));
    await settle();
    expect(isDrained).toBe(false);
    queue.done("a");
    await drained;
    expect(await queue.get()).toBeUndefined();
  });

  it("a plain shutdown ends a drain", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    await queue.get();
    const drained = queue.shutDownWithDrain();
    queue.shutDown();
    await expect(drained).resolves.toBeUndefined();
  });

  it("never hands an item to two workers and never loses one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.boolean())), async (steps) => {
        const queue = createWorkQueue<number>();
        const open: number[] = [];
        const owed = new Set<number>();
        let doubled = false;
        for (const [item, isAdd] of steps) {
          if (isAdd) {
            queue.add(item);
            owed.add(item);
          } else if (queue.length > 0) {
            const taken = (await queue.get()) as number;
            doubled ||= open.includes(taken);
            open.push(taken);
            owed.delete(taken);
          } else if (open.length > 0) {
            queue.done(open.shift() as number);
          }
        }
        while (open.length > 0) queue.done(open.shift() as number);
        while (queue.length > 0) owed.delete((await queue.get()) as number);
        expect({ doubled, owed: [...owed] }).toEqual({ doubled: false, owed: [] });
      }),
    );
  });
});

describe("createRateLimitingQueue", () => {
  it("row 54: of several delays the earliest counts, once", async () => {
    const clock = new FakeClock();
    const queue = createRateLimitingQueue<string>({ clock });
    for (const seconds of [10, 5, 20]) queue.addAfter("a", seconds * 1000);
    await clock.advance(4999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
    queue.done((await queue.get()) ?? "");
    await clock.advance(60_000);
    expect(queue.length).toBe(0);
  });

  it("a delay of nothing is an add", () => {
    const queue = createRateLimitingQueue<string>({ clock: new FakeClock() });
    queue.addAfter("a", 0);
    queue.addAfter("b", -1);
    expect(queue.length).toBe(2);
  });

  it("a plain add does not call off a pending delayed one", async () => {
    const clock = new FakeClock();
    const queue = createRateLimitingQueue<string>({ clock });
    queue.addAfter("a", 1000);
    queue.add("a");
    queue.done((await queue.get()) ?? "");
    await clock.advance(1000);
    expect(queue.length).toBe(1);
  });

  it("row 55: of 300 simultaneous failures the last comes back after 20 s", async () => {
    const clock = new FakeClock();
    const queue = createRateLimitingQueue<number>({ clock });
    for (let item = 0; item < 300; item += 1) queue.addRateLimited(item);
    await clock.advance(19_999);
    expect(queue.length).toBe(299);
    await clock.advance(1);
    expect(queue.length).toBe(300);
  });

  it("shutdown drops waiting items and leaves no timer", () => {
    const clock = new FakeClock();
    const queue = createRateLimitingQueue<string>({ clock });
    queue.addAfter("a", 1000);
    queue.shutDown();
    expect(clock.pendingTimers).toBe(0);
  });

  it("after forget the next failure starts from the first delay", async () => {
    const clock = new FakeClock();
    const queue = createRateLimitingQueue<string>({ clock });
    queue.addRateLimited("a");
    queue.addRateLimited("a");
    expect(queue.numRequeues("a")).toBe(2);
    queue.forget("a");
    expect(queue.numRequeues("a")).toBe(0);
  });
});
