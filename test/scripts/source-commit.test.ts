import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runSuccessfully, userEnvironment } from "../support/run-program.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const SCRIPT = pathToFileURL(path.join(ROOT, "scripts", "source-commit.mjs")).href;
const UNKNOWN = { commit: "unknown", date: "unknown" };

async function sourceCommit(folder: string): Promise<unknown> {
  const program = `import { sourceCommit } from ${JSON.stringify(SCRIPT)}; console.log(JSON.stringify(sourceCommit(${JSON.stringify(folder)})));`;
  return JSON.parse(await runSuccessfully(process.execPath, ["--input-type=module", "-e", program], { cwd: folder }));
}

function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com", "-c", "commit.gpgsign=false"];
  const env = { ...userEnvironment(), GIT_COMMITTER_DATE: "2026-01-02T03:04:05+02:00" };
  return execFileSync("git", [...identity, ...args], { cwd: folder, env, encoding: "utf8" }).trim();
}

function clone(): string {
  const root = temporaryFolder({ "a.ts": "one", "packed/a.ts": "one" });
  git(root, "init", "--quiet");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message=Begin");
  return root;
}

it("is the commit of a clone with its time in UTC, and says when sources differ from it", async () => {
  const root = clone();
  const commit = git(root, "rev-parse", "HEAD");
  writeFiles(root, { "untracked.txt": "" });
  expect(await sourceCommit(root)).toEqual({ commit, date: "2026-01-02T01:04:05Z" });
  writeFiles(root, { "a.ts": "two" });
  expect(await sourceCommit(root)).toEqual({ commit: `${commit}-dirty`, date: "2026-01-02T01:04:05Z" });
});

it("is unknown where there is no clone, no commit, or the clone is of something else", async () => {
  const empty = temporaryFolder();
  mkdirSync(path.join(empty, "sub"));
  git(path.join(empty, "sub"), "init", "--quiet");
  const unknown = [temporaryFolder(), path.join(empty, "sub"), path.join(clone(), "packed")];
  expect(await Promise.all(unknown.map(sourceCommit))).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
});
