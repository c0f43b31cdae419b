import { describe, expect, it, onTestFinished, vi } from "vitest";

import { eachInTurns, TurnShare } from "../../src/clock/turn-share.ts";

const { setImmediate } = globalThis;

/** Runs workers that take steps without end; returns who took the steps of some turns. */
async function stepsOf(
  workers: number,
  turns: number,
  share = new TurnShare(),
): Promise<readonly (readonly number[])[]> {
  const ending = new AbortController();
  let current: number[] = [];
  const work = async (worker: number): Promise<void> => {
    while (!ending.signal.aborted) {
      await share.step();
      current.push(worker);
    }
  };
  const working = Array.from({ length: workers }, async (_, worker) => await work(worker));
  const taken: (readonly number[])[] = [];
  while (taken.length < turns) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    taken.push(current);
    current = [];
  }
  ending.abort();
  await Promise.all(working);
  return taken;
}

describe("TurnShare", () => {
  it("grants the same number of steps in each turn, no matter how many workers there are", async () => {
    for (const workers of [1, 5, 30]) {
      // The first turn has begun before.
      const counts = new Set((await stepsOf(workers, 10)).slice(1).map(({ length }) => length));
      expect([...counts]).toEqual([8]);
    }
  });

  it("grants steps in the order of requests, so that no worker starves", async () => {
    const steps = (await stepsOf(30, 60)).flat();
    for (let worker = 0; worker < 30; worker += 1)
      expect(steps.filter((each) => each === worker).length).toBeGreaterThanOrEqual(Math.floor(steps.length / 30) - 1);
  });

  it("grants one step more with each turn where the first one is short", async () => {
    for (const workers of [1, 5]) {
      const turns = await stepsOf(workers, 8, new TurnShare({ steps: 6, firstSteps: 2 }));
      // What is seen first may be two turns, since the first one has begun before.
      const counts = turns.slice(1).map(({ length }) => length);
      expect(counts).toEqual(counts.map((_, later) => Math.min((counts[0] ?? 0) + later, 6)));
      expect(counts[0]).toBeLessThanOrEqual(4);
    }
  });

  it("grants steps at once while there are some, without a promise", () => {
    const share = new TurnShare({ steps: 2 });
    expect([share.step(), share.step()]).toEqual([undefined, undefined]);
    expect(share.step()).toBeInstanceOf(Promise);
  });

  it("grants as many steps as fit into its time, and then again after a turn of the event loop", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1000);
    onTestFinished(() => now.mockRestore());
    const share = TurnShare.ofTime();
    for (let step = 0; step < 1000; step += 1) expect(share.step()).toBeUndefined();
    now.mockReturnValue(1010);
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    const pauses = [share.step(), share.step()];
    expect(pauses).toEqual([expect.any(Promise), expect.any(Promise)]);
    for (const pause of pauses) await pause;
    expect(hasTurned).toBe(true);
    now.mockReturnValue(1019);
    expect(share.step()).toBeUndefined();
    now.mockReturnValue(1020);
    expect(share.step()).toBeInstanceOf(Promise);
  });
});

describe("eachInTurns", () => {
  it("changes items in their order, and lets the event loop turn when 10 ms have passed", async () => {
    let nowMs = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 4));
    onTestFinished(() => now.mockRestore());
    let turns = 0;
    let isEnded = false;
    const count = (): void => {
      turns += 1;
      if (!isEnded) setImmediate(count);
    };
    setImmediate(count);
    expect(await eachInTurns([1, 2, 3, 4, 5, 6], (item) => item * 2)).toEqual([2, 4, 6, 8, 10, 12]);
    isEnded = true;
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
