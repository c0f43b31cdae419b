import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { commitActions } from "../../../src/machinery/commit/commit.ts";
import { contentHash, type JournalEntry, printManifest } from "../../../src/machinery/commit/journal-manifest.ts";
import { inspectJournal, recoverJournal } from "../../../src/machinery/commit/journal.ts";
import { realDisk } from "../../../src/machinery/disk.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { systemError, watchedDisk } from "./faulty-disk.ts";

const MANIFEST = ".kubescaffold/journal/manifest.json";
const ENTRY: JournalEntry = { path: "Makefile", content: "0.new", before: null, after: contentHash("new\n") };

/** A project in a folder, with another folder beside it and its own cache folder. */
interface Place {
  readonly folder: string;
  readonly root: string;
  readonly cacheFolder: string;
}

function place(files: Readonly<Record<string, string>> = {}): Place {
  const folder = temporaryFolder({ "outside/kept": "kept\n" });
  const root = path.join(folder, "project");
  mkdirSync(root);
  writeFiles(root, files);
  return { folder, root, cacheFolder: path.join(folder, "cache") };
}

function plant({ root, cacheFolder }: Place, entries: readonly JournalEntry[] = [ENTRY]): void {
  const text = printManifest({ command: "scaffold init", entries }, { root, cacheFolder });
  writeFiles(root, { ".kubescaffold/journal/0.new": "new\n", [MANIFEST]: text });
}

describe("a journal that this program wrote in this folder", () => {
  it("is completed, and says which files", async () => {
    const at = place();
    plant(at);
    expect(await recoverJournal(realDisk, at)).toEqual({
      outcome: "completed",
      command: "scaffold init",
      files: ["Makefile"],
    });
    expect(readFiles(at.root)).toEqual({ Makefile: "new\n" });
  });

  it("is completed where the user named a folder outside of the project", async () => {
    const at = place();
    const actions = [
      { kind: "create", path: "a.yaml", content: "a\n", isExecutable: false },
      { kind: "create", path: "../outside/b.yaml", content: "b\n", isExecutable: false },
    ] as const;
    let renames = 0;
    const disk = watchedDisk((operation) => {
      renames += operation === "rename" ? 1 : 0;
      if (renames === 2) throw systemError("EIO");
    });
    await expect(
      commitActions({ ...at, command: "scaffold gen", actions, allowsOutside: true, disk }),
    ).rejects.toMatchObject({ hint: expect.stringContaining("the next command completes the change") });
    expect(await recoverJournal(realDisk, at)).toMatchObject({ files: ["a.yaml", "../outside/b.yaml"] });
    expect(readFiles(at.folder)).toMatchObject({ "project/a.yaml": "a\n", "outside/b.yaml": "b\n" });
  });

  it("is not completed through a link that leads out of the project", async () => {
    const at = place();
    plant(at, [{ ...ENTRY, path: "config/Makefile" }]);
    symlinkSync("../outside", path.join(at.root, "config"));
    await expect(recoverJournal(realDisk, at)).rejects.toMatchObject({
      code: "SCAFFOLD_SYMBOLIC_LINK",
      message: expect.stringContaining("config is a symbolic link to"),
    });
    expect(readdirSync(path.join(at.folder, "outside"))).toEqual(["kept"]);
  });

  it("is not completed over a link", async () => {
    const at = place();
    plant(at);
    symlinkSync("../outside/kept", path.join(at.root, "Makefile"));
    await expect(recoverJournal(realDisk, at)).rejects.toMatchObject({ code: "SCAFFOLD_JOURNAL_CONFLICT" });
    expect(readFiles(at.folder)["outside/kept"]).toBe("kept\n");
  });

  it("is not completed with a content that is a link", async () => {
    const at = place();
    plant(at);
    rmSync(path.join(at.root, ".kubescaffold/journal/0.new"));
    symlinkSync("../../../outside/kept", path.join(at.root, ".kubescaffold/journal/0.new"));
    await expect(recoverJournal(realDisk, at)).rejects.toMatchObject({
      message: expect.stringContaining("is damaged in the journal"),
    });
    expect(Object.keys(readFiles(at.root))).not.toContain("Makefile");
  });
});

describe("a journal of any other origin", () => {
  it.each([
    ["/etc/profile.d/x.sh", "it is outside of the project"],
    ["C:/Windows/x", "it is outside of the project"],
    ["../home/.bash_aliases", "it is outside of the project"],
    ["a/../../x", "its path is not normalized"],
    ["./x", "its path is not normalized"],
    [".git/hooks/post-checkout", "it belongs to git"],
    [".GIT/config", "it belongs to git"],
    ["sub/.git/config", "it belongs to git"],
    ["git~1/config", "it belongs to git"],
    [".git. /config", "it belongs to git"],
    [".git::$INDEX_ALLOCATION/config", "it belongs to git"],
    [".g\u200Cit/config", "it belongs to git"],
    [".kubescaffold/lock", ".kubescaffold is reserved for running commands"],
    [".KubeScaffold/dev/kubeconfig", ".kubescaffold is reserved for running commands"],
    [String.raw`..\x`, "its path has a backslash"],
    ["x\0.txt", "its path has control characters"],
    ["x\u001B[2J", "its path has control characters"],
    [`${"a/".repeat(3000)}b`, "its path is too long"],
  ])("is never applied, even when it is signed: %j", async (file, reason) => {
    const at = place();
    plant(at, [{ ...ENTRY, path: file }]);
    expect(await refusalOf(at)).toEqual(refused(reason));
  });

  it.each([
    ["a name that stays in the project", "x"],
    ["an absolute name", "/x"],
    ["git's folder beside the project", "../.git/hooks/x"],
    ["a name that turns round", "../a/../../x"],
  ])("is never applied with %s marked as the user's own word", async (_, file) => {
    const at = place();
    plant(at, [{ ...ENTRY, path: file, isOutside: true }]);
    expect(await refusalOf(at)).toEqual(refused(`it names ${file}`));
  });

  it("is never applied with a content of another name", async () => {
    const at = place();
    plant(at, [{ ...ENTRY, content: "../../PROJECT" }]);
    expect(await refusalOf(at)).toEqual(refused("contents are named by number"));
  });

  it("is never applied when it was copied from another folder", async () => {
    const [here, there] = [place(), place()];
    plant({ ...there, cacheFolder: here.cacheFolder });
    renameSync(path.join(there.root, ".kubescaffold"), path.join(here.root, ".kubescaffold"));
    expect(await refusalOf(here)).toEqual(refused("it was not written on this machine, for this user, in this folder"));
  });

  it("is never applied when its folder was replaced by another of the same name", async () => {
    const at = place();
    plant(at);
    renameSync(at.root, path.join(at.folder, "former"));
    mkdirSync(at.root);
    renameSync(path.join(at.folder, "former/.kubescaffold"), path.join(at.root, ".kubescaffold"));
    expect(await refusalOf(at)).toEqual(refused("it was not written on this machine, for this user, in this folder"));
  });

  it("is never applied when it was written on another machine", async () => {
    const at = place();
    plant(at);
    writeFileSync(path.join(at.cacheFolder, "journal.key"), randomBytes(32));
    expect(await refusalOf(at)).toEqual(refused("it was not written on this machine, for this user, in this folder"));
  });

  it("is never applied when there is no key", async () => {
    const at = place();
    plant(at);
    rmSync(at.cacheFolder, { recursive: true });
    expect(await refusalOf(at)).toEqual(refused("the key that signs journals cannot be read"));
  });

  it("is never applied when others can read the key", async () => {
    const at = place();
    plant(at);
    chmodSync(path.join(at.cacheFolder, "journal.key"), 0o644);
    expect(await refusalOf(at)).toEqual(refused("the key that signs journals cannot be read"));
  });

  it.each([
    ["the form of a former version", formerManifest()],
    ["no JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["nothing", ""],
    ["a body of another form", JSON.stringify({ signature: "x", body: JSON.stringify({ format: 2, entries: [{}] }) })],
    ["thousands of brackets", "[".repeat(1_000_000)],
  ])("is never applied when its manifest has %s", async (_, text) => {
    const at = place();
    writeFiles(at.root, { [MANIFEST]: text, ".kubescaffold/journal/0.new": "new\n" });
    expect(await refusalOf(at)).toEqual(refused("its manifest is not of the form that this version writes"));
  });

  it("is not read when its manifest is larger than any that is written", async () => {
    const at = place();
    writeFiles(at.root, { [MANIFEST]: " ".repeat(33 * 1024 * 1024) });
    expect(await refusalOf(at)).toEqual(refused("its manifest is larger than any that this program writes"));
  });

  it("is not read when its manifest is a link", async () => {
    const at = place();
    mkdirSync(path.join(at.root, ".kubescaffold/journal"), { recursive: true });
    symlinkSync("../../../outside/kept", path.join(at.root, MANIFEST));
    expect(await refusalOf(at)).toEqual(refused("its manifest is not a regular file"));
  });

  it.each([".kubescaffold", ".kubescaffold/journal"])("is not discarded where %s is a link", async (link) => {
    const at = place();
    writeFiles(at.folder, { "outside/journal/0.new": "kept\n", "outside/0.new": "kept\n" });
    mkdirSync(path.dirname(path.join(at.root, link)), { recursive: true });
    symlinkSync(path.join(at.folder, "outside"), path.join(at.root, link));
    const before = readFiles(at.folder);
    await expect(recoverJournal(realDisk, at)).rejects.toMatchObject({
      code: "SCAFFOLD_SYMBOLIC_LINK",
      message: `cannot write .kubescaffold/journal: ${link === ".kubescaffold" ? link : "it"} is a symbolic link to ${path.join(at.folder, "outside")}, and commands do not follow links there`,
    });
    expect(readFiles(at.folder)).toEqual(before);
  });
});

describe("the key of journals", () => {
  it("is one that only the user can read", async () => {
    const at = place();
    plant(at);
    const { mode, size } = statSync(path.join(at.cacheFolder, "journal.key"));
    expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: 32 });
    expect(readdirSync(at.cacheFolder)).toEqual(["journal.key"]);
  });

  it("takes the place of one that others can read", async () => {
    const at = place();
    mkdirSync(at.cacheFolder);
    writeFileSync(path.join(at.cacheFolder, "journal.key"), "k".repeat(32), { mode: 0o644 });
    plant(at);
    expect(await inspectJournal(realDisk, at)).toMatchObject({ kind: "sealed" });
    expect(statSync(path.join(at.cacheFolder, "journal.key")).mode & 0o777).toBe(0o600);
  });

  it("is not taken from the project itself", async () => {
    const at = place();
    const cacheFolder = path.join(at.root, ".cache");
    mkdirSync(cacheFolder);
    writeFileSync(path.join(cacheFolder, "journal.key"), "k".repeat(32), { mode: 0o600 });
    plant({ ...at, cacheFolder });
    expect(await refusalOf({ ...at, cacheFolder })).toEqual(refused("it has no signature"));
  });
});

describe("a cache folder that cannot be written", () => {
  const actions = [
    { kind: "create", path: "a", content: "a\n", isExecutable: false },
    { kind: "create", path: "b", content: "b\n", isExecutable: false },
  ] as const;

  it("lets a commit write all of its files", async () => {
    const at = { ...place(), cacheFolder: "/dev/null/cache" };
    await commitActions({ ...at, command: "scaffold init", actions });
    expect(readFiles(at.root)).toEqual({ a: "a\n", b: "b\n" });
  });

  it("leaves an interrupted commit to the user, who is notified at once and by the next command", async () => {
    const at = { ...place(), cacheFolder: "/dev/null/cache" };
    let renames = 0;
    const disk = watchedDisk((operation) => {
      renames += operation === "rename" ? 1 : 0;
      if (renames === 3) throw systemError("EIO");
    });
    await expect(commitActions({ ...at, command: "scaffold init", actions, disk })).rejects.toMatchObject({
      hint: expect.stringContaining("compare the project with version control, then remove .kubescaffold/journal"),
    });
    expect(await refusalOf(at)).toEqual(refused("it has no signature"));
  });
});

interface Refusal {
  readonly code: unknown;
  readonly message: unknown;
  readonly hint: unknown;
  readonly kind: string;
  readonly isUnchanged: boolean;
}

async function refusalOf(at: Place): Promise<Refusal> {
  const before = JSON.stringify(readFiles(at.folder));
  const error: unknown = await recoverJournal(realDisk, at).catch((reason: unknown) => reason);
  const { code, message, hint } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const { kind } = await inspectJournal(realDisk, at);
  return { code, message, hint, kind, isUnchanged: JSON.stringify(readFiles(at.folder)) === before };
}

function refused(reason: string): Refusal {
  return {
    code: "JOURNAL_UNTRUSTED",
    message: expect.stringContaining(reason),
    hint: expect.stringMatching(/remove \.kubescaffold\/journal.*nothing was written/u),
    kind: "untrusted",
    isUnchanged: true,
  };
}

// Its hash proves nothing: anyone can compute it.
function formerManifest(): string {
  const body = JSON.stringify({ format: 1, command: "scaffold init", entries: [ENTRY] });
  return JSON.stringify({ hash: createHash("sha256").update(body).digest("hex"), body });
}
