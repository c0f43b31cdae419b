import { expect, it } from "vitest";

import { jsonPathProblem } from "../../../../../src/resources/built-in/rules/checks/json-path-problem.ts";

it.each([
  "{spec.validations[0].expression}",
  "{.a['b.c'].d}{.e}",
  "{..a[*].b[-1:]}",
  "{.a[?(@.b == 'c)')].d}",
  "{.a[0,1]}",
  "{.a\\.b}",
  "text",
  "{true}",
  "{1.5}",
])("reads %s", (template) => {
  expect(jsonPathProblem(template)).toBeUndefined();
});

it.each([
  ["{.a", "unclosed action"],
  ["{*}", "unrecognized character in action: U+002A '*'"],
  ["{-a}", "cannot parse number -"],
  ["{1.2.3}", "cannot parse number 1.2.3"],
  ["{.a[}", "unterminated array"],
  ["{.a[b]}", "invalid array index b"],
  ["{.a[-]}", "array index - is not a number"],
  ["{.a[0,b]}", "invalid array index b"],
  ["{.a[?(@.b]}", "unterminated filter"],
  ["{.a[?(@.b)}", "unclosed array expect ]"],
  ["{.a[?(@.b == *)]}", "unrecognized character in action: U+002A '*'"],
  ["{'a}", "unterminated quoted string"],
  ["{....a}", "invalid multiple recursive descent"],
])("says why it cannot read %s", (template, problem) => {
  expect(jsonPathProblem(template)).toBe(problem);
});
