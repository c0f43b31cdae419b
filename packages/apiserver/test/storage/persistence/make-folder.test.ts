import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { makeFolder } from "../../../src/storage/persistence/make-folder.ts";

const root = mkdtempSync(path.join(tmpdir(), "make-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("creating a folder", () => {
  it("creates its parents, with the mode, and keeps what exists", () => {
    const folder = path.join(root, "a/b/c");
    makeFolder(folder, 0o700);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(root, "a")).mode & 0o777).toBe(0o700);
  });

  it.runIf(existsSync("/proc/self"))("fails where the file system creates none", () => {
    expect(() => makeFolder("/proc/nothing")).toThrow("ENOENT");
    expect(() => makeFolder("/proc/nothing/below")).toThrow("ENOENT");
  });

  it("fails where a file is in the way", () => {
    const file = path.join(root, "file");
    writeFileSync(file, "");
    expect(() => makeFolder(file)).toThrow("EEXIST");
    expect(() => makeFolder(path.join(file, "below/it"))).toThrow("ENOTDIR");
  });
});
