import { describe, expect, it } from "vitest";

import { listFiles } from "../architecture/source-files.ts";
import { importScript } from "../support/import-script.ts";

interface Rotation {
  readonly PARTS: number;
  readonly ROTATING_FILES: readonly string[];
  readonly inPart: (items: readonly string[], part: number | undefined) => readonly string[];
  readonly partIn: (args: readonly string[]) => number | undefined;
  readonly partOfShard: (shard: number) => number;
}

const { PARTS, ROTATING_FILES, inPart, partIn, partOfShard } = await importScript<Rotation>("rotation.mjs");
const PART_NUMBERS = Array.from({ length: PARTS }, (_, index) => index + 1);

describe("the rotating tests", () => {
  it("are files that exist", () => {
    const files = ["test", "packages", "plugins"].flatMap((folder) => listFiles(folder));
    expect(ROTATING_FILES.filter((file) => !files.includes(file))).toEqual([]);
    expect(new Set(ROTATING_FILES).size).toBe(ROTATING_FILES.length);
  });

  it.each([0, 1, 13, 14, 15, 43])("each belong to one part: %i of them", (count) => {
    const items = Array.from({ length: count }, (_, index) => String(index));
    const parts = PART_NUMBERS.map((part) => inPart(items, part));
    expect(parts.flat().toSorted()).toEqual(items.toSorted());
    expect(
      Math.max(...parts.map(({ length }) => length)) - Math.min(...parts.map(({ length }) => length)),
    ).toBeLessThan(2);
    expect(inPart(items, undefined)).toEqual(items);
  });

  it("all run once while the random tests run all of their shards", () => {
    const shards = Array.from({ length: 14 }, (_, shard) => partOfShard(shard));
    expect(shards.toSorted((left, right) => left - right)).toEqual(PART_NUMBERS);
    for (const none of [-1, 14, 0.5]) expect(() => partOfShard(none)).toThrow("there is no shard");
  });

  it("are selected by --part, and by nothing else", () => {
    expect(partIn(["--e2e", "--part=3/14"])).toBe(3);
    expect(partIn(["--e2e"])).toBeUndefined();
    for (const text of ["0/14", "15/14", "3/8", "3", "", "x/14"])
      expect(() => partIn([`--part=${text}`])).toThrow(`--part is ${JSON.stringify(text)}`);
  });
});
