import { StatusError } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { type ControllerOptions, createUnmanagedController } from "../../src/controller/controller.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { guardedObserver } from "../../src/observe/guarded-observer.ts";
import type { Observation, Observer } from "../../src/observe/observer.ts";
import { type ReconcileFunction, type Request, TerminalError } from "../../src/reconcile/reconcile.ts";
import { func } from "../../src/source/source.ts";

const REQUEST: Request = { namespace: "default", name: "a" };

async function run(reconciler: ReconcileFunction, options: Partial<ControllerOptions> & { observer?: Observer } = {}) {
  const clock = new FakeClock();
  const observed: Observation[] = [];
  const { observer = { observe: (each) => void observed.push(each) }, ...rest } = options;
  const surroundings = { clock, registry: createMetricsRegistry(), logger: silentLogger, observer };
  const controller = createUnmanagedController("widget", surroundings, { reconciler, ...rest });
  await controller.watch(func(({ queue }) => queue.add(REQUEST)));
  const stop = new AbortController();
  const running = handledLater(controller.start(stop.signal));
  await settle();
  const of = (kind: Observation["kind"]): readonly Observation[] => observed.filter((each) => each.kind === kind);
  return { clock, observed, of, stop, running };
}

describe("an observed reconcile", async () => {
  it("starts with the controller, the request, and the time", async () => {
    let reconcileId = "";
    const { of, stop } = await run(async (_, context) => {
      ({ reconcileId } = context);
    });
    stop.abort();
    expect(of("reconcile-started")).toEqual([
      { kind: "reconcile-started", at: expect.any(Number), controller: "widget", reconcileId, ...REQUEST },
    ]);
  });

  it.each<[string, ReconcileFunction, object]>([
    ["success", async () => undefined, { outcome: "success" }],
    ["a requeue", async () => ({ requeue: true }), { outcome: "requeue" }],
    ["a delay", async () => ({ requeueAfterMs: 5000 }), { outcome: "requeue-after", requeueAfterMs: 5000 }],
    [
      "an error",
      async () => {
        throw new Error("no quota");
      },
      { outcome: "error", error: "no quota" },
    ],
    [
      "an error of the server",
      async () => {
        throw new StatusError({ code: 409, reason: "Conflict", message: "the object has been modified" });
      },
      { outcome: "error", error: "the object has been modified", errorCode: "Conflict" },
    ],
    [
      "a terminal error",
      async () => {
        throw new TerminalError("bad spec");
      },
      { outcome: "terminal-error", error: expect.stringContaining("bad spec") },
    ],
    [
      "a programming error",
      async () => {
        throw new TypeError("x is undefined");
      },
      { outcome: "panic", error: "x is undefined" },
    ],
  ])("ends with %s", async (_, reconciler, expected) => {
    const { of, stop } = await run(reconciler);
    stop.abort();
    expect(of("reconcile-ended")[0]).toMatchObject({ controller: "widget", durationMs: 0, ...REQUEST, ...expected });
  });

  it("ends with the shutdown that it passes on", async () => {
    const { of, stop, running } = await run(async (_, { signal }) => {
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      signal.throwIfAborted();
    });
    stop.abort();
    await running;
    expect(of("reconcile-ended")).toMatchObject([{ outcome: "shutdown" }]);
  });

  it("has the duration on the clock", async () => {
    let finish = (): void => undefined;
    const { of, clock, stop } = await run(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    await clock.advance(1500);
    finish();
    await settle();
    stop.abort();
    expect(of("reconcile-ended")).toMatchObject([{ durationMs: 1500 }]);
  });

  it("does not fail with its observer", async () => {
    const seen: string[] = [];
    const broken: Observer = {
      observe: ({ kind }) => {
        seen.push(kind);
        throw new Error("full disk");
      },
    };
    const { stop, running } = await run(async () => undefined, { observer: guardedObserver(broken) as Observer });
    stop.abort();
    await running;
    expect(seen).toContain("reconcile-ended");
  });
});

describe("the samples of a controller", async () => {
  it("are sent each second in which something changed", async () => {
    const { of, clock, stop } = await run(async () => ({ requeueAfterMs: 2500 }), { maxConcurrentReconciles: 3 });
    const expected = { controller: "widget", queueDepth: 0, maxWorkers: 3, activeWorkers: 0, errors: 0 };
    await clock.advance(1000);
    await clock.advance(1000);
    expect(of("controller").at(-1)).toMatchObject({ ...expected, reconciles: 1 });
    const before = of("controller").length;
    await clock.advance(1000);
    await settle();
    expect(of("controller")).toHaveLength(before + 1);
    expect(of("controller").at(-1)).toMatchObject({ ...expected, reconciles: 2 });
    stop.abort();
    await clock.advance(5000);
    expect(of("controller")).toHaveLength(before + 1);
  });
});
