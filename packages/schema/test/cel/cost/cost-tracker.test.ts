import { describe, expect, it } from "vitest";

import { CostLimitExceededError, createCostTracker } from "../../../src/cel/cost/cost-tracker.ts";
import { CelArray } from "../../../src/cel/values/cel-list.ts";
import type { CelValue } from "../../../src/cel/values/cel-value.ts";

function costOf(name: string, overload: string, ...[result, ...args]: [CelValue, ...CelValue[]]): number {
  const tracker = createCostTracker(Number.MAX_SAFE_INTEGER);
  tracker.call({ function: name, overload, args, result });
  return tracker.spent();
}

const words = new CelArray(["a", "bb", "ccc"]);
const long = "x".repeat(95);

describe("the cost of what has run", () => {
  it("is 1 for every access, 10 for a list and 30 for a map", () => {
    const tracker = createCostTracker(100);
    tracker.attribute();
    tracker.qualifier();
    tracker.list();
    tracker.map();
    expect(tracker.spent()).toBe(42);
  });

  it("ends the evaluation beyond the limit, and tells how far it got", () => {
    const tracker = createCostTracker(15);
    tracker.list();
    expect(() => tracker.list()).toThrow(CostLimitExceededError);
    expect(tracker.spent()).toBe(20);
  });

  it.each([
    ["an addition of numbers", costOf("_+_", "add_int64", 3n, 1n, 2n), 1],
    ["a comparison of texts, by the shorter", costOf("_<_", "less_string", true, long, "x".repeat(25)), 3],
    ["an equality of an empty text", costOf("_==_", "equals", false, long, ""), 0],
    ["a prefix, though the text counts", costOf("startsWith", "starts_with_string", true, long, "x"), 10],
    ["a part of a text", costOf("contains", "contains_string", true, long, "x".repeat(11)), 20],
    ["a regular expression", costOf("matches", "matches_string", true, long, "x".repeat(9)), 30],
    ["a membership", costOf("@in", "in_list", true, "a", words), 3],
    ["a concatenation of texts", costOf("_+_", "add_string", long + long, long, long), 19],
    ["a concatenation of lists", costOf("_+_", "add_list", words, words, words), 1],
    ["a traversal of a list", costOf("isSorted", "list_string_is_sorted_bool", true, words), 0],
    ["a search for an item", costOf("indexOf", "list_a_index_of_int", 0n, new CelArray([1n, 2n, 3n]), 1n), 3],
    ["a join, by its result", costOf("join", "list_join", "a,bb,ccc", words), 2],
    ["a set in another", costOf("sets.contains", "list_sets_contains_list", true, words, words), 10],
    ["the same set", costOf("sets.equivalent", "list_sets_equivalent_list", true, words, words), 19],
    ["a sorted list of texts", costOf("sort", "list_string_sort", words, words), 29],
    ["a list without duplicates", costOf("distinct", "list_distinct", words, new CelArray([1n, 2n])), 19],
    ["a slice, by its result", costOf("slice", "list_slice", new CelArray([1n]), words, 0n, 1n), 12],
    ["a flat list", costOf("flatten", "list_flatten_int", words, words, 2n), 17],
  ])("of %s", (_, cost, expected) => {
    expect(cost).toBe(expected);
  });

  it("counts characters, not the units of JavaScript's strings", () => {
    expect(costOf("startsWith", "starts_with_string", true, "😀".repeat(20), "x")).toBe(2);
  });
});
