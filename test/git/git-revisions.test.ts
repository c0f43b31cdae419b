import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createGitRevisions } from "../../src/git/git.ts";

describe("former versions from git", () => {
  let root = "";
  const git = (...words: readonly string[]): Promise<unknown> =>
    execa("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", ...words], {
      cwd: root,
    });

  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "kubescaffold-revisions-"));
    await mkdir(path.join(root, "project/config/crd/inner"), { recursive: true });
    await writeFile(path.join(root, "project/config/crd/a.yaml"), "first: é\n\n");
    await writeFile(path.join(root, "project/config/crd/readme.md"), "no manifest\n");
    await writeFile(path.join(root, "project/config/crd/inner/b.yaml"), "below\n");
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "-m", "first");
    await git("tag", "v1");
    await writeFile(path.join(root, "project/config/crd/a.yaml"), "second\n");
    await git("commit", "--quiet", "-am", "second");
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each(["v1", "HEAD~1", "v1^{commit}"])(
    "are the manifests of a folder at %s, below the folder of the project",
    async (revision) => {
      const read = createGitRevisions(path.join(root, "project"));
      for (const folder of ["config/crd", "./config/crd/"])
        expect(await read.readFolder(revision, folder)).toEqual({
          kind: "files",
          files: [{ name: "a.yaml", text: "first: é\n\n" }],
        });
    },
  );

  it("are missing with a reason where git knows no such commit or folder, or there is no git", async () => {
    const read = createGitRevisions(path.join(root, "project"));
    expect(await read.readFolder("v9", "config/crd")).toEqual({
      kind: "missing",
      reason: "git knows no commit, branch or tag v9",
    });
    expect(await read.readFolder("--help", "config/crd")).toMatchObject({ kind: "missing" });
    expect(await read.readFolder("v1", "config/none")).toEqual({
      kind: "missing",
      reason: "there is no folder config/none in v1",
    });
    expect(await createGitRevisions(tmpdir()).readFolder("v1", "x")).toMatchObject({
      kind: "missing",
      reason: expect.stringContaining("not a git repository"),
    });
  });
});
