import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { realClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createUnmanagedController } from "../../src/controller/controller.ts";
import { enqueueRequestForObject } from "../../src/handler/handler.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { Request } from "../../src/reconcile/reconcile.ts";
import { EventChannel } from "../../src/source/event-channel.ts";
import { channel, func } from "../../src/source/source.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import { createRateLimitingQueue } from "../../src/workqueue/rate-limiting-queue.ts";

// A tenth of the throughput that is required of an idle machine, and ten times the latency: the tests share the processors.
const LEAST_ITEMS_PER_SECOND = 20_000;
const LEAST_RECONCILES_PER_SECOND = 100;
const LONGEST_P99_MS = 500;

const requests = (count: number): readonly Request[] =>
  Array.from({ length: count }, (_, index) => ({ namespace: "default", name: `object-${String(index)}` }));

const secondsOf = async (work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

describe("the throughput", () => {
  it.each([
    ["a priority queue", () => createPriorityQueue<Request>({ registry: createMetricsRegistry(), name: "row-89" })],
    [
      "a queue of client-go",
      () => createRateLimitingQueue<Request>({ registry: createMetricsRegistry(), name: "row-89" }),
    ],
  ])("row 89: %s adds, returns, and completes at least 20,000 requests per second", async (_name, create) => {
    const queue = create();
    const all = requests(50_000);
    const seconds = await secondsOf(async () => {
      for (const request of all) queue.add(request);
      for (let taken = 0; taken < all.length; taken += 1) {
        const item = await queue.get();
        if (item === undefined) throw new Error("the queue was shut down");
        queue.done(item);
      }
    });
    expect(all.length / seconds).toBeGreaterThan(LEAST_ITEMS_PER_SECOND);
  });

  it("row 89: a controller reconciles at least 100 requests per second with one worker", async () => {
    const all = requests(2000);
    const stop = new AbortController();
    let remaining = all.length;
    const controller = createUnmanagedController(
      "row-89-reconciles",
      { logger: silentLogger, clock: realClock, registry: createMetricsRegistry() },
      {
        reconciler: async () => {
          remaining -= 1;
          if (remaining === 0) stop.abort();
        },
      },
    );
    await controller.watch(
      func(({ queue }) => {
        for (const request of all) queue.add(request);
      }),
    );
    const seconds = await secondsOf(() => controller.start(stop.signal));
    expect(remaining).toBe(0);
    expect(all.length / seconds).toBeGreaterThan(LEAST_RECONCILES_PER_SECOND);
  });

  it("row 89: with 500 events per second, 99 of 100 are reconciled within half a second", async () => {
    const [eventsPerTick, ticks, tickMs] = [10, 50, 20];
    const sentAt = new Map<string, number>();
    const latencies: number[] = [];
    const events = new EventChannel<ConfigMap>();
    const stop = new AbortController();
    const controller = createUnmanagedController(
      "row-89-latency",
      { logger: silentLogger, clock: realClock, registry: createMetricsRegistry() },
      {
        reconciler: async ({ name }) => {
          latencies.push(performance.now() - (sentAt.get(name) ?? 0));
          if (latencies.length === eventsPerTick * ticks) stop.abort();
        },
      },
    );
    await controller.watch(channel({ channel: events, handler: enqueueRequestForObject() }));
    const running = controller.start(stop.signal);
    for (let tick = 0; tick < ticks; tick += 1) {
      for (let index = 0; index < eventsPerTick; index += 1) {
        const name = `event-${String(tick)}-${String(index)}`;
        sentAt.set(name, performance.now());
        await events.send({ object: ConfigMap.create({ metadata: { namespace: "default", name } }) });
      }
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
    await running;
    const sorted = latencies.toSorted((left, right) => left - right);
    expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(LONGEST_P99_MS);
  });
});
