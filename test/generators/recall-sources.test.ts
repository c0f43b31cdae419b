import { describe, expect, it } from "vitest";

import { recallSources, type SourceStore } from "../../src/generators/recall-sources.ts";
import { readSource } from "../../src/loader/read-source.ts";

class Shelf implements SourceStore {
  readonly kept = new Map<string, Uint8Array>();
  writes = 0;
  readonly read = (key: string): Uint8Array | undefined => this.kept.get(key);
  readonly write = (key: string, bytes: Uint8Array): void => {
    this.writes += 1;
    this.kept.set(key, bytes);
  };
}

const TEXT =
  "/** A is one. */\nexport interface A {\n  // +optional\n  a?: string | null;\n}\nexport const E = { x: 1 } as const;\n";

function readInto(sources: Shelf | undefined, file: string, build = "one"): ReturnType<typeof recallSources> {
  const recalled = recallSources({ build, ...(sources === undefined ? {} : { sources }) }, "/p");
  if (recalled.memory.get(file) === undefined) recalled.memory.set(file, { text: TEXT, ...readSource(file, TEXT) });
  return recalled;
}

describe("what sources said", () => {
  it("comes back as it was read", () => {
    const shelf = new Shelf();
    readInto(shelf, "a.ts").keep();
    const { memory } = recallSources({ build: "one", sources: shelf }, "/p");
    expect(memory.get("a.ts")).toEqual({ text: TEXT, ...readSource("a.ts", TEXT) });
  });

  it("is kept anew only when something of it changed, and without what is no longer asked for", () => {
    const shelf = new Shelf();
    readInto(shelf, "a.ts").keep();
    readInto(shelf, "a.ts").keep();
    expect(shelf.writes).toBe(1);
    readInto(shelf, "b.ts").keep();
    expect([...recallSources({ build: "one", sources: shelf }, "/p").memory.keys()]).toEqual(["b.ts"]);
  });

  it("is nothing to another build or another project, nor when what is kept is broken", () => {
    const shelf = new Shelf();
    readInto(shelf, "a.ts").keep();
    expect(recallSources({ build: "two", sources: shelf }, "/p").memory.size).toBe(0);
    expect(recallSources({ build: "one", sources: shelf }, "/q").memory.size).toBe(0);
    for (const [key, bytes] of shelf.kept) shelf.kept.set(key, bytes.subarray(0, 20));
    expect(recallSources({ build: "one", sources: shelf }, "/p").memory.size).toBe(0);
  });

  it("is not kept where there is no place for it", () => {
    expect(() => readInto(undefined, "a.ts").keep()).not.toThrow();
  });
});
