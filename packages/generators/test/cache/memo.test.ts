import { describe, expect, it } from "vitest";

import { Memo } from "../../src/cache/memo.ts";

/** Runs once with a memory, and returns what the run got for its keys. */
function run(memory: Memo, keys: readonly string[], made: string, isClean = true): readonly string[] {
  const got = keys.map((key) => memory.memoize(key, () => made));
  memory.finish({ isClean });
  return got;
}

describe("a memo", () => {
  it("gives the next run the parts of a run without findings, and only those", () => {
    const memory = new Memo();
    expect(run(memory, ["a", "b"], "first")).toEqual(["first", "first"]);
    expect(run(memory, ["a", "c"], "second")).toEqual(["first", "second"]);
    // What was not used is forgotten.
    expect(run(memory, ["a", "b", "c"], "third")).toEqual(["first", "third", "second"]);
  });

  it("drops the parts of a run with findings, and keeps those of earlier runs", () => {
    const memory = new Memo();
    run(memory, ["a"], "first");
    run(memory, ["b"], "wrong", false);
    expect(run(memory, ["a", "b"], "second")).toEqual(["first", "second"]);
  });

  it("computes a part twice when one run needs it twice, since a finding may follow", () => {
    const memory = new Memo();
    const made: string[] = [];
    for (const name of ["one", "two"]) memory.memoize("a", () => made.push(name));
    expect([made, memory.hits]).toEqual([["one", "two"], 0]);
  });

  it("counts the parts that came from the cache", () => {
    const memory = new Memo(new Map([["a", "kept"]]));
    memory.memoize("b", () => "new");
    expect(memory.hits).toBe(0);
    memory.memoize("a", () => "new");
    expect(memory.hits).toBe(1);
    memory.finish({ isClean: true });
    expect(memory.hits).toBe(0);
  });

  it("stays the same object when a run uses exactly the known parts", () => {
    const kept = new Map([["a", "kept"]]);
    const memory = new Memo(kept);
    run(memory, ["a"], "new");
    expect(memory.known).toBe(kept);
    run(memory, [], "new");
    expect(memory.known).not.toBe(kept);
  });
});
