import { expect, it } from "vitest";

import { commitText } from "../../../../src/cli/commands/version/version.ts";

const HASH = "8ab21f5c0de0123456789abcdef0123456789abc";
const date = "2026-11-22T10:34:05Z";

it.each([
  [HASH, "commit 8ab21f5c0de0 of 2026-11-22T10:34:05Z"],
  [`${HASH}-dirty`, "commit 8ab21f5c0de0-dirty of 2026-11-22T10:34:05Z"],
])("cuts the commit %s short for people", (commit, text) => {
  expect(commitText({ commit, date })).toBe(text);
});

it("says of a program that no clone made that its commit is unknown", () => {
  expect(commitText({ commit: "unknown", date: "unknown" })).toBe("commit unknown");
});
