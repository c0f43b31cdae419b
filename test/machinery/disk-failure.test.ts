import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { fileFailure } from "../../src/machinery/disk-failure.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function failureOf(call: (root: string) => unknown): unknown {
  const root = temporaryFolder({ file: "", "folder/file": "" });
  try {
    call(root);
  } catch (error) {
    return fileFailure(error);
  }
  return undefined;
}

it.each<readonly [string, (root: string) => unknown, RegExp]>([
  ["a folder", (root) => mkdirSync(path.join(root, "folder")), /^cannot use .*folder: it already exists \(EEXIST\)$/u],
  [
    "a file",
    (root) => writeFileSync(path.join(root, "file"), "", { flag: "wx" }),
    /^cannot use .*file: it already exists \(EEXIST\)$/u,
  ],
  [
    "a file below a file",
    (root) => readFileSync(path.join(root, "file", "file")),
    /^cannot use .*file: a file is in the place of a folder \(ENOTDIR\)$/u,
  ],
  [
    "a folder as a file",
    (root) => writeFileSync(path.join(root, "folder"), ""),
    /^cannot use .*folder: a folder is in its place \(EISDIR\)$/u,
  ],
])("explains why a command cannot use %s", (_, call, message) => {
  expect(failureOf(call)).toMatchObject({ code: "SCAFFOLD_DISK", message: expect.stringMatching(message) });
});
