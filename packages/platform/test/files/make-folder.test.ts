import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { makeFolder } from "../../src/files/make-folder.ts";

function temporaryFolder(): string {
  const root = mkdtempSync(path.join(tmpdir(), "make-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

it("creates missing parents with the mode, returns what it created, and keeps what exists", () => {
  const root = temporaryFolder();
  const folder = path.join(root, "a", "b");
  expect(makeFolder(folder, 0o700)).toEqual([path.join(root, "a"), folder]);
  expect(makeFolder(folder)).toEqual([]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(root, "a")).mode & 0o777).toBe(0o700);
});

it("takes a link to a folder for one", () => {
  const root = temporaryFolder();
  symlinkSync(".", path.join(root, "link"));
  expect(makeFolder(path.join(root, "link"))).toEqual([]);
});

it("fails for a file, below a file, and for a link that leads nowhere", () => {
  const root = temporaryFolder();
  writeFileSync(path.join(root, "file"), "");
  symlinkSync("nowhere", path.join(root, "dangling"));
  expect(() => makeFolder(path.join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(path.join(root, "file", "below", "it"))).toThrow("ENOTDIR");
  expect(() => makeFolder(path.join(root, "dangling", "below"))).toThrow("EEXIST");
});

it.runIf(existsSync("/proc/self"))("fails where the file system creates nothing", () => {
  expect(() => makeFolder("/proc/made")).toThrow("ENOENT");
  expect(() => makeFolder("/proc/made/here")).toThrow("ENOENT");
});
