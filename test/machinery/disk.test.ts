import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { createDiskReader } from "../../src/machinery/disk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("reads a file once, so that all reads of one command return the same", () => {
  const root = temporaryFolder({ "a/b.txt": "before" });
  const reader = createDiskReader(root);
  expect([reader.read("a/b.txt"), reader.read("none"), reader.read("a")]).toEqual(["before", undefined, undefined]);
  writeFileSync(path.join(root, "a/b.txt"), "after");
  writeFileSync(path.join(root, "none"), "some");
  expect([reader.read("a/b.txt"), reader.read("none")]).toEqual(["before", undefined]);
  expect(createDiskReader(root).read("a/b.txt")).toBe("after");
});
