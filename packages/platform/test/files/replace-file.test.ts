import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { replaceFile, writePrivateFile } from "../../src/files/replace-file.ts";

test("a file with credentials is readable by its owner alone", async () => {
  const file = path.join(temporaryFolder(), "kubeconfig");
  await writePrivateFile(file, "new\n");
  expect({ text: readFileSync(file, "utf8"), mode: modeOf(file) }).toEqual({ text: "new\n", mode: 0o600 });
});

test("a file that others could read is so no longer when it is written again", async () => {
  const file = path.join(temporaryFolder(), "kubeconfig");
  writeFileSync(file, "old\n", { mode: 0o644 });
  await writePrivateFile(file, "new\n");
  expect({ text: readFileSync(file, "utf8"), mode: modeOf(file) }).toEqual({ text: "new\n", mode: 0o600 });
});

test("a symbolic link is replaced, and what it leads to stays as it is", async () => {
  const folder = temporaryFolder();
  const [file, target] = [path.join(folder, "kubeconfig"), path.join(folder, "target")];
  writeFileSync(target, "kept\n");
  symlinkSync(target, file);
  await writePrivateFile(file, "new\n");
  expect([readFileSync(file, "utf8"), readFileSync(target, "utf8")]).toEqual(["new\n", "kept\n"]);
});

test("a write that fails leaves the file as it was, and nothing beside it", async () => {
  const folder = temporaryFolder();
  await expect(writePrivateFile(path.join(folder, "no/kubeconfig"), "new\n")).rejects.toMatchObject({ code: "ENOENT" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a file is replaced with the permissions that are given", async () => {
  const file = path.join(temporaryFolder(), "program");
  writeFileSync(file, "old\n", { mode: 0o600 });
  await replaceFile(file, "new\n", { mode: 0o755, isSynced: true });
  expect([readFileSync(file, "utf8"), modeOf(file) & 0o700]).toEqual(["new\n", 0o700]);
  expect(readdirSync(path.dirname(file))).toEqual(["program"]);
});

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
