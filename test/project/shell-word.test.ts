import { expect, it } from "vitest";

import { gvkFlags, shellWord } from "../../src/project/shell-word.ts";

it("quotes words that a shell would change or lose", () => {
  expect(["web", "a b", "", "it's", "$x", "a,b=c"].map((each) => shellWord(each))).toEqual([
    "web",
    "'a b'",
    "''",
    String.raw`'it'\''s'`,
    "'$x'",
    "a,b=c",
  ]);
});

it("names a kind of the domain alone with an empty group", () => {
  expect(gvkFlags({ version: "v1", kind: "Page" })).toBe("--group '' --version v1 --kind Page");
});
