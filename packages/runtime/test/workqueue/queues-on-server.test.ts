import { objectKey, StatusError } from "@kubescaffold/k8s";
import type { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { type EventHandler, funcs } from "../../src/handler/event-handler.ts";
import type { Result } from "../../src/reconcile/reconcile.ts";
import { EVENT } from "../support/controller-on-server.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const server = serverForTests();

function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `k${String(index)}`);
}

describe("the queue of a controller on a server", () => {
  it("row 51: a change goes before the backlog of the objects that existed at the start", async () => {
    await server.on.writeAll(namesOf(200));
    const order: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { queue } = await server.start(async ({ name }) => {
      order.push(name);
      await released;
    });
    await expect.poll(() => queue.length, EVENT).toBe(199);
    const changed = namesOf(200).findLast((name) => name !== order[0]) ?? "";
    await server.on.write(changed, "1");
    await server.on.write("new");
    await expect.poll(() => queue.length, EVENT).toBe(200);
    release();
    await expect.poll(() => order.length, EVENT).toBe(201);
    expect(order.slice(1, 3)).toEqual([changed, "new"]);
    expect(new Set(order).size).toBe(201);
  });

  it("row 52: a retry keeps the priority of the initial objects, a result can change it, and a change of the object raises it", async () => {
    await server.on.write("a");
    const results: Result[] = [
      { requeue: true },
      { requeueAfterMs: 1, priority: 9 },
      { requeueAfterMs: 60_000, priority: -5 },
    ];
    let runs = 0;
    const { clock, added } = await server.start(async () => {
      runs += 1;
      return results.shift() ?? {};
    });
    await expect.poll(() => runs, EVENT).toBe(1);
    await clock.advance(100);
    expect(runs).toBe(3);
    await server.on.write("a", "1");
    await expect.poll(() => runs, EVENT).toBe(4);
    expect(added).toEqual(["a -100", "a -100", "a 9", "a -5", "a 0"]);
    await clock.advance(60_000);
    expect(runs).toBe(4);
  });

  it("row 53: a change of the object runs a failed request at once and leaves its failures counted", async () => {
    let runs = 0;
    const { clock, queue } = await server.start(async () => {
      runs += 1;
      throw new StatusError({ message: "no" });
    });
    const request = { namespace: server.on.namespace, name: "a" };
    await server.on.write("a");
    await expect.poll(() => runs, EVENT).toBe(1);
    await clock.advance(1300);
    const before = runs;
    expect(before).toBeGreaterThan(5);
    await server.on.write("a", "1");
    await expect.poll(() => runs, EVENT).toBe(before + 1);
    await settle();
    expect(queue.numRequeues(request)).toBe(before + 1);
  });

  it.each([true, false])(
    "row 54: of several delays one run comes of the earliest, with priorities %s",
    async (usePriorityQueue) => {
      const delays = [10_000, 5000, 20_000];
      const delayed: EventHandler<ConfigMap> = funcs<ConfigMap>({
        create: ({ object }, { queue }) => queue.addAfter(objectKey(object), delays.shift() ?? 0),
        update: ({ objectNew }, { queue }) => queue.addAfter(objectKey(objectNew), delays.shift() ?? 0),
      });
      const runs: number[] = [];
      const { clock } = await server.start(async () => void runs.push(clock.monotonic()), {
        handler: delayed,
        options: { usePriorityQueue },
      });
      for (const value of ["0", "1", "2"]) await server.on.write("a", value);
      await expect.poll(() => delays, EVENT).toEqual([]);
      await settle();
      await clock.advance(60_000);
      expect(runs).toEqual([5000]);
    },
  );

  it("row 55: of 300 objects that fail together, the last is reconciled again after 20 s without priorities", async () => {
    await server.on.writeAll(namesOf(300));
    const failed = new Set<string>();
    const again: number[] = [];
    const { clock } = await server.start(
      async ({ name }) => {
        if (failed.has(name)) {
          again.push(clock.monotonic());
          return;
        }
        failed.add(name);
        throw new StatusError({ message: "no" });
      },
      { options: { usePriorityQueue: false } },
    );
    await expect.poll(() => failed.size, EVENT).toBe(300);
    await settle();
    await clock.advance(30_000);
    await expect.poll(() => again.length, EVENT).toBe(300);
    expect(again.filter((time) => time < 19_999)).toHaveLength(299);
    expect(again.at(-1)).toBe(20_000);
  });
});
