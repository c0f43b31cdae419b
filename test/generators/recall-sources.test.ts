import { describe, expect, it } from "vitest";

import { recallSources } from "../../src/generators/recall-sources.ts";
import { readSource } from "../../src/loader/read-source.ts";
import { textHash } from "../../src/loader/recording-host.ts";
import { ByteShelf } from "./byte-shelf.ts";

const TEXT =
  "/** A is one. */\nexport interface A {\n  // +optional\n  a?: string | null;\n}\nexport const E = { x: 1 } as const;\n";

const SOURCE = { text: TEXT, hash: textHash(TEXT), ...readSource("a.ts", TEXT) };

function readInto(sources: ByteShelf | undefined, file: string, build = "one"): ReturnType<typeof recallSources> {
  const recalled = recallSources({ build, ...(sources === undefined ? {} : { sources }) }, "/p");
  if (recalled.memory.get(file) === undefined) recalled.memory.set(file, SOURCE);
  return recalled;
}

describe("what sources said", () => {
  it("comes back as it was read", () => {
    const shelf = new ByteShelf();
    readInto(shelf, "a.ts").keep();
    const { memory } = recallSources({ build: "one", sources: shelf }, "/p");
    expect(memory.get("a.ts")).toEqual(SOURCE);
  });

  it("is kept anew only when something of it changed, and without what is no longer asked for", () => {
    const shelf = new ByteShelf();
    readInto(shelf, "a.ts").keep();
    readInto(shelf, "a.ts").keep();
    expect(shelf.writes).toBe(1);
    readInto(shelf, "b.ts").keep();
    expect([...recallSources({ build: "one", sources: shelf }, "/p").memory.keys()]).toEqual(["b.ts"]);
  });

  it("is nothing to another build or another project, nor when what is kept is broken", () => {
    const shelf = new ByteShelf();
    readInto(shelf, "a.ts").keep();
    expect(recallSources({ build: "two", sources: shelf }, "/p").memory.size).toBe(0);
    expect(recallSources({ build: "one", sources: shelf }, "/q").memory.size).toBe(0);
    shelf.damage();
    expect(recallSources({ build: "one", sources: shelf }, "/p").memory.size).toBe(0);
  });

  it("is not kept where there is no place for it", () => {
    expect(() => readInto(undefined, "a.ts").keep()).not.toThrow();
  });
});
