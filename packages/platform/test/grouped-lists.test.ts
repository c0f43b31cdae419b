import { describe, expect, it } from "vitest";

import { addToList } from "../src/grouped-lists.ts";

describe("addToList", () => {
  it("begins the list of a key, and goes on with the same one", () => {
    const lists = new Map<string, number[]>();
    addToList(lists, "a", 1);
    const list = lists.get("a");
    addToList(lists, "a", 2);
    addToList(lists, "b", 3);
    expect([...lists]).toEqual([
      ["a", [1, 2]],
      ["b", [3]],
    ]);
    expect(lists.get("a")).toBe(list);
  });
});
