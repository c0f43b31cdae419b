import { expect, it } from "vitest";

import { isSkippedDirectory } from "../../src/loader/list-packages.ts";

it("libraries, output and hidden folders are omitted, and nothing else", () => {
  expect(["node_modules", "dist", ".git", "api", "distance"].filter((name) => isSkippedDirectory(name))).toEqual([
    "node_modules",
    "dist",
    ".git",
  ]);
});
