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
  "{.a[0, 1]}",
  "{.a[?(@.b=)].c}",
  String.raw`{"\u00e9\x41\101\"'"}`,
  String.raw`{'it\'s'}`,
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
  ["{.a[?(@.b==)].c}", "unrecognized character in action: U+003D '='"],
  ["{\t}", "unrecognized character in action: U+0009"],
  ["{\u{1F4A5}}", "unrecognized character in action: U+1F4A5 '\u{1F4A5}'"],
  ["{1\u0663}", "cannot parse number 1\u0663"],
  ["{.a[0\t,1]}", "invalid array index 0\t"],
  ["{.a[9223372036854775808]}", "array index 9223372036854775808 is not a number"],
  [String.raw`{"a\."}`, String.raw`unquote string "a\." error invalid syntax`],
  [String.raw`{"\ud800"}`, String.raw`unquote string "\ud800" error invalid syntax`],
  ["{....a}", "invalid multiple recursive descent"],
])("says why it cannot read %s", (template, problem) => {
  expect(jsonPathProblem(template)).toBe(problem);
});
