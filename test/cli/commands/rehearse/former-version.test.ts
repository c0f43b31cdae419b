import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openFormerVersion } from "../../../../src/cli/commands/rehearse/former-version.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const { signal } = new AbortController();

function git(folder: string, ...words: readonly string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...identity, ...words], { cwd: folder, encoding: "utf8" });
}

function repository(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder({ ".gitignore": "node_modules\n", ...files });
  git(root, "init", "--quiet");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "former");
  git(root, "tag", "v1");
  return root;
}

describe("openFormerVersion", () => {
  it("checks a revision out, links packages up to the root, and removes all at the end", async () => {
    const root = repository({ "operator/PROJECT": "former", "package-lock.json": "{}" });
    const project = path.join(root, "operator");
    mkdirSync(path.join(root, "node_modules"));
    writeFileSync(path.join(project, "PROJECT"), "present");
    const former = await openFormerVersion("v1", { project, signal });
    expect(readFileSync(path.join(former.project, "PROJECT"), "utf8")).toBe("former");
    expect(readlinkSync(path.join(former.project, "../node_modules"))).toBe(path.join(root, "node_modules"));
    await former.close();
    expect(existsSync(former.project)).toBe(false);
    expect(existsSync(path.join(root, "node_modules"))).toBe(true);
    expect(git(root, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it("runs no hook of the repository", async () => {
    const root = repository({ PROJECT: "former" });
    const marker = path.join(root, "hook-ran");
    const hook = `#!/bin/sh\ntouch "${marker}"\n`;
    writeFileSync(path.join(root, ".git/hooks/post-checkout"), hook, { mode: 0o755 });
    const former = await openFormerVersion("v1", { project: root, signal });
    await former.close();
    expect(existsSync(marker)).toBe(false);
  });

  it.each([
    ["absent", 'git knows no commit, branch, or tag "absent"'],
    ["--upload-pack=touch", 'git knows no commit, branch, or tag "--upload-pack=touch"'],
  ])("fails for what git does not know: %s", async (from, message) => {
    const root = repository({ PROJECT: "former" });
    await expect(openFormerVersion(from, { project: root, signal })).rejects.toThrow(message);
  });

  it("fails for a revision without the project, and leaves nothing", async () => {
    const root = repository({ README: "" });
    writeFileSync(path.join(root, "PROJECT"), "present");
    await expect(openFormerVersion("v1", { project: root, signal })).rejects.toThrow("is no project");
    expect(git(root, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it("fails for another lock file that npm does not read", async () => {
    const root = repository({ PROJECT: "former", "pnpm-lock.yaml": "former" });
    writeFileSync(path.join(root, "pnpm-lock.yaml"), "present");
    await expect(openFormerVersion("v1", { project: root, signal })).rejects.toThrow(
      "its dependencies are others, as pnpm-lock.yaml says",
    );
  });

  it("installs the packages of another package-lock.json, without their scripts", async () => {
    const lock = (version: string): string =>
      JSON.stringify({ name: "shop", version, lockfileVersion: 3, packages: { "": { name: "shop", version } } });
    const scripts = { install: "touch installed" };
    const root = repository({
      PROJECT: "former",
      "package.json": JSON.stringify({ name: "shop", version: "1.0.0", scripts }),
      "package-lock.json": lock("1.0.0"),
    });
    writeFileSync(path.join(root, "package-lock.json"), lock("2.0.0"));
    const former = await openFormerVersion("v1", { project: root, signal });
    expect(existsSync(path.join(former.project, "installed"))).toBe(false);
    await former.close();
  });

  it("fails with the reason of npm", async () => {
    const root = repository({ PROJECT: "former", "package-lock.json": "{", "package.json": "{}" });
    writeFileSync(path.join(root, "package-lock.json"), "{}");
    await expect(openFormerVersion("v1", { project: root, signal })).rejects.toThrow(
      "its dependencies cannot be installed",
    );
  });
});
