import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import { isPriorityQueue, type PriorityQueue } from "../../src/workqueue/queue.ts";
import { createRateLimitingQueue } from "../../src/workqueue/rate-limiting-queue.ts";
import { routedQueue } from "../../src/workqueue/routed-queue.ts";

describe("a routed queue", () => {
  it("adds each item to the queue of its route, and drops items without one", async () => {
    const clock = new FakeClock();
    const [own, other] = [createPriorityQueue<string>({ clock }), createPriorityQueue<string>({ clock })];
    const queue = routedQueue(own, (item) => ({ a: own, b: other })[item[0] ?? ""]) as PriorityQueue<string>;
    expect(isPriorityQueue(queue)).toBe(true);
    queue.add("a1");
    queue.add("b1");
    queue.add("c1");
    queue.addWithOptions({ priority: 5 }, "a2", "b2", "c2");
    expect([queue.length, own.length, other.length]).toEqual([2, 2, 2]);
    expect(await queue.getWithPriority()).toEqual({ item: "a2", priority: 5 });
    expect(await other.getWithPriority()).toEqual({ item: "b2", priority: 5 });
    queue.addAfter("b3", 1000);
    queue.addRateLimited("b4");
    expect(queue.numRequeues("b4")).toBe(1);
    expect(queue.numRequeues("c4")).toBe(0);
    queue.forget("b4");
    expect(other.numRequeues("b4")).toBe(0);
    await clock.advance(1000);
    expect(other.length).toBe(3);
    queue.shutDown();
    expect([own.isShuttingDown, other.isShuttingDown]).toEqual([true, false]);
    other.shutDown();
  });

  it("has no priorities if its queue has none", async () => {
    const own = createRateLimitingQueue<string>({ clock: new FakeClock() });
    const queue = routedQueue(own, (item) => (item === "kept" ? own : undefined));
    expect(isPriorityQueue(queue)).toBe(false);
    queue.add("kept");
    queue.add("dropped");
    expect(queue.length).toBe(1);
    expect(await queue.get()).toBe("kept");
    queue.done("kept");
    queue.shutDown();
  });
});

it("a priority queue that shuts down removes its items from the metrics of all queues of its name", async () => {
  const registry = createMetricsRegistry();
  const clock = new FakeClock();
  const depth = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric("workqueue_depth")?.get())?.values.reduce((sum, { value }) => sum + value, 0);
  const queues = [0, 1].map(() => createPriorityQueue<string>({ name: "shared", registry, clock }));
  for (const queue of queues) queue.addWithOptions({ priority: 3 }, "one", "two", "three");
  expect(await depth()).toBe(6);
  await queues[0]?.get();
  queues[0]?.shutDown();
  expect(await depth()).toBe(3);
  queues[0]?.done("one");
  expect(await depth()).toBe(3);
  queues[1]?.shutDown();
  expect(await depth()).toBe(0);
});
