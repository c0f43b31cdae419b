import { expect, it } from "vitest";

import { checkerOf } from "../../src/formats/string-formats.ts";

it("dashes in the name of a format do not count", () => {
  expect(checkerOf("date-time")).toBe(checkerOf("datetime"));
});

it("formats of numbers and made-up ones have no check", () => {
  expect(["int32", "int64", "float", "double", "bogus", "", "constructor"].map((format) => checkerOf(format))).toEqual(
    Array.from({ length: 7 }, () => undefined),
  );
});
