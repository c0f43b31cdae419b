import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createMetricsRegistry, type MetricsRegistry } from "../../src/metrics/registry.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import { createRateLimitingQueue } from "../../src/workqueue/rate-limiting-queue.ts";

async function linesOf(registry: MetricsRegistry, name: string): Promise<readonly string[]> {
  return (await registry.metrics()).split("\n").filter((line) => line.startsWith(`${name}{`));
}

describe("the metrics of a queue", () => {
  it("count adds, retries and depth, with an empty priority for a queue that has none", async () => {
    const registry = createMetricsRegistry();
    const queue = createRateLimitingQueue<string>({ name: "web", registry, clock: new FakeClock() });
    queue.add("a");
    queue.add("a");
    queue.addAfter("b", 1000);
    expect(await linesOf(registry, "workqueue_adds_total")).toEqual([
      'workqueue_adds_total{name="web",controller="web"} 1',
    ]);
    expect(await linesOf(registry, "workqueue_retries_total")).toEqual([
      'workqueue_retries_total{name="web",controller="web"} 1',
    ]);
    expect(await linesOf(registry, "workqueue_depth")).toEqual([
      'workqueue_depth{name="web",controller="web",priority=""} 1',
    ]);
  });

  it("follow an item through the priorities; waiting items are not counted until they are ready", async () => {
    const registry = createMetricsRegistry();
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ name: "web", registry, clock });
    queue.addWithOptions({ afterMs: 1000, priority: -100 }, "a");
    expect(await linesOf(registry, "workqueue_depth")).toEqual([]);
    await clock.advance(1000);
    queue.add("a");
    expect(await linesOf(registry, "workqueue_depth")).toEqual([
      'workqueue_depth{name="web",controller="web",priority="-100"} 0',
      'workqueue_depth{name="web",controller="web",priority="0"} 1',
    ]);
  });

  it("have at most 25 priorities, all others share one label", async () => {
    const registry = createMetricsRegistry();
    const queue = createPriorityQueue<number>({ name: "web", registry });
    for (let priority = 0; priority < 40; priority += 1) queue.addWithOptions({ priority }, priority);
    const lines = await linesOf(registry, "workqueue_depth");
    expect(lines).toHaveLength(26);
    expect(lines.at(-1)).toBe('workqueue_depth{name="web",controller="web",priority="exceeded_cardinality_limit"} 15');
  });

  it("measure waiting and working time, also of work that is not finished", async () => {
    const registry = createMetricsRegistry();
    const clock = new FakeClock();
    const queue = createPriorityQueue<string>({ name: "web", registry, clock });
    queue.add("a");
    queue.add("b");
    clock.step(2000);
    await queue.get();
    clock.step(3000);
    await queue.get();
    clock.step(1000);
    expect(await linesOf(registry, "workqueue_unfinished_work_seconds")).toEqual([
      'workqueue_unfinished_work_seconds{name="web",controller="web"} 5',
    ]);
    expect(await linesOf(registry, "workqueue_longest_running_processor_seconds")).toEqual([
      'workqueue_longest_running_processor_seconds{name="web",controller="web"} 4',
    ]);
    queue.done("a");
    expect(await linesOf(registry, "workqueue_work_duration_seconds_sum")).toEqual([
      'workqueue_work_duration_seconds_sum{name="web",controller="web"} 4',
    ]);
    expect(await linesOf(registry, "workqueue_queue_duration_seconds_sum")).toEqual([
      'workqueue_queue_duration_seconds_sum{name="web",controller="web"} 7',
    ]);
  });
});
