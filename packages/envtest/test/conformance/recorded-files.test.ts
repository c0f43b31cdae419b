import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { defaultRelease } from "../../../apiserver/src/release/release.ts";
import { readRecorded, writeRecorded } from "./recorded-files.ts";
import { RECORDED_MINOR } from "./selected-release.ts";

const OTHER = defaultRelease.minor;

describe("recorded files", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-recorded-"));
    writeRecorded(folder, "a.json", "common", RECORDED_MINOR);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const filesOf = (): readonly string[] => readdirSync(folder, { recursive: true }).map(String).toSorted();

  it("are common to versions with the same text", () => {
    writeRecorded(folder, "a.json", "common", OTHER);
    expect([filesOf(), readRecorded(folder, "a.json", OTHER)]).toEqual([["a.json"], "common"]);
  });

  it("are those of a version whose text differs, until it no longer does", () => {
    writeRecorded(folder, "a.json", "another", OTHER);
    expect(["1.34", OTHER].map((minor) => readRecorded(folder, "a.json", minor))).toEqual(["common", "another"]);
    writeRecorded(folder, "a.json", "common", OTHER);
    expect(readRecorded(folder, "a.json", OTHER)).toBe("common");
  });
});
