import { describe, expect, it } from "vitest";

import { JobIndexes } from "../../../src/controllers/workload/jobs/job-indexes.ts";

const COMPLETIONS = 40;

/** Makes pseudo-random numbers below a limit. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

function randomIndexes(random: (limit: number) => number): readonly number[] {
  return Array.from({ length: random(COMPLETIONS) }, () => random(COMPLETIONS));
}

function membersOf(indexes: JobIndexes): readonly number[] {
  return Array.from({ length: COMPLETIONS }, (_, index) => index).filter((index) => indexes.has(index));
}

const ascending = (left: number, right: number): number => left - right;

describe("JobIndexes", () => {
  it("behaves like a set of numbers", () => {
    const random = randomOf(7);
    for (let round = 0; round < 500; round += 1) {
      const [some, others] = [randomIndexes(random), randomIndexes(random)];
      const [indexes, other] = [JobIndexes.none.with(some), JobIndexes.none.with(others)];
      const set = new Set(some);
      expect(membersOf(indexes)).toEqual([...set].toSorted(ascending));
      expect(indexes.size).toBe(set.size);
      expect(membersOf(indexes.with(others))).toEqual([...new Set([...some, ...others])].toSorted(ascending));
      expect(membersOf(indexes.union(other))).toEqual(membersOf(indexes.with(others)));
      expect(indexes.countIn(other)).toBe([...set].filter((index) => others.includes(index)).length);
      const missing = Array.from({ length: COMPLETIONS }, (_, index) => index).filter((index) => !set.has(index));
      expect(indexes.firstMissing({ count: 5, completions: COMPLETIONS })).toEqual(missing.slice(0, 5));
      expect(membersOf(JobIndexes.parse(indexes.toString(), COMPLETIONS))).toEqual(membersOf(indexes));
    }
  });

  it.each([
    ["", ""],
    ["3", "3"],
    ["3,4", "3,4"],
    ["3,4,5", "3-5"],
    ["7,1-3,2-5", "1-5,7"],
    ["5-2,x,1--2,-4,8", "8"],
    ["38-99", "38,39"],
    ["40", ""],
  ])("reads %j as %j", (text, printed) => {
    expect(JobIndexes.parse(text, COMPLETIONS).toString()).toBe(printed);
  });

  it("has as many indexes as a Job may have", () => {
    const completions = 2 ** 31 - 1;
    const indexes = JobIndexes.parse("0-2147483644", completions);
    expect(indexes.size).toBe(completions - 2);
    expect(indexes.has(2_147_483_644)).toBe(true);
    expect(indexes.firstMissing({ count: 10, completions })).toEqual([2_147_483_645, 2_147_483_646]);
    expect(indexes.countIn(JobIndexes.parse("5-2147483646", completions))).toBe(2_147_483_640);
    expect(JobIndexes.none.firstMissing({ count: 3, completions })).toEqual([0, 1, 2]);
  });
});
