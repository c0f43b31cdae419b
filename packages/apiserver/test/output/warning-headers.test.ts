import { describe, expect, it } from "vitest";

import { warningHeaders } from "../../src/output/write-response.ts";

describe("warningHeaders", () => {
  it("quotes each text once", () => {
    expect(warningHeaders(["a", String.raw`say "b" \ c`, "a", ""])).toEqual([
      '299 - "a"',
      String.raw`299 - "say \"b\" \\ c"`,
    ]);
  });

  it("leaves out texts with control characters, which could end the header", () => {
    expect(warningHeaders(["a\r\nSet-Cookie: b", "c\u0085", "d"])).toEqual(['299 - "d"']);
  });

  it("cuts texts beyond 4096 characters in all to 256 each, without halving a character", () => {
    const long = "\u{1f600}".repeat(4000);
    expect(warningHeaders([long])).toEqual([`299 - "${long}"`]);
    expect(warningHeaders([long, "b".repeat(200)])).toEqual([
      `299 - "${"\u{1f600}".repeat(256)}"`,
      `299 - "${"b".repeat(200)}"`,
    ]);
  });

  it("leaves out what is beyond 4096 characters even then", () => {
    const texts = Array.from({ length: 100 }, (_, index) => String(index).padStart(300, "x"));
    expect(warningHeaders(texts)).toHaveLength(16);
  });
});
