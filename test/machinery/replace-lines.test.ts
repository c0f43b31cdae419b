import { describe, expect, it } from "vitest";

import { replaceLines } from "../../src/machinery/replace-lines.ts";

describe("putting lines in the place of others", () => {
  it("keeps their indentation and the line ends of the file", () => {
    expect(replaceLines("a\r\n    b('x')\r\n    c;\r\n", "a.ts", ['b("x");', "c"], ["d;", "  e;"])).toBe(
      "a\r\n    d;\r\n      e;\r\n",
    );
  });

  it("changes nothing where they are not", () => {
    expect(replaceLines("a\nb\n", "a.ts", ["b", "c"], ["d"])).toBeUndefined();
  });
});
