import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { mergeTexts } from "../../src/machinery/merge-texts.ts";

const BASE = "a\nb\nc\nd\ne\nf\n";

describe("merging two changes of a text", () => {
  it.for([
    ["lines of both sides", "A\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n", "A\nb\nc\nd\nE\nf\n"],
    ["what one side added and the other removed", "a\nx\nb\nc\nd\ne\nf\n", "a\nb\nc\nf\n", "a\nx\nb\nc\nf\n"],
    ["a change that both made", "a\nX\nc\nd\ne\nf\n", "a\nX\nc\nd\ne\nf\n", "a\nX\nc\nd\ne\nf\n"],
    [
      "line ends of the left side",
      "A\r\nb\r\nc\r\nd\r\ne\r\nf\r\n",
      "a\nb\nc\nd\nE\nf\n",
      "A\r\nb\r\nc\r\nd\r\nE\r\nf\r\n",
    ],
    ["nothing where both wrote other lines", "a\nX\nc\nd\ne\nf\n", "a\nY\nc\nd\ne\nf\n", undefined],
    ["nothing where both wrote lines next to each other", "a\nX\nc\nd\ne\nf\n", "a\nb\nY\nd\ne\nf\n", undefined],
    ["nothing where both added other lines in one place", "a\nX\nb\nc\nd\ne\nf\n", "a\nY\nb\nc\nd\ne\nf\n", undefined],
    [
      "nothing where one side takes a line away and the other leaves it empty",
      "b\nc\nd\ne\nf\n",
      "\nb\nc\nd\ne\nf\n",
      undefined,
    ],
  ] as const)("gives %s", ([, left, right, merged]) => {
    expect(mergeTexts(BASE, left, right)).toBe(merged);
  });

  it("gives one side where the other changed nothing, and the same from either side", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, text, (base, left, right) => {
        expect(mergeTexts(base, left, base)).toBe(left);
        expect(mergeTexts(base, base, right)).toBe(right);
        expect(mergeTexts(base, left, right)).toBe(mergeTexts(base, right, left));
      }),
    );
  });
});
