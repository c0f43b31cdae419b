import { serialize } from "node:v8";

import { expect, it } from "vitest";

import { keepMap, readKeptMap } from "../../src/generators/kept-map.ts";
import { ByteShelf } from "./byte-shelf.ts";

const MAP = new Map<string, unknown>([["a", { list: [1, -0, 2n, undefined], map: new Map([["b", new Set(["c"])]]) }]]);

it("a map of plain data comes back as it was kept", () => {
  const shelf = new ByteShelf();
  keepMap(shelf, "key", MAP);
  expect(readKeptMap(shelf, "key")).toEqual(MAP);
  expect(readKeptMap(shelf, "other")).toEqual(new Map());
});

it("what is broken or something else counts as an empty map", () => {
  const shelf = new ByteShelf();
  keepMap(shelf, "key", MAP);
  shelf.damage();
  expect(readKeptMap(shelf, "key")).toEqual(new Map());
  for (const bytes of [new Uint8Array(), serialize({ a: 1 }), serialize(null)]) {
    shelf.kept.set("key", bytes);
    expect(readKeptMap(shelf, "key")).toEqual(new Map());
  }
});
