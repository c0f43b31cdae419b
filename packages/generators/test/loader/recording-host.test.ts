import { describe, expect, it } from "vitest";

import { type Observation, recordHost, stillHolds } from "../../src/loader/source-host.ts";
import { memoryHost } from "../support/memory-host.ts";

const LONG = "a text that is longer than its hash would be\n";
const FILES = { "/p/a.ts": LONG, "/p/b/c.ts": "c" };

function observe(): readonly Observation[] {
  const { host, observations } = recordHost(memoryHost(FILES));
  expect(host.readFile("/p/a.ts")).toBe(LONG);
  expect(host.readFile("/p/none.ts")).toBeUndefined();
  expect(host.listDirectory("/p")).toHaveLength(2);
  expect(host.kindOf("/p/b")).toBe("directory");
  expect(host.realPath("/p/b")).toBe("/p/b");
  host.readFile("/p/a.ts");
  return observations();
}

describe("a record of what was asked", () => {
  it("has each question once and holds for a disk with the same answers", () => {
    expect(observe()).toHaveLength(5);
    expect(stillHolds(observe(), memoryHost(FILES))).toBe(true);
    expect(stillHolds(JSON.parse(JSON.stringify(observe())) as readonly Observation[], memoryHost(FILES))).toBe(true);
  });

  it("takes hashes of texts that are known", () => {
    const { host, observations } = recordHost(memoryHost(FILES));
    host.readFile("/p/a.ts");
    expect(observations(new Map([[LONG, "known"]]))).toEqual([["readFile", "/p/a.ts", "known"]]);
    expect(observations(new Map([["other", "known"]]))).toEqual(observations());
  });

  it("does not depend on what was not asked", () => {
    expect(
      stillHolds(observe(), memoryHost({ ...FILES, "/p/b/d.ts": "new", "/q/e.ts": "new", "/p/b/c.ts": "new" })),
    ).toBe(true);
  });

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ["a text differs", { ...FILES, "/p/a.ts": `${LONG} ` }],
    ["a file is there that was missing", { ...FILES, "/p/none.ts": "" }],
    ["a folder has a new file", { ...FILES, "/p/d.ts": "" }],
    ["a folder is gone", { "/p/a.ts": LONG }],
    ["a file is where a folder was", { "/p/a.ts": LONG, "/p/b": "" }],
  ])("does not hold when %s", (_, files) => {
    expect(stillHolds(observe(), memoryHost(files))).toBe(false);
  });
});
