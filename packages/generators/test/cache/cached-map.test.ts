import { serialize } from "node:v8";

import { expect, it } from "vitest";

import { readMap, writeMap } from "../../src/cache/memo.ts";
import { ByteShelf } from "../support/byte-shelf.ts";

const MAP = new Map<string, unknown>([["a", { list: [1, -0, 2n, undefined], map: new Map([["b", new Set(["c"])]]) }]]);

it("a map of plain data is read as it was written", () => {
  const shelf = new ByteShelf();
  writeMap(shelf, "key", MAP);
  expect(readMap(shelf, "key")).toEqual(MAP);
  expect(readMap(shelf, "other")).toEqual(new Map());
});

it("a damaged entry, or one that is not a map, counts as empty", () => {
  const shelf = new ByteShelf();
  writeMap(shelf, "key", MAP);
  shelf.damage();
  expect(readMap(shelf, "key")).toEqual(new Map());
  for (const bytes of [new Uint8Array(), serialize({ a: 1 }), serialize(null)]) {
    shelf.kept.set("key", bytes);
    expect(readMap(shelf, "key")).toEqual(new Map());
  }
});
