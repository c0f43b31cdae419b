import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { makeFolder } from "../../src/cache/make-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("creates missing parents, and returns what it created", () => {
  const root = temporaryFolder();
  const folder = path.join(root, "a", "b");
  expect(makeFolder(folder)).toEqual([path.join(root, "a"), folder]);
  expect(existsSync(folder)).toBe(true);
  expect(makeFolder(folder)).toEqual([]);
});

it("takes a link to a folder for one", () => {
  const root = temporaryFolder();
  symlinkSync(".", path.join(root, "link"));
  expect(makeFolder(path.join(root, "link"))).toEqual([]);
});

it("fails for a file, and for a link that leads nowhere", () => {
  const root = temporaryFolder();
  writeFileSync(path.join(root, "file"), "");
  symlinkSync("nowhere", path.join(root, "dangling"));
  expect(() => makeFolder(path.join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(path.join(root, "dangling", "below"))).toThrow("EEXIST");
});

it.runIf(process.platform === "linux")("fails where the file system creates nothing", () => {
  expect(() => makeFolder("/proc/made/here")).toThrow("ENOENT");
});
