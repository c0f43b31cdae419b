import { expect, it } from "vitest";

import { randomString, safeEncodeString } from "../src/random-string.ts";

it("a random string has its length, and only letters of the alphabet", () => {
  for (let run = 0; run < 100; run += 1) expect(randomString(10)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/u);
  expect(randomString(0)).toBe("");
});

it("a random string uses the whole alphabet, up to its last letter", () => {
  expect(randomString(2, () => 0)).toBe("bb");
  expect(randomString(2, () => 1 - Number.EPSILON)).toBe("99");
});

// Upstream's function returns these.
it.each([
  ["", ""],
  ["1234567890", "56789bcdf4"],
  ["abcdef", "vwxz24"],
])("a text is spelled like upstream: %s", (text, expected) => {
  expect(safeEncodeString(text)).toBe(expected);
});
