import { describe, expect, it } from "vitest";

import { JoinedText, wholeText } from "../../src/request/joined-text.ts";

const ITEMS = ["plain", "", "\u00fc\u20ac\u{1f600}\u{1f600}", "x".repeat(50)];
const WHOLE = `[${ITEMS.join(", ")}]\n`;

function joined(items: readonly string[] = ITEMS): JoinedText {
  return new JoinedText({ open: "[", items, separator: ", ", close: "]\n" });
}

describe("a joined text", () => {
  it("is its items between separators", () => {
    expect(String(joined())).toBe(WHOLE);
    expect(String(joined([]))).toBe("[]\n");
    expect(joined([]).byteLength).toBe(3);
  });

  it("counts its bytes in UTF-8", () => {
    expect(joined().byteLength).toBe(Buffer.byteLength(WHOLE));
  });

  it("takes the bytes of its items from who counted them", () => {
    const text = new JoinedText({ open: "[", items: ["a", "b"], separator: ",", close: "]", countItemBytes: () => 2 });
    expect(text.byteLength).toBe(5);
  });

  // Limits of pieces fall on each byte of the characters with several bytes.
  it.each([4, 5, 6, 7, 8, 9, 10, 64, 1000])("is encoded in pieces of at most %d bytes", (bytes) => {
    const pieces: Buffer[] = [];
    for (const piece of joined().pieces(Buffer.alloc(bytes))) pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).toString()).toBe(WHOLE);
    expect(pieces.every(({ length }) => length > 0 && length <= bytes)).toBe(true);
  });

  it("is one piece in a buffer of its length", () => {
    const text = joined();
    const pieces = [...text.pieces(Buffer.alloc(text.byteLength))];
    expect(pieces.map(String)).toEqual([WHOLE]);
  });
});

describe("wholeText", () => {
  it("returns texts, and nothing for other bodies", () => {
    expect([wholeText("a"), wholeText(joined(["a"])), wholeText(Buffer.from("a"))]).toEqual(["a", "[a]\n", undefined]);
  });
});
