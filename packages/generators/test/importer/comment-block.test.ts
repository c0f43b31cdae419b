import { describe, expect, it } from "vitest";

import { commentLines, isReadable } from "../../src/importer/comment-block.ts";

describe("comment blocks", () => {
  it("take one line where they can", () => {
    expect(commentLines("Short.", [], "  ")).toEqual(["  /** Short. */"]);
    expect(commentLines("", ["+nullable"], "")).toEqual(["/** +nullable */"]);
    expect(commentLines("", [], "")).toEqual([]);
  });

  it("hold the text as it stands, then the markers", () => {
    expect(commentLines("One.\n\n  two", ["+nullable"], " ")).toEqual([
      " /**",
      "  * One.",
      "  *",
      "  *   two",
      "  * +nullable",
      "  */",
    ]);
  });

  it("escape what would end them, in texts and markers", () => {
    const lines = commentLines("a */ b", ["+kubebuilder:default=`*/`"], "");
    expect(lines.slice(1, -1)).toEqual([" * a *\\/ b", " * +kubebuilder:default=`*\\/`"]);
  });

  it("hide lines that would be read as something else", () => {
    const lines = commentLines("+optional\n @tag\r\nx\u0000y\n", [], "");
    expect(lines.slice(1, -1)).toEqual([" * \\+optional", " *  \\@tag", " * x y"]);
  });
});

describe("a text", () => {
  it.each(["plain", "a\n\nb", "ends */ here", "mail@example.com", "say TODO", "a --- b", "```\n@x\n```"])(
    "can be read back: %j",
    (text) => expect(isReadable(text)).toBe(true),
  );

  it.each(["x ", "x\n", "a\n\n\nb", "+x", "@x", "TODO x", "---", "*\\/", "a\rb", "\u0000", "{@link x}", "\ud800"])(
    "cannot be read back: %j",
    (text) => expect(isReadable(text)).toBe(false),
  );
});
