import { expect, test } from "vitest";

import { escapePropertyName, unescapePropertyName } from "../../../src/cel/values/property-names.ts";

test("names are escaped as apiextensions does", () => {
  const names = ["plain", "a-b", "a.b", "a/b", "a__b", "namespace", "self", "_a", "a$b", "1a", ""];
  expect(names.map((name) => escapePropertyName(name))).toEqual([
    "plain",
    "a__dash__b",
    "a__dot__b",
    "a__slash__b",
    "a__underscores__b",
    "__namespace__",
    "self",
    "_a",
    undefined,
    undefined,
    undefined,
  ]);
});

test("an escape that stands for nothing makes the whole name one that is not there", () => {
  const names = ["a__dash__b", "__if__", "a__if__", "a__what__b", "a__b"];
  expect(names.map((name) => unescapePropertyName(name))).toEqual(["a-b", "if", undefined, undefined, "a__b"]);
});
