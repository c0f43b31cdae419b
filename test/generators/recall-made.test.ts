import { describe, expect, it } from "vitest";

import { recallMade } from "../../src/generators/recall-made.ts";
import { ByteShelf } from "./byte-shelf.ts";

const WORDS = { root: "/p", arguments: ["crd"] };

/** Runs once, asks for keys, and keeps what was made. */
function run(
  shelf: ByteShelf,
  keys: readonly string[],
  made: string,
  { build = "one", words = WORDS } = {},
): readonly string[] {
  const { memory, keep } = recallMade({ build, sources: shelf }, words);
  const got = keys.map((key) => memory.recall(key, () => made));
  memory.finish({ isClean: true });
  keep();
  return got;
}

describe("what runs of former processes made", () => {
  it("comes back under its key, and is kept anew only when something of it changed", () => {
    const shelf = new ByteShelf();
    run(shelf, ["a"], "first");
    expect(run(shelf, ["a"], "second")).toEqual(["first"]);
    expect(shelf.writes).toBe(1);
    expect(run(shelf, ["a", "b"], "third")).toEqual(["first", "third"]);
    expect(shelf.writes).toBe(2);
  });

  it.each([
    ["another build", { build: "two" }],
    ["another project", { words: { ...WORDS, root: "/q" } }],
    ["other arguments", { words: { ...WORDS, arguments: ["crd", "rbac:roleName=r"] } }],
  ])("is nothing to %s", (_, other) => {
    const shelf = new ByteShelf();
    run(shelf, ["a"], "first");
    expect(run(shelf, ["a"], "second", other)).toEqual(["second"]);
  });

  it("is made anew when what is kept is broken", () => {
    const shelf = new ByteShelf();
    run(shelf, ["a"], "first");
    shelf.damage();
    expect(run(shelf, ["a"], "second")).toEqual(["second"]);
  });

  it("is neither known nor kept without a store", () => {
    const { memory, keep } = recallMade({ build: "one" }, WORDS);
    expect(memory.known.size).toBe(0);
    expect(keep).not.toThrow();
  });
});
