import { describe, expect, it } from "vitest";

import { TurnShare } from "../../src/clock/turn-share.ts";

const { setImmediate } = globalThis;

/** Runs workers that take steps without end; returns who took the steps of some turns. */
async function stepsOf(workers: number, turns: number): Promise<readonly (readonly number[])[]> {
  const share = new TurnShare();
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
});
