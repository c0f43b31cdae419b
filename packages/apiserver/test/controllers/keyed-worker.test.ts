import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { KeyedWorker } from "../../src/controllers/keyed-worker.ts";

describe("KeyedWorker", () => {
  it("does a key that was added often while it waited once, in the order of the first time", async () => {
    const done: string[] = [];
    const worker = new KeyedWorker(new FakeClock(), async (key) => void done.push(key));
    for (const key of ["a", "b", "a"]) worker.add(key);
    expect(worker.isIdle).toBe(false);
    await worker.idle();
    expect(done).toEqual(["a", "b"]);
    expect(worker.isIdle).toBe(true);
  });

  it("does a key again that is added while it is worked on, and never two at once", async () => {
    let running = 0;
    const done: string[] = [];
    const worker: KeyedWorker = new KeyedWorker(new FakeClock(), async (key) => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      if (done.length === 0) worker.add(key);
      done.push(key);
      running -= 1;
    });
    worker.add("a");
    worker.add("b");
    await worker.idle();
    expect(done).toEqual(["a", "b", "a"]);
  });

  it("tries what throws again after 5 ms, twice that, and at most 10 s, and starts over after a success", async () => {
    const clock = new FakeClock();
    let isFailing = true;
    const worker = new KeyedWorker(clock, async () => {
      await Promise.resolve();
      if (isFailing) throw new TypeError("no");
    });
    const delays: (number | undefined)[] = [];
    worker.add("a");
    for (let attempt = 0; attempt < 13; attempt += 1) {
      await worker.idle();
      delays.push(clock.nextDelayMs);
      clock.step(clock.nextDelayMs ?? 0);
    }
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_000, 10_000]);
    isFailing = false;
    await worker.idle();
    clock.step(10_000);
    await worker.idle();
    isFailing = true;
    worker.add("a");
    await worker.idle();
    expect(clock.nextDelayMs).toBe(5);
  });

  it("works on a key once after several delays, at the earliest time", async () => {
    const clock = new FakeClock();
    const done: number[] = [];
    const start = clock.now();
    const worker = new KeyedWorker(clock, async () => void done.push(clock.now() - start));
    for (const delayMs of [300, 100, 200, 100]) worker.addAfter("a", delayMs);
    for (let tick = 0; tick < 5; tick += 1) {
      clock.step(100);
      await worker.idle();
    }
    expect(done).toEqual([100]);
    const takeBack = worker.addAfter("a", 50);
    takeBack();
    expect(clock.nextDelayMs).toBeUndefined();
  });

  it("waits for what is being done when it is stopped, and does nothing more", async () => {
    const clock = new FakeClock();
    const done: string[] = [];
    let finish = (): void => undefined;
    const worker = new KeyedWorker(clock, async (key) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      done.push(key);
    });
    worker.add("a");
    worker.add("b");
    worker.addAfter("c", 100);
    await Promise.resolve();
    await Promise.resolve();
    const stopped = worker.stop();
    finish();
    await stopped;
    worker.add("d");
    clock.step(1000);
    await worker.idle();
    expect(done).toEqual(["a"]);
  });

  it("lets timers and sockets have their turn while work causes more work", async () => {
    let rounds = 0;
    let hasHadTurn = false;
    setImmediate(() => {
      hasHadTurn = true;
    });
    const worker: KeyedWorker = new KeyedWorker(new FakeClock(), async (key) => {
      rounds += 1;
      if (!hasHadTurn && rounds < 10_000) worker.add(key);
    });
    worker.add("a");
    await worker.idle();
    expect(hasHadTurn).toBe(true);
  });
});
