import { describe, expect, it } from "vitest";

import { commentLines, isReadable } from "../../src/importer/comment-block.ts";

describe("comment blocks", () => {
  it("take one line where they can", () => {
    expect(commentLines({ description: "Short.", markers: [], indent: "  " })).toEqual(["  /** Short. */"]);
    expect(commentLines({ description: "", markers: ["+nullable"], indent: "" })).toEqual(["/** +nullable */"]);
    expect(commentLines({ description: "", markers: [], indent: "" })).toEqual([]);
  });

  it("hold the text as it stands, then the markers", () => {
    expect(commentLines({ description: "One.\n\n  two", markers: ["+nullable"], indent: " " })).toEqual([
      " /**",
      "  * One.",
      "  *",
      "  *   two",
      "  * +nullable",
      "  */",
    ]);
  });

  it("escape what would end them, in texts and markers", () => {
    const lines = commentLines({ description: "a */ b", markers: ["+kubebuilder:default=`*/`"], indent: "" });
    expect(lines.slice(1, -1)).toEqual([" * a *\\/ b", " * +kubebuilder:default=`*\\/`"]);
  });

  it("hide lines that would be read as something else", () => {
    const lines = commentLines({ description: "+optional\n @tag\r\nx\u0000y\n", markers: [], indent: "" });
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
