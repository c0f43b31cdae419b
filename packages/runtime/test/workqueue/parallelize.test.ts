import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createUnmanagedController } from "../../src/controller/controller.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { func } from "../../src/source/source.ts";
import { parallelizeUntil } from "../../src/workqueue/parallelize.ts";

// Work whose pieces end when the test says so.
function heldWork() {
  const started: number[] = [];
  const ends = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  const work = async (piece: number): Promise<void> => {
    started.push(piece);
    await new Promise<void>((resolve, reject) => {
      ends.set(piece, { resolve, reject });
    });
  };
  return {
    started,
    work,
    end: (piece: number) => ends.get(piece)?.resolve(),
    fail: (piece: number, error: Error) => ends.get(piece)?.reject(error),
  };
}

describe("parallelizeUntil", () => {
  it("starts the pieces in order, and as many at once as there are workers", async () => {
    const { started, work, end } = heldWork();
    const all = parallelizeUntil(4, work, { workers: 2 });
    expect(started).toEqual([0, 1]);
    end(1);
    await settle();
    expect(started).toEqual([0, 1, 2]);
    for (const piece of [0, 2]) end(piece);
    await settle();
    expect(started).toEqual([0, 1, 2, 3]);
    end(3);
    await expect(all).resolves.toBeUndefined();
  });

  it.each([0, -1, Number.NaN])("does nothing for %s pieces", async (pieces) => {
    const { started, work } = heldWork();
    await parallelizeUntil(pieces, work, { workers: 3 });
    expect(started).toEqual([]);
  });

  it("after a failure starts nothing more, waits for the calls in progress, and fails with the errors", async () => {
    const { started, work, end, fail } = heldWork();
    const one = new Error("one");
    const outcome = parallelizeUntil(9, work, { workers: 3 }).catch((error: unknown) => error);
    fail(0, one);
    await settle();
    end(1);
    end(2);
    expect([await outcome, started]).toEqual([one, [0, 1, 2]]);
    const second = heldWork();
    const both = parallelizeUntil(2, second.work, { workers: 2 }).catch((error: unknown) => error);
    second.fail(0, one);
    second.fail(1, new Error("two"));
    expect(await both).toMatchObject({ message: "2 calls failed", errors: [one, { message: "two" }] });
  });

  it("refuses NaN as the number of workers, which would do nothing", async () => {
    const { started, work } = heldWork();
    await expect(parallelizeUntil(2, work, { workers: Number.NaN })).rejects.toThrow("workers is NaN");
    expect(started).toEqual([]);
  });

  it("ends with its signal, unless everything was done", async () => {
    const { started, work, end } = heldWork();
    const abort = new AbortController();
    const outcome = parallelizeUntil(3, work, { workers: 1, signal: abort.signal }).catch((error: unknown) => error);
    abort.abort("enough");
    end(0);
    expect([await outcome, started]).toEqual(["enough", [0]]);
    const last = heldWork();
    const done = parallelizeUntil(1, last.work, { workers: 1, signal: new AbortController().signal });
    last.end(0);
    await expect(done).resolves.toBeUndefined();
  });

  it("ends with the reconcile that it is called in", async () => {
    const { started, work, end } = heldWork();
    const outcomes: unknown[] = [];
    const controller = createUnmanagedController(
      "parallel",
      { clock: new FakeClock(), registry: createMetricsRegistry(), logger: silentLogger },
      {
        reconciler: async (_request, { signal }) => {
          const outcome: unknown = await parallelizeUntil(5, work, { workers: 1 }).catch((error: unknown) => error);
          outcomes.push(outcome === signal.reason);
        },
      },
    );
    await controller.watch(func(({ queue }) => queue.add({ namespace: "default", name: "a" })));
    const stopping = new AbortController();
    const running = controller.start(stopping.signal);
    await settle();
    stopping.abort();
    end(0);
    await running;
    expect([outcomes, started]).toEqual([[true], [0]]);
  });
});
