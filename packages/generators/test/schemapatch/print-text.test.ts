import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { printText } from "../../src/schemapatch/print-tree.ts";

describe("printing a text of YAML", () => {
  it.each([
    ["word", "word"],
    ["true", '"true"'],
    ["12", '"12"'],
    ["", '""'],
    ["yes", "yes"],
    ["a: b", "'a: b'"],
    ["it's # not", "'it''s # not'"],
    ["tab\there", '"tab\\there"'],
    ["🎉", '"\\U0001F389"'],
    ["two\nlines", "|-\ntwo\nlines"],
    ["end\n", "|\nend"],
    [" first\n", "|2\n first"],
  ])("chooses for %j the form %j", (text, expected) => {
    expect(printText(text, "free")).toBe(expected);
  });

  it("keeps the style a text has, where that can hold it", () => {
    expect(printText("a", "single-quoted")).toBe("'a'");
    expect(printText("a", "double-quoted")).toBe('"a"');
    expect(printText("\u0007", "single-quoted")).toBe('"\\a"');
    expect(printText("a ", "literal")).toBe('"a "');
  });

  it("writes no block between brackets, and quotes what means something there", () => {
    expect(printText("two\nlines", "literal", true)).toBe('"two\\nlines"');
    expect(printText("a,b", "plain", true)).toBe("'a,b'");
  });

  it("writes every text so that it reads as itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 12 }), fc.boolean(), (text, isInFlow) => {
        const [first = "", ...rest] = printText(text, "free", isInFlow).split("\n");
        const block = [`a: ${first}`, ...rest.map((line) => (line === "" ? "" : `    ${line}`))].join("\n");
        const read = parse(isInFlow ? `{a: ${first}}` : `${block}\n`) as { readonly a: unknown };
        expect(read.a).toBe(text);
      }),
    );
  });
});
