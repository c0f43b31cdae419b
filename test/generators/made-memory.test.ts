import { describe, expect, it } from "vitest";

import { MadeMemory } from "../../src/generators/made-memory.ts";

/** Runs once with a memory, and returns what the run got for its keys. */
function run(memory: MadeMemory, keys: readonly string[], made: string, isClean = true): readonly string[] {
  const got = keys.map((key) => memory.recall(key, () => made));
  memory.finish({ isClean });
  return got;
}

describe("a memory of what was made", () => {
  it("gives the next run what a clean one made, and only that", () => {
    const memory = new MadeMemory();
    expect(run(memory, ["a", "b"], "first")).toEqual(["first", "first"]);
    expect(run(memory, ["a", "c"], "second")).toEqual(["first", "second"]);
    // What was not used is forgotten.
    expect(run(memory, ["a", "b", "c"], "third")).toEqual(["first", "third", "second"]);
  });

  it("keeps nothing of a run in which something was found wrong, and all that was known before", () => {
    const memory = new MadeMemory();
    run(memory, ["a"], "first");
    run(memory, ["b"], "wrong", false);
    expect(run(memory, ["a", "b"], "second")).toEqual(["first", "second"]);
  });

  it("makes what one run asks for twice twice, since nothing of it is known to be right", () => {
    const memory = new MadeMemory();
    const made: string[] = [];
    for (const name of ["one", "two"]) memory.recall("a", () => made.push(name));
    expect([made, memory.hasServed]).toEqual([["one", "two"], false]);
  });

  it("says whether the run took anything from a former one", () => {
    const memory = new MadeMemory(new Map([["a", "kept"]]));
    memory.recall("b", () => "new");
    expect(memory.hasServed).toBe(false);
    memory.recall("a", () => "new");
    expect(memory.hasServed).toBe(true);
    memory.finish({ isClean: true });
    expect(memory.hasServed).toBe(false);
  });

  it("stays the very same when a run needs just what is known", () => {
    const kept = new Map([["a", "kept"]]);
    const memory = new MadeMemory(kept);
    run(memory, ["a"], "new");
    expect(memory.known).toBe(kept);
    run(memory, [], "new");
    expect(memory.known).not.toBe(kept);
  });
});
