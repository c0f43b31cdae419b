import { expect, it } from "vitest";

import { parseJsonPath } from "../../src/definition-paths/json-path.ts";

const member = (name: string) => ({ kind: "member", name });
const selection = (text: string) => ({ kind: "selection", text });

it.each([
  [".spec.replicas", [member("spec"), member("replicas")]],
  [".a['b.c']", [member("a"), member("b.c")]],
  ['.a["b.c"]', [member("a"), member("b.c")]],
  [String.raw`.a.example\.com/b`, [member("a"), member("example.com/b")]],
  [".list[0].name", [member("list"), selection("0"), member("name")]],
  [".list[*]", [member("list"), selection("*")]],
  [".list.*", [member("list"), selection("*")]],
  ['.list[?(@.name=="a[0]")].size', [member("list"), selection('?(@.name=="a[0]")'), member("size")]],
])("%s has its steps", (path, steps) => {
  expect(parseJsonPath(path)).toEqual(steps);
});

it.each(["", "..name", "spec.a", ".list[0", ".a."])("%j is not split", (path) => {
  expect(parseJsonPath(path)).toBeUndefined();
});
