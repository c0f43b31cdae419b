import { describe, expect, it } from "vitest";

import { assignShards, hashOf } from "../../src/sharding/shard-assignment.ts";

const replicas = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `replica-${String(index)}`);

function loadsOf(owners: readonly (string | undefined)[]): readonly number[] {
  const counts = new Map<string | undefined, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts.values()];
}

describe("the assignment of shards", () => {
  it("gives no replica more than its part, and leaves no shard without an owner", () => {
    for (const shards of [1, 2, 7, 16, 64]) {
      for (const count of [1, 2, 3, 5, 10, 20]) {
        const owners = assignShards(shards, replicas(count));
        expect(owners).not.toContain(undefined);
        expect(Math.max(...loadsOf(owners))).toBeLessThanOrEqual(Math.ceil(shards / count));
      }
    }
  });

  it("does not depend on the order of the replicas", () => {
    expect(assignShards(32, replicas(5).toReversed())).toEqual(assignShards(32, replicas(5)));
  });

  it("moves few shards when a replica comes", () => {
    const before = assignShards(60, replicas(5));
    const after = assignShards(60, replicas(6));
    const moved = before.filter((owner, shard) => owner !== after[shard]).length;
    // The new replica's part is 10; a modulo would move 50.
    expect(moved).toBeGreaterThanOrEqual(10);
    expect(moved).toBeLessThan(30);
  });

  it("has no owners without replicas", () => {
    expect(assignShards(2, [])).toEqual([undefined, undefined]);
  });

  it("spreads names evenly over shards", () => {
    const counts = Array.from({ length: 16 }, () => 0);
    for (let index = 0; index < 16_000; index += 1) counts[hashOf(`default/object-${String(index)}`) % 16]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1200);
  });
});
