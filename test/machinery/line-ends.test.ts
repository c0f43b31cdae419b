import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { withLineEndsOf, withLineFeeds } from "../../src/machinery/file-tree.ts";

const text = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "c", "", "d e"), fc.constantFrom("\n", "\r\n")), { maxLength: 12 })
  .map((lines) => lines.flat().join(""));
const tail = fc.constantFrom("", "end");

describe("line ends", () => {
  it.each([
    ["all CRLF", "a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"],
    ["all LF", "a\nb\n", "a\nnew\nb\n", "a\nnew\nb\n"],
    ["mixed", "a\r\nb\nc\r\nd\n", "a\nnew\nb\nc\nother\nd\n", "a\r\nnew\r\nb\nc\r\nother\r\nd\n"],
    ["none at the end", "a\r\nb", "a\nb\nc", "a\r\nb\r\nc"],
    ["a file that gets a last line end", "a\r\nb", "a\nb\n", "a\r\nb\r\n"],
  ])("stay as they are: %s", (_, previous, changed, expected) => {
    expect(withLineEndsOf(previous, changed)).toBe(expected);
  });

  it("are not changed in a file that is not changed, whatever they are", () => {
    fc.assert(
      fc.property(text, tail, (lines, last) => {
        const previous = lines + last;
        expect(withLineEndsOf(previous, withLineFeeds(previous))).toBe(previous);
      }),
    );
  });

  it("are all that differs from what was to be written", () => {
    fc.assert(
      fc.property(text, text, tail, (previous, lines, last) => {
        const wanted = withLineFeeds(lines + last);
        expect(withLineFeeds(withLineEndsOf(previous, wanted))).toBe(wanted);
      }),
    );
  });
});
