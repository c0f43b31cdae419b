import { FakeClock, whenAborted } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { keepRunning, ManagerScope } from "../../src/manager/manager-scope.ts";
import type { Manager } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const stopping = new Set<AbortController>();

afterEach(() => {
  for (const stop of stopping) stop.abort();
  stopping.clear();
});

async function prepare() {
  const clock = new FakeClock();
  const log = createRecordingLogger();
  const manager = await createManager(
    { server: "https://127.0.0.1:1" },
    { logger: log, clock, metrics: { bindAddress: "0", registry: createMetricsRegistry() } },
  );
  const newScope = (): ManagerScope =>
    new ManagerScope({ manager, name: "the part", cluster: manager, log, controller: {} });
  const stop = new AbortController();
  stopping.add(stop);
  const keep = (setUp: (manager: Manager) => Promise<void> | void): Promise<unknown> =>
    keepRunning({ newScope, setUp, signal: stop.signal, clock, log }).then(
      () => "ended",
      (error: unknown) => error,
    );
  return { clock, log, newScope, stop, keep };
}

describe("a scope of a manager", () => {
  it("runs what was added before and while it runs, until its signal aborts", async () => {
    const { newScope, stop } = await prepare();
    const scope = newScope();
    const log: string[] = [];
    const runnable =
      (name: string) =>
      async (signal: AbortSignal): Promise<void> => {
        log.push(`${name} starts`);
        await whenAborted(signal);
        log.push(`${name} ends`);
        throw signal.reason as Error;
      };
    scope.manager.add(runnable("one"));
    const running = scope.run(stop.signal);
    scope.manager.add({ start: runnable("two") });
    stop.abort();
    await running;
    expect(log).toEqual(["one starts", "two starts", "one ends", "two ends"]);
    expect(() => scope.manager.add(runnable("three"))).toThrow(
      "cannot add a runnable to the part: the manager is stopping",
    );
  });

  it("ends all runnables when one fails, and fails with its error", async () => {
    const { newScope, stop } = await prepare();
    const scope = newScope();
    let hasEnded = false;
    scope.manager.add(async (signal) => {
      await whenAborted(signal);
      hasEnded = true;
    });
    scope.manager.add(async () => {
      throw new Error("lost");
    });
    await expect(scope.run(stop.signal)).rejects.toThrow("lost");
    expect(hasEnded).toBe(true);
  });
});

describe("keepRunning", () => {
  it("sets a part up again after a failure, with growing delays, and ends with its signal", async () => {
    const { clock, log, stop, keep } = await prepare();
    const attempts: number[] = [];
    const running = keep((manager) => {
      attempts.push(clock.monotonic());
      manager.add(async () => {
        throw new Error(`attempt ${String(attempts.length)}`);
      });
    });
    await clock.advance(400_000);
    const delays = attempts.slice(1).map((at, index) => Math.round((at - (attempts[index] ?? 0)) / 1000));
    expect(delays.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(
      log.records.filter(({ severity }) => severity === "error").map(({ error }) => (error as Error).message),
    ).toContain("attempt 3");
    stop.abort();
    expect(await running).toBe("ended");
  });

  it("starts with the shortest delay again after a long run", async () => {
    const { clock, keep } = await prepare();
    const attempts: number[] = [];
    void keep((manager) => {
      attempts.push(clock.monotonic());
      const isLong = attempts.length === 4;
      manager.add(async (signal) => {
        if (isLong) await new Promise<void>((resolve) => void clock.setTimeout(resolve, 120_000));
        if (!signal.aborted) throw new Error("failed");
      });
    });
    await clock.advance(200_000);
    const delays = attempts.slice(1).map((at, index) => Math.round((at - (attempts[index] ?? 0)) / 1000));
    expect(delays.slice(0, 5)).toEqual([1, 2, 4, 121, 2]);
  });

  it("does not retry programming errors, of the set-up or of a runnable", async () => {
    const { keep } = await prepare();
    const wrong = (): never => {
      throw new TypeError("no such method");
    };
    expect(await keep(wrong)).toMatchObject({ message: "no such method" });
    expect(await keep((manager) => manager.add(async () => wrong()))).toMatchObject({ message: "no such method" });
  });
});
