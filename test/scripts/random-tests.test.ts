import { describe, expect, it } from "vitest";

import { importScript } from "../support/import-script.ts";

interface RandomTests {
  readonly RANDOM_TESTS: readonly { readonly name: string; readonly argsOf: (shard: number) => readonly string[] }[];
}

interface Rotation {
  readonly SHARDS: number;
  readonly selectedShard: (options: { readonly named: string; readonly now?: number }) => number;
}

const { RANDOM_TESTS } = await importScript<RandomTests>("random-tests.mjs");
const { selectedShard, SHARDS } = await importScript<Rotation>("rotation.mjs");

const DAY_MS = 24 * 60 * 60 * 1000;

describe("the shards of random tests", () => {
  it("all run within as many days as there are shards, starting on any day", () => {
    for (const start of [0, Date.UTC(2026, 1, 27), Date.UTC(2027, 11, 30)]) {
      const days = Array.from({ length: SHARDS }, (_, day) => selectedShard({ named: "", now: start + day * DAY_MS }));
      expect(new Set(days).size).toBe(SHARDS);
    }
  });

  it.each(RANDOM_TESTS.map(({ name, argsOf }) => ({ name, argsOf })))(
    "of $name have different inputs, the same at each call",
    ({ argsOf }) => {
      const shards = Array.from({ length: SHARDS }, (_, shard) => argsOf(shard).join(" "));
      expect(new Set(shards).size).toBe(SHARDS);
      expect(Array.from({ length: SHARDS }, (_, shard) => argsOf(shard).join(" "))).toEqual(shards);
    },
  );

  it("of the simulation share no schedule, and leave none out", () => {
    const argsOf = RANDOM_TESTS.find(({ name }) => name === "simulate")?.argsOf ?? (() => []);
    const ranges = Array.from({ length: SHARDS }, (_, shard) => {
      const args = argsOf(shard);
      return { count: Number(args[args.indexOf("--count") + 1]), seed: Number(args[args.indexOf("--seed") + 1]) };
    });
    for (const [index, { seed }] of ranges.slice(1).entries()) {
      const before = ranges[index];
      expect(seed).toBe((before?.seed ?? 0) + (before?.count ?? 0));
    }
  });

  it("are replayed by number, and by nothing else", () => {
    expect(selectedShard({ named: "3" })).toBe(3);
    for (const named of ["14", "-1", "1.5", "today", " 3"])
      expect(() => selectedShard({ named })).toThrow(`KUBESCAFFOLD_SHARD is ${JSON.stringify(named)}`);
  });
});
