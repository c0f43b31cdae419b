import { describe, expect, it } from "vitest";

import { issueText } from "../../../src/cel/rules/compile-rule.ts";

const issue = (line: number, column: number): { message: string; line: number; column: number; offset: number } => ({
  message: "wrong",
  line,
  column,
  offset: 0,
});

describe("the reasons why an expression is rejected", () => {
  it("point below the line", () => {
    expect(issueText("a\nbcd", [issue(2, 3)])).toBe("ERROR: <input>:2:3: wrong\n | bcd\n | ..^");
  });

  it("come one after the other", () => {
    expect(issueText("ab", [issue(1, 1), issue(1, 2)])).toBe(
      "ERROR: <input>:1:1: wrong\n | ab\n | ^\nERROR: <input>:1:2: wrong\n | ab\n | .^",
    );
  });

  it("use wide marks below wide characters, and blanks for tabs", () => {
    expect(issueText("\té\té", [issue(1, 4)])).toBe("ERROR: <input>:1:4: wrong\n |  é é\n | .．.＾");
  });

  it("show no line that is very long, and a hundred at most", () => {
    expect(issueText("x".repeat(20_000), [issue(1, 1)])).toBe("ERROR: <input>:1:1: wrong");
    expect(
      issueText(
        "x",
        Array.from({ length: 103 }, () => issue(1, 1)),
      ),
    ).toMatch(/\n3 more errors were truncated$/);
  });
});
