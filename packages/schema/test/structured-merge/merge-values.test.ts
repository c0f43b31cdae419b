import type { JSONValue } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { mergeValues } from "../../src/structured-merge/merge-values.ts";
import { SCHEMA } from "./schema.ts";

const NAMES: readonly (readonly [live: string, applied: string, merged: string])[] = [
  ["", "a b", "a b"],
  ["a b", "", "a b"],
  ["a b c", "b", "a b c"],
  ["a b c", "c a", "b c a"],
  ["a b c", "x b", "a x b c"],
  ["a b c", "x y", "a b c x y"],
  ["a b c d", "d x a", "b c d x a"],
];

describe("merging what is applied", () => {
  it.each([
    ["a scalar is replaced", { size: 1 }, { size: 2 }, { size: 2 }],
    ["maps are merged by name", { labels: { a: "1" } }, { labels: { b: "2" } }, { labels: { a: "1", b: "2" } }],
    ["a list without a type is replaced", { words: ["a"] }, { words: ["b"] }, { words: ["b"] }],
    ["an atomic object is replaced", { whole: { a: "1" } }, { whole: { b: "2" } }, { whole: { b: "2" } }],
    [
      "free objects are merged",
      { free: { a: { b: 1 } } },
      { free: { a: { c: [2] } } },
      { free: { a: { b: 1, c: [2] } } },
    ],
    [
      "elements are merged by their keys, defaults of keys filled in",
      { ports: [{ name: "x", number: 1 }, { name: "y" }] },
      {
        ports: [
          { name: "x", protocol: "TCP" },
          { name: "x", protocol: "UDP" },
        ],
      },
      { ports: [{ name: "x", number: 1, protocol: "TCP" }, { name: "y" }, { name: "x", protocol: "UDP" }] },
    ],
  ] as readonly (readonly [string, JSONValue, JSONValue, JSONValue])[])("%s", (_name, live, applied, merged) => {
    expect(mergeValues({ spec: live }, { spec: applied }, { schema: SCHEMA })).toEqual({ spec: merged });
  });

  it.each(NAMES)("a set %j with %j applied is %j", (live, applied, merged) => {
    const of = (text: string): JSONValue => ({ spec: { names: text.split(" ").filter(Boolean) } });
    expect(mergeValues(of(live), of(applied), { schema: SCHEMA })).toEqual(of(merged));
  });
});
