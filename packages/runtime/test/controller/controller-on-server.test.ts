import { isInvalid, StatusError } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { ReconcileTimeoutError, type Result, TerminalError } from "../../src/reconcile/reconcile.ts";
import { EVENT } from "../support/controller-on-server.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const server = serverForTests();

// A server refuses the name with 422.
async function sendInvalid(): Promise<never> {
  await server.on.live.create(ConfigMap.create({ metadata: { namespace: server.on.namespace, name: "Not A Name" } }));
  throw new TypeError("the server accepted an invalid name");
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe("a controller of the objects of a server", () => {
  it("row 1: 1000 random changes of 20 objects and 8 workers never reconcile an object twice at once, nor miss its last change", async () => {
    const open = new Set<string>();
    const read = new Map<string, string | undefined>();
    const written = new Map<string, string>();
    const next = random(1);
    let doubled = 0;
    const names = Array.from({ length: 20 }, (_, index) => `k${String(index)}`);
    await server.on.writeAll(names);
    const { clock, cache } = await server.start(
      async (key) => {
        if (open.has(key.name)) doubled += 1;
        open.add(key.name);
        try {
          const { data } = await server.on.live.get(ConfigMap, key);
          read.set(key.name, data?.["value"]);
          if (next() < 0.2) throw new StatusError({ reason: "InternalError", code: 500 });
          return next() < 0.2 ? { requeueAfterMs: 10 } : {};
        } finally {
          open.delete(key.name);
        }
      },
      { options: { maxConcurrentReconciles: 8 } },
    );
    await cache.list(ConfigMap);
    for (let step = 1; step <= 1000; step += 1) {
      const name = names[Math.floor(next() * names.length)] ?? "";
      written.set(name, String(step));
      await server.on.write(name, String(step));
      if (step % 50 === 0) await clock.advance(1);
    }
    const missed = async (): Promise<readonly string[]> => {
      await clock.advance(1000);
      return [...written].filter(([name, value]) => read.get(name) !== value).map(([name]) => name);
    };
    await expect.poll(missed, EVENT).toEqual([]);
    expect([written.size, doubled]).toEqual([20, 0]);
  });

  it("row 2: 100 changes during a reconcile are one more reconcile, after it", async () => {
    const log: string[] = [];
    let release = (): void => undefined;
    const { observed } = await server.start(async ({ name }) => {
      log.push(`begin ${name}`);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      log.push(`end ${name}`);
    });
    await server.on.write("a");
    await expect.poll(() => log, EVENT).toEqual(["begin a"]);
    for (let change = 1; change <= 100; change += 1) await server.on.write("a", String(change));
    await observed("a", "100");
    await server.on.write("last");
    await observed("last", "0");
    await settle();
    expect(log).toEqual(["begin a"]);
    release();
    await expect.poll(() => log.length, EVENT).toBe(3);
    release();
    await expect.poll(() => log.length, EVENT).toBe(5);
    release();
    await expect.poll(() => log.length, EVENT).toBe(6);
    expect(log.filter((line) => line.startsWith("begin")).toSorted()).toEqual(["begin a", "begin a", "begin last"]);
  });

  it.each([
    [3, 3],
    [undefined, 1],
  ])(
    "row 3: with maxConcurrentReconciles %s, %s of 20 reconciles that never end are running",
    async (given, expected) => {
      let active = 0;
      await server.on.writeAll(Array.from({ length: 20 }, (_, index) => `k${String(index)}`));
      const { activeWorkers, queue } = await server.start(
        async () => {
          active += 1;
          await new Promise(() => undefined);
        },
        { options: given === undefined ? {} : { maxConcurrentReconciles: given } },
      );
      await expect.poll(() => queue.length, EVENT).toBe(20 - expected);
      expect([active, await activeWorkers()]).toEqual([expected, expected]);
    },
  );

  interface OutcomeRow {
    readonly title: string;
    readonly outcome: () => Promise<Result | undefined>;
    readonly nextAfterMs: number | undefined;
    readonly counters: Readonly<Record<string, number>>;
  }
  const OUTCOMES: readonly OutcomeRow[] = [
    {
      title: "a refusal of the server is tried again with back-off",
      outcome: sendInvalid,
      nextAfterMs: 5,
      counters: { error: 1, errors: 1 },
    },
    {
      title: "a refusal of the server that is terminal is not tried again",
      outcome: async () => {
        throw new TerminalError(await sendInvalid().catch((error: unknown) => error));
      },
      nextAfterMs: undefined,
      counters: { error: 1, errors: 1, terminal: 1 },
    },
    {
      title: "requeueAfterMs comes again then",
      outcome: async () => ({ requeueAfterMs: 7000, requeue: true }),
      nextAfterMs: 7000,
      counters: { requeue_after: 1 },
    },
    {
      title: "requeue comes again with back-off",
      outcome: async () => ({ requeue: true }),
      nextAfterMs: 5,
      counters: { requeue: 1 },
    },
    {
      title: "nothing is success",
      outcome: async () => undefined,
      nextAfterMs: undefined,
      counters: { success: 1 },
    },
  ];

  it.each(OUTCOMES)("row 4: $title", async ({ outcome, nextAfterMs, counters }) => {
    let runs = 0;
    const { clock, outcomes } = await server.start(async () => {
      runs += 1;
      return runs === 1 ? await outcome() : await new Promise(() => undefined);
    });
    await server.on.write("a");
    await expect.poll(outcomes, EVENT).toEqual(counters);
    await settle();
    expect(clock.nextDelayMs).toBe(nextAfterMs);
    await clock.advance(3_600_000);
    expect(runs).toBe(nextAfterMs === undefined ? 1 : 2);
  });

  it("row 5: a write that the server always refuses is tried again after 5, 10, 20 … ms, the 18th time after 655.36 s and then always 1000 s; success resets it", async () => {
    let runs = 0;
    let isWell = false;
    const { clock, queue, observed } = await server.start(async () => {
      runs += 1;
      if (!isWell) await sendInvalid();
    });
    await server.on.write("a");
    const gaps: (number | undefined)[] = [];
    for (let failures = 1; failures <= 21; failures += 1) {
      await expect.poll(() => [runs, clock.pendingTimers], EVENT).toEqual([failures, 1]);
      gaps.push(clock.nextDelayMs);
      await clock.advance(clock.nextDelayMs ?? 0);
    }
    expect(gaps).toEqual(gaps.map((_, index) => Math.min(5 * 2 ** index, 1_000_000)));
    await expect.poll(() => [runs, clock.pendingTimers], EVENT).toEqual([22, 1]);
    isWell = true;
    await server.on.write("a", "1");
    await observed("a", "1");
    await expect.poll(() => runs, EVENT).toBe(23);
    expect(queue.numRequeues({ namespace: server.on.namespace, name: "a" })).toBe(0);
  });

  it("row 6: a terminal error leads to no run for an hour, a change of the object does", async () => {
    const errors: unknown[] = [];
    const { clock, outcomes } = await server.start(async () => {
      const error: unknown = await sendInvalid().catch((each: unknown) => each);
      errors.push(error);
      throw new TerminalError(error);
    });
    await server.on.write("a");
    await expect.poll(outcomes, EVENT).toEqual({ error: 1, errors: 1, terminal: 1 });
    await clock.advance(3_600_000);
    expect(errors.map(isInvalid)).toEqual([true]);
    await server.on.write("a", "1");
    await expect.poll(outcomes, EVENT).toEqual({ error: 2, errors: 2, terminal: 2 });
  });

  it.each<[string, (object: ConfigMap) => unknown, number]>([
    ["a property of a missing field", ({ binaryData }) => (binaryData as unknown as { x: { y: string } }).x.y, 1],
    ["a rejected promise", sendInvalid, 0],
    [
      "a thrown string",
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- programs do
        throw "text";
      },
      1,
    ],
  ])("row 7: %s is logged with the object and tried again with back-off", async (_, fail, panics) => {
    const { clock, outcomes, logger } = await server.start(async (key) => {
      await fail(await server.on.live.get(ConfigMap, key));
    });
    await server.on.write("a");
    await expect.poll(outcomes, EVENT).toEqual({ error: 1, errors: 1, ...(panics === 0 ? {} : { panics }) });
    await settle();
    expect(clock.nextDelayMs).toBe(5);
    expect(logger.records.find(({ message }) => message === "reconciler error")?.fields).toMatchObject({
      namespace: server.on.namespace,
      name: "a",
    });
  });

  it("row 9: nothing is reconciled before the objects of all kinds are known", async () => {
    const reconciled: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = 0;
    const slow = interceptedConfig(server.config, async (request, send) => {
      if (new URL(request.url).pathname.endsWith("/secrets")) {
        held += 1;
        await released;
      }
      return await send(request);
    });
    await server.on.writeAll(["a", "b"]);
    await server.on.live.create(
      Secret.create({ metadata: { namespace: server.on.namespace, name: "c", labels: { tested: "" } } }),
    );
    const { observed } = await server.start(
      async ({ name }) => {
        reconciled.push(name);
      },
      { client: createClient(slow, { log: silentLogger }), otherKinds: [Secret] },
    );
    await observed("a", "0");
    await observed("b", "0");
    await expect.poll(() => held, EVENT).toBe(1);
    await settle();
    expect(reconciled).toEqual([]);
    release();
    await expect.poll(() => reconciled.toSorted(), EVENT).toEqual(["a", "b", "c"]);
  });

  it("row 77: a reconcile that takes too long ends its request to the server with the reason, and is counted", async () => {
    const reasons: unknown[] = [];
    let events = 0;
    const { clock, outcomes, stop, running } = await server.start(
      async () => {
        try {
          for await (const _event of server.on.live.watch(ConfigMap, {
            namespace: server.on.namespace,
            resourceVersion: "0",
          })) {
            events += 1;
          }
        } catch (error) {
          reasons.push(error);
          throw error;
        }
      },
      { options: { reconciliationTimeoutMs: 1000 } },
    );
    await server.on.write("a");
    await expect.poll(() => events, EVENT).toBeGreaterThan(0);
    await clock.advance(1000);
    await expect.poll(() => reasons, EVENT).toEqual([expect.any(ReconcileTimeoutError)]);
    await expect.poll(outcomes, EVENT).toEqual({ error: 1, errors: 1, timeouts: 1 });
    events = 0;
    await clock.advance(5);
    await expect.poll(() => events, EVENT).toBeGreaterThan(0);
    stop();
    await running;
    expect(reasons).toHaveLength(2);
    expect(reasons[1]).not.toBeInstanceOf(ReconcileTimeoutError);
    expect(await outcomes()).toEqual({ error: 1, errors: 1, timeouts: 1 });
  });
});
