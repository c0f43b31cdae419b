import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { contentHash, printManifest } from "../../../src/machinery/commit/journal-manifest.ts";
import { acquireLock } from "../../../src/machinery/commit/project-lock.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const ENTRIES = ["made.txt", "more.txt"].map((file, index) => ({
  path: file,
  content: `${index}.new`,
  before: null,
  after: contentHash("made\n"),
}));

const RECOVERED = { outcome: "completed", command: "scaffold create api", files: ["made.txt", "more.txt"] };

describe("the files of an interrupted command", () => {
  it.each([
    "edit --multigroup",
    "manifests",
    "generate",
    "delete api --group webapp --version v1 --kind Guestbook --make=false",
    "doctor --fix",
    "gen webhook paths=./hack/... output:none",
  ])("are named by %s", async (line) => {
    const root = await interrupted();
    const { stderr } = await runCommand(root, line);
    expect(stderr).toContain(
      "note: completed `scaffold create api`, which was interrupted while writing 2 files:\n  made.txt\n  more.txt\n",
    );
    expect(readFiles(root)).toMatchObject({ "made.txt": "made\n", "more.txt": "made\n" });
    expect(existsSync(path.join(root, ".kubescaffold"))).toBe(false);
  });

  it.each([
    "edit --multigroup",
    "manifests",
    "delete api --group webapp --version v1 --kind Guestbook --make=false",
    "doctor --fix",
  ])("are in the JSON of %s", async (line) => {
    const { stdout } = await runCommand(await interrupted(), `${line} --output json`);
    expect(JSON.parse(stdout)).toMatchObject({ recovered: [RECOVERED] });
  });

  it("are in no JSON when there was none", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const { stdout } = await runCommand(root, "edit --multigroup --output json");
    expect(JSON.parse(stdout)).not.toHaveProperty("recovered");
  });

  it("are a finding of doctor, which leaves them as they are", async () => {
    const root = await interrupted();
    const before = readFiles(root);
    const { status, stdout } = await runCommand(root, "doctor --output json");
    expect({ status, findings: (JSON.parse(stdout) as { readonly findings: unknown }).findings }).toEqual({
      status: 1,
      findings: expect.arrayContaining([
        expect.objectContaining({
          severity: "error",
          path: ".kubescaffold/journal",
          message: "`scaffold create api` was interrupted while writing 2 files: made.txt, more.txt",
          hint: expect.stringContaining("doctor --fix"),
        }),
      ]),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("are a finding of doctor where PROJECT was not written yet", async () => {
    const root = temporaryFolder();
    plant(root);
    expect(await runCommand(root, "doctor")).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("`scaffold create api` was interrupted"),
    });
  });

  it("are no finding while the command that writes them runs", async () => {
    const root = await interrupted();
    const lock = await acquireLock({ root, command: "scaffold create api" });
    const { stdout } = await runCommand(root, "doctor");
    await lock.release();
    expect(stdout).not.toContain("was interrupted");
  });
});

async function interrupted(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API);
  plant(root);
  return root;
}

function plant(root: string): void {
  const manifest = printManifest({ command: "scaffold create api", entries: ENTRIES }, { root });
  writeFiles(root, {
    ".kubescaffold/journal/0.new": "made\n",
    ".kubescaffold/journal/1.new": "made\n",
    ".kubescaffold/journal/manifest.json": manifest,
  });
}
