import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { describe, expect, it, vi } from "vitest";

import { commitActions } from "../../../src/machinery/commit/commit.ts";
import { recoverJournal } from "../../../src/machinery/commit/journal.ts";
import { realDisk } from "../../../src/machinery/disk.ts";
import { DiskError, NotARegularFileError } from "../../../src/machinery/errors.ts";
import type { FileAction } from "../../../src/machinery/file-tree.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { systemError, watchedDisk } from "./faulty-disk.ts";

const OLD = { PROJECT: 'version: "3"\n', "cmd/main.ts": "old main\n", "gone.txt": "old\n" };
const NEW = { PROJECT: 'resources: []\nversion: "3"\n', "cmd/main.ts": "new main\n", "api/v1/types.ts": "types\n" };
const ACTIONS: readonly FileAction[] = [
  { kind: "overwrite", path: "PROJECT", content: NEW.PROJECT, previous: OLD.PROJECT, isExecutable: false },
  { kind: "create", path: "api/v1/types.ts", content: NEW["api/v1/types.ts"], isExecutable: false },
  {
    kind: "overwrite",
    path: "cmd/main.ts",
    content: NEW["cmd/main.ts"],
    previous: OLD["cmd/main.ts"],
    isExecutable: false,
  },
  { kind: "delete", path: "gone.txt", previous: OLD["gone.txt"] },
];
const COMMIT = { command: "scaffold create api", actions: ACTIONS, last: "PROJECT" };

describe("a commit", () => {
  it("writes every change and leaves no journal", async () => {
    const root = temporaryFolder(OLD);
    await commitActions({ root, ...COMMIT });
    expect(readFiles(root)).toEqual(NEW);
    await realDisk.removeFolder(path.join(root, ".kubescaffold"));
    expect(listFolders(root)).toEqual(["api", "api/v1", "cmd"]);
  });

  it("puts PROJECT in place last", async () => {
    const root = temporaryFolder(OLD);
    const targets: string[] = [];
    const disk = watchedDisk((operation, _, args) => {
      if (operation === "rename") targets.push(path.relative(root, String(args[1])));
    });
    await commitActions({ root, ...COMMIT, disk });
    expect(targets.at(-1)).toBe("PROJECT");
  });

  it("keeps the permissions of a file and makes programs executable", async () => {
    const root = temporaryFolder(OLD);
    chmodSync(path.join(root, "cmd/main.ts"), 0o750);
    await commitActions({ root, ...COMMIT });
    await commitActions({
      root,
      command: "scaffold init",
      actions: [{ kind: "create", path: "run.sh", content: "#!/bin/sh\n", isExecutable: true }],
    });
    expect(statSync(path.join(root, "cmd/main.ts")).mode & 0o777).toBe(0o750);
    expect(statSync(path.join(root, "run.sh")).mode & 0o100).toBe(0o100);
  });

  it("does nothing when nothing changes", async () => {
    const root = temporaryFolder(OLD);
    await commitActions({ root, command: "scaffold manifests", actions: [] });
    expect(listFolders(root)).toEqual(["cmd"]);
  });

  it.each([
    ["a folder", (root: string) => mkdirSync(path.join(root, "api/v1/types.ts"), { recursive: true })],
    [
      "a symbolic link",
      (root: string) => (
        mkdirSync(path.join(root, "api/v1"), { recursive: true }),
        symlinkSync("../../PROJECT", path.join(root, "api/v1/types.ts"))
      ),
    ],
  ])("refuses to write over %s", async (what, prepare) => {
    const root = temporaryFolder(OLD);
    prepare(root);
    const before = readFiles(root);
    await expect(commitActions({ root, ...COMMIT })).rejects.toThrow(
      new NotARegularFileError("api/v1/types.ts", what).message,
    );
    expect(readFiles(root)).toEqual(before);
  });

  it.each([
    ["a file", "SCAFFOLD_NOT_A_FOLDER", (root: string) => writeFiles(root, { api: "x" })],
    [
      "a link that leads nowhere",
      "SCAFFOLD_DANGLING_LINK",
      (root: string) => symlinkSync("no", path.join(root, "api")),
    ],
    ["a link to itself", "SCAFFOLD_DANGLING_LINK", (root: string) => symlinkSync("api", path.join(root, "api"))],
  ])("refuses to write below %s", async (_, code, prepare) => {
    const root = temporaryFolder(OLD);
    prepare(root);
    await expect(commitActions({ root, ...COMMIT })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^cannot use api\b/u),
    });
    expect(readFiles(root)).toMatchObject(OLD);
    expect(listFolders(root)).toEqual(["cmd"]);
  });

  it.each([
    ["out of the project", "../outside", "it is outside of the project"],
    ["into git's folder", ".git", "it belongs to git"],
  ])("refuses to write through a link %s", async (_, target, reason) => {
    const folder = temporaryFolder({ "outside/v1/kept": "kept\n", "project/.git/v1/kept": "kept\n" });
    const root = path.join(folder, "project");
    writeFiles(root, OLD);
    symlinkSync(target, path.join(root, "api"));
    const before = readFiles(folder);
    await expect(commitActions({ root, ...COMMIT })).rejects.toMatchObject({
      code: "SCAFFOLD_SYMBOLIC_LINK",
      message: `cannot write api/v1/types.ts: api is a symbolic link to ${path.join(root, target)}, and ${reason}`,
      hint: expect.stringContaining("remove the link api"),
    });
    expect(readFiles(folder)).toEqual(before);
  });

  it("refuses to write through a link that leads out by another link", async () => {
    const folder = temporaryFolder({ "outside/v1/kept": "kept\n" });
    const root = path.join(folder, "project");
    writeFiles(root, OLD);
    symlinkSync("second", path.join(root, "api"));
    symlinkSync("../outside", path.join(root, "second"));
    await expect(commitActions({ root, ...COMMIT })).rejects.toMatchObject({ code: "SCAFFOLD_SYMBOLIC_LINK" });
  });

  it("follows a link that stays in the project, also where the project is reached by a link", async () => {
    const folder = temporaryFolder();
    const root = path.join(folder, "project");
    writeFiles(root, { ...OLD, "types/kept": "kept\n" });
    symlinkSync("types", path.join(root, "api"));
    symlinkSync("project", path.join(folder, "link"));
    await commitActions({ root: path.join(folder, "link"), ...COMMIT });
    expect(readFiles(root)["types/v1/types.ts"]).toBe(NEW["api/v1/types.ts"]);
  });

  it.each([
    ["../x", "it is outside of the project"],
    ["a/../../x", "it is outside of the project"],
    ["/x", "it is outside of the project"],
    [".git/hooks/pre-commit", "it belongs to git"],
    [".kubescaffold/lock", ".kubescaffold is reserved for running commands"],
  ])("refuses to write %s", async (file, reason) => {
    const root = temporaryFolder(OLD);
    const actions = [{ kind: "create", path: file, content: "x", isExecutable: false }] as const;
    await expect(commitActions({ root, command: "scaffold edit", actions })).rejects.toMatchObject({
      code: "SCAFFOLD_OUTSIDE_PROJECT",
      message: expect.stringContaining(reason),
    });
    expect(listFolders(root)).toEqual(["cmd"]);
  });

  it("says that a folder is read-only before it writes anything", async () => {
    const root = temporaryFolder(OLD);
    const disk = { ...realDisk, isWritable: async (folder: string) => folder !== path.join(root, "cmd") };
    await expect(commitActions({ root, ...COMMIT, disk })).rejects.toMatchObject({
      code: "SCAFFOLD_DISK",
      message: expect.stringContaining("cmd is read-only"),
    });
    expect(readFiles(root)).toEqual(OLD);
    expect(listFolders(root)).toEqual(["cmd"]);
  });
});

describe("the check of what a commit writes", () => {
  it.each([
    ["at once", async () => await Promise.reject(new Error("broken"))],
    [
      "after the disk has taken everything",
      async () => {
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
        throw new Error("broken");
      },
    ],
  ])("leaves no trace when it fails %s", async (_, check) => {
    const root = temporaryFolder(OLD);
    await expect(commitActions({ root, ...COMMIT, check })).rejects.toThrow("broken");
    expect(readFiles(root)).toEqual(OLD);
    expect(listFolders(root)).toEqual(["cmd"]);
  });

  it("runs while the disk takes the files, none of which is in place before it ends", async () => {
    const root = temporaryFolder(OLD);
    const steps: string[] = [];
    const disk = watchedDisk((operation) => void steps.push(operation));
    const allAreWritten = (): boolean => steps.filter((step) => step === "writeSynced").length >= ACTIONS.length - 1;
    const check = async (): Promise<void> => {
      await vi.waitUntil(allAreWritten);
      steps.push("checked");
    };
    await commitActions({ root, ...COMMIT, disk, check });
    expect(steps.indexOf("rename")).toBeGreaterThan(steps.indexOf("checked"));
    expect(readFiles(root)).toEqual(NEW);
  });
});

describe("a disk that fails", () => {
  it.each(["ENOSPC", "EROFS", "EACCES", "EDQUOT"])(
    "leaves no trace when %s comes before the journal is whole",
    async (code) => {
      // The last step before the point of no return is the sync of the journal's folder.
      for (let failAt = 1; failAt <= stepsBeforeSealed(); failAt += 1) {
        const root = temporaryFolder(OLD);
        let isFailing = true;
        const disk = watchedDisk((_, step) => {
          if (step !== failAt || !isFailing) return;
          isFailing = false;
          throw systemError(code);
        });
        const commit = commitActions({ root, ...COMMIT, disk });
        await expect(commit).rejects.toBeInstanceOf(DiskError);
        await expect(commit).rejects.toMatchObject({ hint: expect.stringContaining("nothing was changed") });
        expect(readFiles(root)).toEqual(OLD);
        expect(listFolders(root)).toEqual(["cmd"]);
      }
    },
  );

  it("is named when it cannot even say what is there", async () => {
    const root = temporaryFolder(OLD);
    const disk = { ...realDisk, kindOf: () => Promise.reject(systemError("EIO")) };
    await expect(commitActions({ root, ...COMMIT, disk })).rejects.toMatchObject({
      code: "SCAFFOLD_DISK",
      hint: expect.stringContaining("nothing was changed"),
    });
    expect(readFiles(root)).toEqual(OLD);
  });

  it("names what is wrong and the fix", async () => {
    const disk = watchedDisk((operation) => {
      if (operation === "writeSynced") throw systemError("ENOSPC");
    });
    const commit = commitActions({ root: temporaryFolder(OLD), ...COMMIT, disk });
    await expect(commit).rejects.toMatchObject({
      message: "cannot write the project: the disk is full (ENOSPC)",
      hint: "free some space and run the command again; nothing was changed",
    });
  });

  it("is made good by the next command when it fails between two renames", async () => {
    const root = temporaryFolder(OLD);
    let renames = 0;
    const disk = watchedDisk((operation) => {
      renames += operation === "rename" ? 1 : 0;
      if (renames === 3) throw systemError("EIO");
    });
    await expect(commitActions({ root, ...COMMIT, disk })).rejects.toMatchObject({
      hint: expect.stringContaining("the next command completes the change"),
    });
    expect(await recoverJournal(realDisk, { root })).toMatchObject({
      outcome: "completed",
      command: "scaffold create api",
    });
    expect(readFiles(root)).toEqual(NEW);
  });
});

describe("kill -9", () => {
  it("at every step of a commit leaves a tree that the next command makes old or new", async () => {
    const child = await bundleChild();
    const outcomes: string[] = [];
    let last: unknown;
    for (let killAt = 1; ; killAt += 1) {
      const root = temporaryFolder(OLD);
      const { signal, status, stderr } = runChild(child, root, killAt);
      last = { status, stderr };
      if (signal === null) break;
      const recovery = await recoverJournal(realDisk, { root });
      const files = readFiles(root);
      expect([OLD, NEW]).toContainEqual(files);
      expect(await recoverJournal(realDisk, { root })).toBeUndefined();
      outcomes.push(`${recovery?.outcome ?? "nothing"}:${files.PROJECT === NEW.PROJECT ? "new" : "old"}`);
    }
    expect(last).toEqual({ status: 0, stderr: "" });
    // Old up to one step, new from there on.
    expect(outcomes.join(" ").replaceAll(/(\b\S+)(?: \1)+/gu, "$1")).toBe(
      "nothing:old discarded:old completed:new nothing:new",
    );
    expect(outcomes.length).toBeGreaterThan(12);
  }, 120_000);

  it("is made good even when the next command is killed too", async () => {
    const root = temporaryFolder(OLD);
    let renames = 0;
    const failing = watchedDisk((operation) => {
      renames += operation === "rename" ? 1 : 0;
      if (renames >= 2) throw systemError("EIO");
    });
    await expect(commitActions({ root, ...COMMIT, disk: failing })).rejects.toThrow("EIO");
    for (let failAt = 1; failAt < 20; failAt += 1) {
      const disk = watchedDisk((_, step) => {
        if (step === failAt) throw systemError("EIO");
      });
      const recovered = await recoverJournal(disk, { root }).then(
        () => true,
        () => false,
      );
      if (recovered) break;
    }
    expect(readFiles(root)).toEqual(NEW);
  });

  it("never makes the next command overwrite what was changed since", async () => {
    const root = temporaryFolder(OLD);
    let renames = 0;
    const disk = watchedDisk((operation) => {
      renames += operation === "rename" ? 1 : 0;
      if (renames === 2) throw systemError("EIO");
    });
    await expect(commitActions({ root, ...COMMIT, disk })).rejects.toThrow("EIO");
    writeFiles(root, { "cmd/main.ts": "edited by hand\n" });
    await expect(recoverJournal(realDisk, { root })).rejects.toMatchObject({
      code: "SCAFFOLD_JOURNAL_CONFLICT",
      message: expect.stringContaining("cmd/main.ts has been changed since"),
    });
    expect(readFiles(root)["cmd/main.ts"]).toBe("edited by hand\n");
  });
});

function stepsBeforeSealed(): number {
  // Two folders for the journal, three contents, two folders for api/v1, the manifest's draft, its rename and the sync after it.
  return 10;
}

// One file, which starts five times as fast as its sources do.
async function bundleChild(): Promise<string> {
  const outfile = path.join(temporaryFolder(), "commit-child.mjs");
  const entryPoints = [fileURLToPath(new URL("commit-child.ts", import.meta.url))];
  const conditions = ["@kubescaffold/source"];
  await build({ entryPoints, outfile, conditions, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return outfile;
}

function runChild(
  child: string,
  root: string,
  killAt: number,
): { readonly signal: string | null; readonly status: number | null; readonly stderr: string } {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [child, root, String(killAt), JSON.stringify(ACTIONS)],
    { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
  );
  return { signal, status, stderr };
}
