import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const OTHER = "create api --group webapp --version v1 --kind Other --make=false";

async function project(): Promise<string> {
  const root = path.join(temporaryFolder({ "project/.keep": "" }), "project");
  await runCommands(root, INIT, CREATE_API);
  return root;
}

function editProject(root: string, change: (text: string) => string | Buffer): void {
  const file = path.join(root, "PROJECT");
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

describe("a PROJECT that is odd", () => {
  it.each([
    [
      "of two documents",
      (text: string) => `${text}---\na: 1\n`,
      "PROJECT:25:1: the file contains more than one document",
    ],
    ["in another encoding", (text: string) => Buffer.from(`${text}x: caf\u00e9\n`, "latin1"), "it is not valid UTF-8"],
    ["without anything", () => "", "PROJECT:1:1: the file is empty"],
    ["with a key twice", (text: string) => `${text}domain: b\n`, "PROJECT:25:1: map keys must be unique"],
    [
      "that leads elsewhere",
      (text: string) => text.replace("version: v1", "version: ../../../../x"),
      'PROJECT:23:3: resources.0.version "../../../../x" is not a version',
    ],
  ])("%s is refused, and nothing is written", async (_, change, message) => {
    const root = await project();
    editProject(root, change);
    const before = readFiles(path.dirname(root));
    for (const line of [OTHER, "alpha generate --force --yes --make=false"]) {
      const { status, stderr } = await runCommand(root, line);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
    }
    expect(readFiles(path.dirname(root))).toEqual(before);
  });

  it("keeps its byte order mark", async () => {
    const root = await project();
    editProject(root, (text) => `\uFEFF${text}`);
    const before = readFiles(root);
    await runCommands(root, OTHER);
    expect(readFileSync(path.join(root, "PROJECT"), "utf8")).toMatch(/^\uFEFF# Written/u);
    await runCommands(root, "delete api --group webapp --version v1 --kind Other --make=false");
    expect(readFiles(root)).toEqual(before);
  });

  it.runIf(process.platform !== "win32")("that is a pipe is not waited for", async () => {
    const root = await project();
    rmSync(path.join(root, "PROJECT"));
    execFileSync("mkfifo", [path.join(root, "PROJECT")]);
    expect(await runCommand(root, OTHER)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("SCAFFOLD_NOT_A_REGULAR_FILE"),
    });
  });

  it("that is a dangling link is distinguished from a missing one", async () => {
    const root = await project();
    rmSync(path.join(root, "PROJECT"));
    symlinkSync("nowhere", path.join(root, "PROJECT"));
    expect(await runCommand(root, OTHER)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot use PROJECT: it is a dangling symbolic link"),
    });
  });
});

describe("the folder of a project's state", () => {
  it("may have another file in place of the journal, which is reported", async () => {
    const root = await project();
    writeFiles(root, { ".kubescaffold/journal": "" });
    expect(await runCommand(root, OTHER)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot use .kubescaffold/journal as a folder: it is a file"),
    });
  });
});

describe("a list that is empty", () => {
  it.each([
    "edit --plugins=",
    "edit --plugins=,",
    `${OTHER} --plugins=`,
    "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke=",
  ])("is refused: %s", async (line) => {
    const { status, stderr } = await runCommand(await project(), line);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("is present but empty [CLI_INVALID_FLAG]"),
    });
  });
});
