import { describe, expect, it } from "vitest";

import { hashText } from "../../src/cache/key.ts";
import { readSource } from "../../src/loader/read-source.ts";
import { readSources } from "../../src/run/run-cache.ts";
import { ByteShelf } from "../support/byte-shelf.ts";

const TEXT =
  "/** A is one. */\nexport interface A {\n  // +optional\n  a?: string | null;\n}\nexport const E = { x: 1 } as const;\n";

const SOURCE = { text: TEXT, hash: hashText(TEXT), ...readSource("a.ts", TEXT) };

function readInto(sources: ByteShelf | undefined, file: string, build = "one"): ReturnType<typeof readSources> {
  const cached = readSources({ build, ...(sources === undefined ? {} : { sources }) }, "/p");
  if (cached.memory.get(file) === undefined) cached.memory.set(file, SOURCE);
  return cached;
}

describe("the cache of parsed sources", () => {
  it("returns a source as it was parsed", () => {
    const shelf = new ByteShelf();
    readInto(shelf, "a.ts").save();
    const { memory } = readSources({ build: "one", sources: shelf }, "/p");
    expect(memory.get("a.ts")).toEqual(SOURCE);
  });

  it("is written only when a source changed, without sources that are no longer used", () => {
    const shelf = new ByteShelf();
    readInto(shelf, "a.ts").save();
    readInto(shelf, "a.ts").save();
    expect(shelf.writes).toBe(1);
    readInto(shelf, "b.ts").save();
    expect([...readSources({ build: "one", sources: shelf }, "/p").memory.keys()]).toEqual(["b.ts"]);
  });

  it("is not shared with another build or project, and a damaged entry is ignored", () => {
    const shelf = new ByteShelf();
    readInto(shelf, "a.ts").save();
    expect(readSources({ build: "two", sources: shelf }, "/p").memory.size).toBe(0);
    expect(readSources({ build: "one", sources: shelf }, "/q").memory.size).toBe(0);
    shelf.damage();
    expect(readSources({ build: "one", sources: shelf }, "/p").memory.size).toBe(0);
  });

  it("works without a store", () => {
    expect(() => readInto(undefined, "a.ts").save()).not.toThrow();
  });
});
