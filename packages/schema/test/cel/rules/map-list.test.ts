import { describe, expect, it } from "vitest";

import { itemFinder } from "../../../src/cel/rules/validate-rules.ts";

const schema = { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "port"] };
const before = [
  { name: "a", port: 1, v: 1 },
  { name: "a", port: 2, v: 2 },
  { name: "a", port: 1, v: 3 },
];

describe("the counterpart of an item", () => {
  it("is the first with the same keys", () => {
    const find = itemFinder(schema, before);
    expect(find({ name: "a", port: 1, v: 9 })).toEqual(before[0]);
    expect(find({ name: "a", port: 2 })).toEqual(before[1]);
  });

  it("does not exist for an item without all keys, nor for another type", () => {
    const find = itemFinder(schema, before);
    expect([
      find({ name: "a" }),
      find({ name: "a", port: "1" }),
      find({ name: "a", port: [1] }),
      find(5),
      find(null),
    ]).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it("does not exist in lists of other types", () => {
    expect(itemFinder({ ...schema, "x-kubernetes-list-type": "set" }, before)(before[0] ?? null)).toBeUndefined();
    expect(itemFinder(schema, undefined)(before[0] ?? null)).toBeUndefined();
  });
});
