import { deepFreeze, StatusError } from "@kubescaffold/k8s";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { editable } from "../../src/client/editable.ts";
import { createUnmanagedController, type ControllerOptions } from "../../src/controller/controller.ts";
import type { Controller } from "../../src/controller/queue-controller.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import {
  type ReconcileFunction,
  ReconcileTimeoutError,
  type Request,
  type Result,
  TerminalError,
} from "../../src/reconcile/reconcile.ts";
import { func } from "../../src/source/source.ts";
import type { PriorityQueue, RateLimitingQueue } from "../../src/workqueue/queue.ts";

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

const request = (name: string): Request => ({ namespace: "default", name });

async function start(reconciler: ReconcileFunction, options: Partial<ControllerOptions> = {}) {
  const clock = new FakeClock();
  const registry = createMetricsRegistry();
  const logger = createRecordingLogger();
  const stop = new AbortController();
  stops.push(stop);
  const controller = createUnmanagedController("widget", { clock, registry, logger }, { reconciler, ...options });
  let queue: RateLimitingQueue<Request> | undefined;
  await controller.watch(
    func((context) => {
      queue = context.queue;
    }),
  );
  const running = handledLater(controller.start(stop.signal));
  await settle();
  const metric = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> => {
    const found = (await registry.getSingleMetric(name)?.get())?.values.find(({ labels: actual }) =>
      Object.entries(labels).every(([label, value]) => (actual as Record<string, unknown>)[label] === value),
    );
    return found?.value;
  };
  const outcomes = async (): Promise<Readonly<Record<string, number | undefined>>> => ({
    error: await metric("controller_runtime_reconcile_total", { result: "error" }),
    requeueAfter: await metric("controller_runtime_reconcile_total", { result: "requeue_after" }),
    requeue: await metric("controller_runtime_reconcile_total", { result: "requeue" }),
    success: await metric("controller_runtime_reconcile_total", { result: "success" }),
    errors: await metric("controller_runtime_reconcile_errors_total"),
    terminal: await metric("controller_runtime_terminal_reconcile_errors_total"),
    panics: await metric("controller_runtime_reconcile_panics_total"),
  });
  return {
    clock,
    registry,
    logger,
    stop,
    controller,
    running,
    metric,
    outcomes,
    queue: queue as PriorityQueue<Request>,
  };
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe("the log of a controller", () => {
  it("has the outcome and the duration of each successful reconcile at verbosity 5", async () => {
    const results: Readonly<Record<string, Result>> = {
      done: {},
      later: { requeueAfterMs: 5000 },
      again: { requeue: true },
    };
    const { logger, queue } = await start(async ({ name }) => {
      const result = results[name];
      if (result === undefined) throw new Error("no result");
      return result;
    });
    for (const name of [...Object.keys(results), "failing"]) queue.add(request(name));
    await settle();
    const outcomes = logger.records.filter(({ message }) => message === "reconciled");
    expect(
      outcomes.map(({ verbosity, fields }) => [verbosity, fields["name"], fields["requeueAfterMs"], fields["requeue"]]),
    ).toEqual([
      [5, "done", undefined, undefined],
      [5, "later", 5000, undefined],
      [5, "again", undefined, true],
    ]);
    expect(outcomes[0]?.fields).toMatchObject({ controller: "widget", namespace: "default", durationMs: 0 });
  });
});

describe("a controller", () => {
  it("drops requests of its sources that it does not accept, and keeps its own requeues", async () => {
    const reconciled: string[] = [];
    const { queue, clock } = await start(
      async ({ name }) => {
        reconciled.push(name);
        return reconciled.length < 2 ? { requeueAfterMs: 1000 } : {};
      },
      { accepts: ({ name }) => name.startsWith("a") },
    );
    queue.add(request("a1"));
    queue.add(request("b1"));
    queue.addWithOptions({ priority: 1 }, request("b2"));
    await settle();
    await clock.advance(1000);
    expect(reconciled).toEqual(["a1", "a1"]);
  });

  it("creates a logger only for a reconcile that logs, and a copy of the context has all its fields", async () => {
    const logged: (Request | undefined)[] = [];
    // The outcomes of reconciles have a higher verbosity.
    const recording = createRecordingLogger(1);
    const { queue } = await start(
      async ({ name }, context) => {
        const { signal, reconcileId, log } = { ...context };
        if (name === "b")
          log
            .withName("part")
            .v(1)
            .info("reconciled", { isSame: reconcileId === context.reconcileId });
        signal.throwIfAborted();
      },
      {
        logConstructor: (each) => {
          logged.push(each);
          return recording;
        },
      },
    );
    for (const name of ["a", "b", "c"]) queue.add(request(name));
    await settle();
    expect(logged).toEqual([undefined, request("b")]);
    const line = recording.records.find(({ message }) => message === "reconciled");
    expect(line).toMatchObject({ name: "part", verbosity: 1, fields: { isSame: true } });
    expect(line?.fields["reconcileID"]).toMatch(/^[0-9a-f-]{36}$/u);
  });

  it("gives each reconcile the clock of the manager, and random numbers that a seed determines for each request", async () => {
    const run = async (
      names: readonly string[],
      seed?: string,
    ): Promise<Readonly<Record<string, readonly number[]>>> => {
      const seen: Record<string, number[]> = {};
      const times: number[] = [];
      const { queue, clock } = await start(
        async ({ name }, context) => {
          (seen[name] ??= []).push(context.random(), context.random());
          times.push(context.clock.now());
        },
        seed === undefined ? {} : { seed },
      );
      for (const name of names) {
        queue.add(request(name));
        await clock.advance(1000);
      }
      expect(times).toEqual(names.map((_, index) => Date.UTC(2026, 0, 1) + index * 1000));
      return seen;
    };
    const expected = await run(["a", "b", "a"], "seed");
    expect(await run(["b", "a", "a"], "seed")).toEqual(expected);
    expect(new Set([...expected["a"]!, ...expected["b"]!]).size).toBe(6);
    expect(await run(["a", "b", "a"], "other")).not.toEqual(expected);
    expect(await run(["a", "b", "a"])).not.toEqual(await run(["a", "b", "a"]));
  });

  it("row 1: 10 000 random adds over 100 keys and 8 workers never reconcile a key twice at once, nor miss the last add", async () => {
    const open = new Set<string>();
    const lastRun = new Map<string, number>();
    const lastAdd = new Map<string, number>();
    let step = 0;
    let doubled = 0;
    const next = random(1);
    const { clock, queue } = await start(
      async ({ name }) => {
        if (open.has(name)) doubled += 1;
        open.add(name);
        lastRun.set(name, step);
        for (let turn = 0; turn < Math.floor(next() * 4); turn += 1) await Promise.resolve();
        open.delete(name);
        if (next() < 0.2) throw new StatusError({ reason: "InternalError", code: 500 });
        return next() < 0.2 ? { requeueAfterMs: 10 } : {};
      },
      { maxConcurrentReconciles: 8 },
    );
    for (step = 1; step <= 10_000; step += 1) {
      const name = `k${Math.floor(next() * 100)}`;
      lastAdd.set(name, step);
      queue.add(request(name));
      if (step % 50 === 0) await clock.advance(1);
    }
    await clock.advance(10_000);
    expect(doubled).toBe(0);
    expect(lastAdd.size).toBe(100);
    expect([...lastAdd].filter(([name, added]) => (lastRun.get(name) ?? 0) < added)).toEqual([]);
  });

  it("row 2: 100 adds while queued are one run, 100 adds during a run one more, after it", async () => {
    const log: string[] = [];
    let release = (): void => undefined;
    const { queue } = await start(async () => {
      log.push("begin");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      log.push("end");
    });
    for (let add = 0; add < 100; add += 1) queue.add(request("a"));
    await settle();
    expect(log).toEqual(["begin"]);
    for (let add = 0; add < 100; add += 1) queue.add(request("a"));
    await settle();
    expect(log).toEqual(["begin"]);
    release();
    await settle();
    expect(log).toEqual(["begin", "end", "begin"]);
    release();
    await settle();
    expect(log).toEqual(["begin", "end", "begin", "end"]);
  });

  it.each([
    [3, 3],
    [0, 1],
    [-5, 1],
    [undefined, 1],
  ])(
    "row 3: with maxConcurrentReconciles %s, %s of 50 requests that never end are running",
    async (given, expected) => {
      let active = 0;
      const { queue, metric } = await start(
        async () => {
          active += 1;
          await new Promise(() => undefined);
        },
        given === undefined ? {} : { maxConcurrentReconciles: given },
      );
      for (let key = 0; key < 50; key += 1) queue.add(request(`k${key}`));
      await settle();
      expect(active).toBe(expected);
      expect(await metric("controller_runtime_active_workers")).toBe(expected);
      expect(await metric("controller_runtime_max_concurrent_reconciles")).toBe(expected);
    },
  );

  interface OutcomeRow {
    readonly title: string;
    readonly outcome: () => Result | undefined;
    readonly nextAfterMs: number | undefined;
    readonly failures: number;
    readonly counters: Readonly<Record<string, number>>;
  }
  const failing = (error: unknown) => (): Result => {
    throw error;
  };
  const OUTCOMES: readonly OutcomeRow[] = [
    {
      title: "a terminal error is not tried again and forgets the back-off",
      outcome: failing(new TerminalError(new StatusError({ message: "never" }))),
      nextAfterMs: undefined,
      failures: 0,
      counters: { error: 1, errors: 1, terminal: 1 },
    },
    {
      title: "an error comes again with back-off",
      outcome: failing(new StatusError({ message: "later" })),
      nextAfterMs: 20,
      failures: 3,
      counters: { error: 1, errors: 1 },
    },
    {
      title: "requeueAfterMs comes again then, and forgets the back-off",
      outcome: () => ({ requeueAfterMs: 7000 }),
      nextAfterMs: 7000,
      failures: 0,
      counters: { requeueAfter: 1 },
    },
    {
      title: "requeueAfterMs goes before requeue",
      outcome: () => ({ requeueAfterMs: 7000, requeue: true }),
      nextAfterMs: 7000,
      failures: 0,
      counters: { requeueAfter: 1 },
    },
    {
      title: "requeue comes again with back-off",
      outcome: () => ({ requeue: true }),
      nextAfterMs: 20,
      failures: 3,
      counters: { requeue: 1 },
    },
    {
      title: "a negative requeueAfterMs is none",
      outcome: () => ({ requeueAfterMs: -1 }),
      nextAfterMs: undefined,
      failures: 0,
      counters: { success: 1 },
    },
    {
      title: "nothing is success",
      outcome: () => undefined,
      nextAfterMs: undefined,
      failures: 0,
      counters: { success: 1 },
    },
    {
      title: "an empty result is success",
      outcome: () => ({}),
      nextAfterMs: undefined,
      failures: 0,
      counters: { success: 1 },
    },
  ];
  const ZERO = { error: 0, requeueAfter: 0, requeue: 0, success: 0, errors: 0, terminal: 0, panics: 0 };

  it.each(OUTCOMES)("row 4: $title", async ({ outcome, nextAfterMs, failures, counters }) => {
    const runs: number[] = [];
    const { clock, queue, outcomes, metric } = await start(async () => {
      runs.push(clock.monotonic());
      return runs.length === 1 ? outcome() : await new Promise(() => undefined);
    });
    for (let earlier = 0; earlier < 2; earlier += 1) queue.addRateLimited(request("a"));
    queue.add(request("a"));
    await settle();
    expect(runs).toEqual([0]);
    expect(queue.numRequeues(request("a"))).toBe(failures);
    expect(await outcomes()).toEqual({ ...ZERO, ...counters });
    expect(await metric("controller_runtime_reconcile_time_seconds", { controller: "widget" })).toBeDefined();
    await clock.advance(3_600_000);
    expect(runs.slice(1)).toEqual(nextAfterMs === undefined ? [] : [nextAfterMs]);
  });

  it.each([{ requeueAfterMs: Number.NaN }, { requeueAfterMs: 1, priority: Number.NaN }])(
    "a result that is not a number (%j) is an error, and the request comes again",
    async (result) => {
      let runs = 0;
      const { clock, queue, outcomes, logger } = await start(async () => {
        runs += 1;
        return result;
      });
      queue.add(request("a"));
      await clock.advance(5);
      expect(runs).toBe(2);
      expect(await outcomes()).toEqual({ ...ZERO, error: 2, errors: 2 });
      const field = Object.entries(result).find(([, value]) => Number.isNaN(value))?.[0] ?? "";
      expect(String(logger.records.find(({ message }) => message === "reconciler error")?.error)).toContain(
        `NaN as ${field}`,
      );
    },
  );

  it("row 5: a request that always fails waits 5, 10, 20 … ms, the 18th time 655.36 s and then always 1000 s; success resets it", async () => {
    const runs: number[] = [];
    let isWell = false;
    const { clock, queue } = await start(async () => {
      runs.push(clock.monotonic());
      if (!isWell) throw new StatusError({ message: "still not" });
    });
    queue.add(request("a"));
    await clock.advance(5_000_000);
    const gaps = runs.slice(1).map((time, index) => Math.round(time - (runs[index] ?? 0)));
    expect(gaps.slice(0, 3)).toEqual([5, 10, 20]);
    expect(gaps[17]).toBe(655_360);
    expect(gaps.slice(18)).toEqual([1_000_000, 1_000_000, 1_000_000]);
    isWell = true;
    queue.add(request("a"));
    await settle();
    expect(queue.numRequeues(request("a"))).toBe(0);
    isWell = false;
    runs.length = 0;
    queue.add(request("a"));
    await clock.advance(5);
    expect(runs).toHaveLength(2);
  });

  it("row 6: a terminal error leads to no run for an hour, a new event does", async () => {
    let runs = 0;
    const { clock, queue, outcomes } = await start(async () => {
      runs += 1;
      throw new TerminalError(new StatusError({ message: "never" }));
    });
    queue.add(request("a"));
    await clock.advance(3_600_000);
    expect(runs).toBe(1);
    expect(await outcomes()).toEqual({ ...ZERO, error: 1, errors: 1, terminal: 1 });
    queue.add(request("a"));
    await settle();
    expect(runs).toBe(2);
  });

  it.each<[string, ReconcileFunction, number]>([
    ["a synchronous throw of a bug", () => (undefined as unknown as { x: { y: Promise<void> } }).x.y, 1],
    ["a rejected promise", async () => await Promise.reject(new StatusError({ message: "no" })), 0],
    [
      "a thrown string",
      async () => {
        // oxlint-disable-next-line typescript/only-throw-error -- programs do
        throw "text";
      },
      1,
    ],
    [
      "a failed fetch",
      async () => await Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
      0,
    ],
  ])("row 7: %s is logged with the request and tried again with back-off", async (_, reconcile, panics) => {
    let runs = 0;
    const { clock, queue, outcomes, logger } = await start((...parameters) => {
      runs += 1;
      return reconcile(...parameters);
    });
    queue.add(request("a"));
    await clock.advance(4);
    expect(runs).toBe(1);
    expect(await outcomes()).toEqual({ ...ZERO, error: 1, errors: 1, panics });
    expect(logger.records.find(({ message }) => message === "reconciler error")?.fields).toMatchObject({
      controller: "widget",
      namespace: "default",
      name: "a",
      reconcileID: expect.any(String) as string,
    });
    await clock.advance(1);
    expect(runs).toBe(2);
  });

  it.each([
    ["a field", (object: { spec: { size: number } }) => (object.spec.size = 2)],
    ["an item", (object: { list: number[] }) => object.list.push(1)],
    ["an order", (object: { list: number[] }) => object.list.sort((left, right) => left - right)],
    ["a deletion", (object: { spec?: unknown }) => delete object.spec],
  ])("names editable() when a reconcile changes a frozen object: %s", async (_, change) => {
    const object = deepFreeze({ spec: { size: 1 }, list: [2, 1] });
    const { queue, logger } = await start(async () => {
      change(object);
      return Promise.resolve({});
    });
    queue.add(request("a"));
    await settle();
    expect(logger.records.find(({ message }) => message === "observed a panic")?.fields).toMatchObject({
      hint: "objects from the cache are frozen: change the copy that editable(object) returns",
    });
    const copy = editable(object);
    change(copy);
    expect(copy).not.toEqual(object);
  });

  it("row 7: without recovery a programming error stops the controller, an ordinary error does not", async () => {
    const { queue, running, metric } = await start(
      async ({ name }) => {
        if (name === "bug") throw new TypeError("x is undefined");
        throw new StatusError({ message: "ordinary" });
      },
      { recoverPanic: false },
    );
    queue.add(request("ordinary"));
    await settle();
    queue.add(request("bug"));
    await expect(running).rejects.toThrow("x is undefined");
    expect(await metric("controller_runtime_reconcile_panics_total")).toBe(1);
  });

  it("guarantee 15: without recovery a programming error ends the other workers before the controller", async () => {
    let finish = (): void => undefined;
    let other: AbortSignal | undefined;
    const { queue, running } = await start(
      async ({ name }, { signal }) => {
        if (name === "bug") throw new TypeError("x is undefined");
        other = signal;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
      { recoverPanic: false, maxConcurrentReconciles: 2 },
    );
    let hasEnded = false;
    const ended = running.then(
      () => undefined,
      (error: unknown) => {
        hasEnded = true;
        return String(error);
      },
    );
    queue.add(request("slow"));
    await settle();
    queue.add(request("bug"));
    await settle();
    expect(other?.aborted).toBe(true);
    expect(hasEnded).toBe(false);
    finish();
    expect(await ended).toContain("x is undefined");
  });

  it("guarantee 15: passing on the reason of the stop is no error of a reconcile", async () => {
    const { queue, logger, stop, running } = await start(async (_request, { signal }) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    });
    queue.add(request("a"));
    await settle();
    stop.abort();
    await running;
    expect(logger.records.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("row 26: a conflict is tried again with back-off and is no error in the log", async () => {
    let runs = 0;
    const { clock, queue, logger } = await start(async () => {
      runs += 1;
      if (runs === 1) throw new StatusError({ reason: "Conflict", code: 409 });
    });
    queue.add(request("a"));
    await clock.advance(5);
    expect(runs).toBe(2);
    expect(logger.records.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("row 52: a retry keeps the priority that the request was taken with, a result can change it", async () => {
    const results: Result[] = [{ requeue: true }, { requeueAfterMs: 1, priority: 9 }];
    const taken: number[] = [];
    const { clock, queue } = await start(async () => results.shift() ?? {});
    const addWithOptions = queue.addWithOptions.bind(queue);
    queue.addWithOptions = (options, ...items) => {
      taken.push(options.priority ?? 0);
      addWithOptions(options, ...items);
    };
    queue.addWithOptions({ priority: -100 }, request("a"));
    await clock.advance(100);
    expect(taken).toEqual([-100, -100, 9]);
  });

  it("row 53: a fresh event runs a failed request at once and leaves its failures counted", async () => {
    let runs = 0;
    const { clock, queue } = await start(async () => {
      runs += 1;
      throw new StatusError({ message: "no" });
    });
    queue.add(request("a"));
    await clock.advance(1300);
    const before = runs;
    queue.add(request("a"));
    await settle();
    expect(runs).toBe(before + 1);
    expect(queue.numRequeues(request("a"))).toBe(before + 1);
  });

  it("row 54: of several delays one run comes of the earliest", async () => {
    const runs: number[] = [];
    const { clock, queue } = await start(async () => {
      runs.push(clock.monotonic());
    });
    for (const seconds of [10, 5, 20]) queue.addAfter(request("a"), seconds * 1000);
    await clock.advance(60_000);
    expect(runs).toEqual([5000]);
  });

  it("row 77: a reconciliation that takes too long sees its signal abort with the reason and is counted", async () => {
    const reasons: unknown[] = [];
    const { clock, queue, metric, stop } = await start(
      async (_, { signal }) => {
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            resolve();
          });
        });
      },
      { reconciliationTimeoutMs: 1000 },
    );
    queue.add(request("a"));
    await clock.advance(1000);
    expect(reasons).toEqual([expect.any(ReconcileTimeoutError)]);
    expect(await metric("controller_runtime_reconcile_timeouts_total")).toBe(1);
    queue.add(request("a"));
    await clock.advance(10);
    stop.abort();
    await settle();
    expect(reasons).toHaveLength(2);
    expect(reasons[1]).not.toBeInstanceOf(ReconcileTimeoutError);
    expect(await metric("controller_runtime_reconcile_timeouts_total")).toBe(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("after 10 ms of computation, lets timers, probes, and the renewal of the lease run", async () => {
    const turns: number[] = [];
    let turn = 0;
    const { queue, clock } = await start(async () => {
      // The computation of a reconcile without a request.
      clock.step(6);
      turns.push(turn);
      await Promise.resolve();
    });
    const nextTurn = (): void => {
      turn += 1;
      if (turns.length < 20) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    for (let index = 0; index < 20; index += 1) queue.add(request(String(index)));
    await expect.poll(() => turns.length).toBe(20);
    expect(new Set(turns).size).toBeGreaterThanOrEqual(10);
  });

  it("row 12: a stop waits for the current run, and none starts after it", async () => {
    const log: string[] = [];
    let release = (): void => undefined;
    const { queue, stop, running } = await start(async ({ name }, { signal }) => {
      log.push(`begin ${name}`);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      log.push(`end ${name} ${signal.aborted ? "aborted" : ""}`);
    });
    queue.add(request("a"));
    queue.add(request("b"));
    await settle();
    stop.abort();
    let hasEnded = false;
    void running.then(() => (hasEnded = true));
    await settle();
    expect(hasEnded).toBe(false);
    release();
    await running;
    expect(log).toEqual(["begin a", "end a aborted"]);
  });

  it.each([true, false])("row 12: nothing starts after the stop, with priorities %s", async (usePriorityQueue) => {
    const log: string[] = [];
    let release = (): void => undefined;
    const { queue, stop, running } = await start(
      async ({ name }) => {
        log.push(name);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      { usePriorityQueue },
    );
    for (const name of ["a", "b", "c"]) queue.add(request(name));
    await settle();
    stop.abort();
    release();
    await running;
    expect(log).toEqual(["a"]);
  });

  it("starts once, and has a unique name in the process", async () => {
    const { controller, registry, clock, logger } = await start(async () => undefined);
    await expect(controller.start(new AbortController().signal)).rejects.toMatchObject({
      code: "CONTROLLER_STARTED_TWICE",
    });
    const again = (skipNameValidation: boolean): Controller =>
      createUnmanagedController(
        "widget",
        { clock, registry, logger },
        { reconciler: async () => undefined, skipNameValidation },
      );
    expect(() => again(false)).toThrow("a controller named widget already exists");
    expect(again(true).name).toBe("widget");
  });

  it("a request of the program's own type is one item per content", async () => {
    interface ClusterRequest {
      readonly cluster: string;
      readonly name: string;
    }
    const seen: ClusterRequest[] = [];
    const stop = new AbortController();
    stops.push(stop);
    const controller = createUnmanagedController<ClusterRequest>(
      "typed",
      { clock: new FakeClock(), registry: createMetricsRegistry(), logger: createRecordingLogger() },
      {
        reconciler: async (typed) => {
          seen.push(typed);
        },
      },
    );
    await controller.watch(
      func<ClusterRequest>(({ queue }) => {
        queue.add({ cluster: "a", name: "x" });
        queue.add({ name: "x", cluster: "a" });
        queue.add({ cluster: "b", name: "x" });
      }),
    );
    void controller.start(stop.signal);
    await settle();
    expect(seen).toEqual([
      { cluster: "a", name: "x" },
      { cluster: "b", name: "x" },
    ]);
  });
});
