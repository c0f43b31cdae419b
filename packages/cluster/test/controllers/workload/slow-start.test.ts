import { describe, expect, it } from "vitest";

import { slowStart } from "../../../src/controllers/workload/slow-start.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

async function triedUntil(isRefused: (item: number) => boolean, largest?: number): Promise<readonly number[]> {
  const tried: number[] = [];
  await slowStart(
    items,
    async (item) => {
      tried.push(item);
      await Promise.resolve();
      if (isRefused(item)) throw new Error("full");
    },
    largest,
  );
  return tried;
}

describe("slowStart", () => {
  it("works on all items when none fails", async () => {
    expect(await triedUntil(() => false)).toEqual(items);
    expect(await slowStart(items, async () => await Promise.resolve())).toEqual({ succeeded: 100, failures: [] });
  });

  it.each([
    [0, 1],
    [1, 3],
    [2, 3],
    [3, 7],
    [40, 63],
    [99, 100],
  ])("ends after the batch of item %i, the first that fails", async (first, tried) => {
    expect(await triedUntil((item) => item >= first)).toHaveLength(tried);
  });

  it("ends after a batch of the largest size", async () => {
    expect(await triedUntil((item) => item >= 8, 4)).toHaveLength(11);
  });

  it("returns all failures of the batch", async () => {
    const error = new Error("full");
    const { succeeded, failures } = await slowStart(items, async (item) => {
      await Promise.resolve();
      if (item > 3) throw error;
    });
    expect({ succeeded, failures }).toEqual({ succeeded: 4, failures: [error, error, error] });
  });
});
