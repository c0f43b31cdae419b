import { describe, expect, it } from "vitest";

import { loadOnce } from "../../src/resources/load-once.ts";

describe("loadOnce", () => {
  it("loads for all callers once", async () => {
    let calls = 0;
    const load = loadOnce(() => Promise.resolve((calls += 1)));
    expect(await Promise.all([load(), load()])).toEqual([1, 1]);
    expect(await load()).toBe(1);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
  ])("loads again after a call that %s", async (_, fail: () => Promise<string>) => {
    let calls = 0;
    const load = loadOnce(() => ((calls += 1) === 1 ? fail() : Promise.resolve("loaded")));
    await expect(Promise.all([load(), load()])).rejects.toThrow("broken");
    expect(await load()).toBe("loaded");
    expect(calls).toBe(2);
  });
});
