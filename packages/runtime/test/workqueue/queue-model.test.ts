import { FakeClock } from "@kubescaffold/platform/clock";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import { createRateLimitingQueue } from "../../src/workqueue/rate-limiting-queue.ts";

interface Operation {
  readonly op: "add" | "get" | "done" | "advance";
  readonly key: number;
  readonly priority: number;
  readonly ms: number;
}

interface Queued {
  priority: number;
  readyAt: number | undefined;
  arrival: number;
}

/** A queue as a list of facts: slow, and with nothing to get wrong but the rules. */
class PriorityModel {
  readonly queued = new Map<string, Queued>();
  readonly locked = new Set<string>();
  readonly taken: string[] = [];
  adds = 0;
  retries = 0;
  waiters = 0;
  #now = 0;
  #arrivals = 0;

  get length(): number {
    return [...this.queued.values()].filter(({ readyAt }) => readyAt === undefined).length;
  }

  depthOf(priority: number): number {
    return [...this.queued.values()].filter((each) => each.readyAt === undefined && each.priority === priority).length;
  }

  add(key: string, priority: number, ms: number): void {
    const readyAt = ms > 0 ? this.#now + ms : undefined;
    if (readyAt !== undefined) this.retries += 1;
    const known = this.queued.get(key);
    if (known === undefined) {
      this.queued.set(key, { priority, readyAt, arrival: this.#arrivals++ });
      if (readyAt === undefined) this.adds += 1;
    } else {
      if (priority > known.priority) Object.assign(known, { priority, arrival: this.#arrivals++ });
      if (known.readyAt !== undefined && readyAt === undefined) this.#becomeReady(known);
      else if (known.readyAt !== undefined && readyAt !== undefined) known.readyAt = Math.min(known.readyAt, readyAt);
    }
    this.#handOut();
  }

  get(): void {
    this.waiters += 1;
    this.#handOut();
  }

  done(key: string): void {
    this.locked.delete(key);
    this.#handOut();
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    const due = [...this.queued.values()]
      .filter(({ readyAt }) => readyAt !== undefined && readyAt <= end)
      .toSorted((left, right) => (left.readyAt ?? 0) - (right.readyAt ?? 0) || left.arrival - right.arrival);
    for (const item of due) {
      this.#becomeReady(item);
      this.#handOut();
    }
    this.#now = end;
  }

  #becomeReady(item: Queued): void {
    item.readyAt = undefined;
    item.arrival = this.#arrivals++;
    this.adds += 1;
  }

  #handOut(): void {
    for (let next = this.#next(); this.waiters > 0 && next !== undefined; next = this.#next()) {
      this.queued.delete(next);
      this.locked.add(next);
      this.taken.push(next);
      this.waiters -= 1;
    }
  }

  #next(): string | undefined {
    const [first] = [...this.queued]
      .filter(([key, { readyAt }]) => readyAt === undefined && !this.locked.has(key))
      .toSorted(([, left], [, right]) => right.priority - left.priority || left.arrival - right.arrival);
    return first?.[0];
  }
}

const operations = fc.array(
  fc.record<Operation>({
    op: fc.constantFrom("add", "add", "add", "add", "get", "done", "advance"),
    key: fc.nat(5),
    priority: fc.constantFrom(0, 0, 0, 1, 1, -1),
    ms: fc.constantFrom(0, 0, 0, 1, 2, 5),
  }),
  { minLength: 20, maxLength: 120, size: "max" },
);

// With more waiting workers than items, no item would ever wait for another.
const MOST_WAITERS = 2;

async function metricsOf(registry: ReturnType<typeof createMetricsRegistry>): Promise<ReadonlyMap<string, number>> {
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("workqueue_"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

const LABELS = 'name="q",controller="q"';

describe("createPriorityQueue, compared with a model", () => {
  it("hands out the same items in the same order, and counts them alike, for any operations", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (steps) => {
        const [clock, registry, model] = [new FakeClock(), createMetricsRegistry(), new PriorityModel()];
        const queue = createPriorityQueue<{ namespace: string; name: string }>({ name: "q", clock, registry });
        const taken: string[] = [];
        const itemOf = (key: string): { namespace: string; name: string } => ({ namespace: `n${key}`, name: key });
        for (const { op, key, priority, ms } of steps) {
          const name = String(key);
          if (op === "add") {
            queue.addWithOptions({ priority, afterMs: ms }, itemOf(name));
            model.add(name, priority, ms);
          } else if (op === "get" && model.waiters < MOST_WAITERS) {
            void queue.get().then((item) => item !== undefined && taken.push(item.name));
            model.get();
          } else if (op === "done") {
            queue.done(itemOf(name));
            model.done(name);
          } else if (op === "advance") {
            clock.step(ms);
            model.advance(ms);
          }
          // The promise of a waiting worker resolves in a later microtask.
          for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
          expect([taken, queue.length]).toEqual([model.taken, model.length]);
        }
        const metrics = await metricsOf(registry);
        expect(metrics.get(`workqueue_adds_total{${LABELS}}`)).toBe(model.adds);
        expect(metrics.get(`workqueue_retries_total{${LABELS}}`)).toBe(model.retries);
        expect(metrics.get(`workqueue_queue_duration_seconds_count{${LABELS}}`)).toBe(model.taken.length);
        for (let priority = -1; priority <= 1; priority += 1) {
          const depth = metrics.get(`workqueue_depth{${LABELS},priority="${priority}"}`) ?? 0;
          expect([priority, depth]).toEqual([priority, model.depthOf(priority)]);
        }
        queue.shutDown();
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the order for more priorities than it stores levels", async () => {
    const queue = createPriorityQueue<number>();
    const priorities = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 1000);
    for (const priority of priorities) queue.addWithOptions({ priority, afterMs: 0 }, priority);
    const taken: number[] = [];
    while (queue.length > 0) {
      const item = (await queue.get()) ?? -1;
      queue.done(item);
      taken.push(item);
      // The level of this priority is empty, and may have been removed.
      if (item === 500) queue.addWithOptions({ priority: 999 }, 5000);
    }
    const expected = Array.from({ length: 1000 }, (_, index) => 999 - index);
    expect(taken).toEqual(expected.flatMap((item) => (item === 500 ? [item, 5000] : [item])));
  });
});

describe("createRateLimitingQueue, compared with a model", () => {
  it("hands out the same items in the same order for any operations", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (steps) => {
        const [clock, registry] = [new FakeClock(), createMetricsRegistry()];
        const queue = createRateLimitingQueue<string>({ name: "q", clock, registry });
        const [line, dirty, processing] = [[] as string[], new Set<string>(), new Set<string>()];
        const delayed = new Map<string, { readyAt: number; arrival: number }>();
        const taken: (readonly (string | undefined)[])[] = [];
        let [now, arrivals] = [0, 0];
        const add = (key: string): void => {
          if (dirty.has(key)) return;
          dirty.add(key);
          if (!processing.has(key)) line.push(key);
        };
        for (const { op, key, ms } of steps) {
          const name = String(key);
          if (op === "add") {
            queue.addAfter(name, ms);
            const known = delayed.get(name);
            if (ms === 0) add(name);
            else if (known === undefined) delayed.set(name, { readyAt: now + ms, arrival: arrivals++ });
            else known.readyAt = Math.min(known.readyAt, now + ms);
          } else if (op === "get" && line.length > 0) {
            const next = line.shift() ?? "";
            dirty.delete(next);
            processing.add(next);
            taken.push([next, await queue.get()]);
          } else if (op === "done" && processing.delete(name)) {
            queue.done(name);
            if (dirty.has(name)) line.push(name);
          } else if (op === "advance") {
            clock.step(ms);
            now += ms;
            const due = [...delayed].filter(([, { readyAt }]) => readyAt <= now);
            const order = due.toSorted(([, a], [, b]) => a.readyAt - b.readyAt || a.arrival - b.arrival);
            for (const [released] of order) {
              delayed.delete(released);
              add(released);
            }
          }
          expect(queue.length).toBe(line.length);
        }
        expect(taken.filter(([expected, item]) => expected !== item)).toEqual([]);
        const metrics = await metricsOf(registry);
        expect(metrics.get(`workqueue_depth{${LABELS},priority=""}`) ?? 0).toBe(dirty.size);
        queue.shutDown();
      }),
      { numRuns: 300 },
    );
  });
});
