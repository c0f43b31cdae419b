import { describe, expect, it } from "vitest";

import { headerProblem, yamlHeaderProblem } from "../../src/typescript/header-comment.ts";

describe("the text at the top of source files", () => {
  it.each([
    "",
    "\n",
    "/* one */",
    "\n/*\nCopyright 2026 Acme.\n\n * ` ${x} // \n*/\n",
    "// one",
    "// one\n// two\n",
    "// one\r\n  // two\r\n",
    "/** a document */",
    "/***/",
    "/**/",
  ])("may be %j", (text) => {
    expect(headerProblem(text)).toBeUndefined();
  });

  it.each([
    ["/* x */ evil() /* */", 1, 9],
    ["/* x */\nevil();\n/* y */", 2, 1],
    ["/* x */ /* y */", 1, 9],
    ["/* x */ // y", 1, 9],
    ["/* x", 1, 1],
    ["/*/", 1, 1],
    ["evil()", 1, 1],
    ["#!/usr/bin/env node", 1, 1],
    ["// one\nevil()", 2, 1],
    ["// one\revil()", 2, 1],
    ["// one\u2028evil()", 2, 1],
    ["// one\u2029  evil()", 2, 3],
    ["// one\n\n// two", 2, 1],
    ["// one\n/* two */", 2, 1],
    ["package main", 1, 1],
    ["`/* */`", 1, 1],
  ])("cannot be %j", (text, line, column) => {
    expect(headerProblem(text)).toMatchObject({ line, column });
  });
});

describe("the text at the top of YAML files", () => {
  it.each(["", "# one\n", "\n  # two\n# three\n"])("may be %j", (text) => {
    expect(yamlHeaderProblem(text)).toBeUndefined();
  });

  it.each([
    ["# one\nkind: Evil\n", 2, 1],
    ["---\n", 1, 1],
    ["# one\rkind: Evil", 2, 1],
    ["# one\u0085  kind: Evil", 2, 3],
  ])("cannot be %j", (text, line, column) => {
    expect(yamlHeaderProblem(text)).toMatchObject({ line, column });
  });
});
