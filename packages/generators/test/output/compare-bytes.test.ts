import fc from "fast-check";
import { expect, it } from "vitest";

import { compareBytes } from "../../src/output/compare-bytes.ts";

it("puts a sign of two code units behind all others, as bytes do", () => {
  expect(["\u{1F600}", "\uFF21", "a", "", "ab"].toSorted(compareBytes)).toEqual(["", "a", "ab", "\uFF21", "\u{1F600}"]);
});

it("agrees with the bytes of any texts", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "-", "\u00e9", "\uFF21", "\uE000", "\u{1F600}", "\uD800"),
    maxLength: 6,
  });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareBytes(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
    { numRuns: 1000 },
  );
});
