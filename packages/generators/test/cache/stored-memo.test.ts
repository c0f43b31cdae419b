import { describe, expect, it } from "vitest";

import { readMemo } from "../../src/cache/memo.ts";
import { ByteShelf } from "../support/byte-shelf.ts";

/** Runs once: memoizes keys, finishes without findings, and saves. */
function run(shelf: ByteShelf, keys: readonly string[], value: string, key = "project"): readonly string[] {
  const { memo, save } = readMemo(shelf, key);
  const got = keys.map((each) => memo.memoize(each, () => value));
  memo.finish({ isClean: true });
  save();
  return got;
}

describe("a memo stored across processes", () => {
  it("returns a part under its key, and is written only when a part changed", () => {
    const shelf = new ByteShelf();
    run(shelf, ["a"], "first");
    expect(run(shelf, ["a"], "second")).toEqual(["first"]);
    expect(shelf.writes).toBe(1);
    expect(run(shelf, ["a", "b"], "third")).toEqual(["first", "third"]);
    expect(shelf.writes).toBe(2);
  });

  it("is separate for each key", () => {
    const shelf = new ByteShelf();
    run(shelf, ["a"], "first");
    expect(run(shelf, ["a"], "second", "other project")).toEqual(["second"]);
  });

  it("is empty when the stored entry is damaged", () => {
    const shelf = new ByteShelf();
    run(shelf, ["a"], "first");
    shelf.damage();
    expect(run(shelf, ["a"], "second")).toEqual(["second"]);
  });

  it("is empty and not saved without a store", () => {
    const { memo, save } = readMemo(undefined, "project");
    expect(memo.known.size).toBe(0);
    expect(save).not.toThrow();
  });
});
