/** The branch that `alpha update` upgrades without `--from-branch`. */
import { execFileSync } from "node:child_process";

import { expect, it } from "vitest";

import { UpdateRepository } from "../../src/upgrade/update-repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Git = (...words: readonly string[]) => void;

function gitIn(root: string): Git {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return (...words) => void execFileSync("git", [...identity, ...words], { cwd: root, stdio: "pipe" });
}

it.each<readonly [string, string, (git: Git) => void, string]>([
  ["main, although another branch is checked out", "main", (git) => git("switch", "-c", "feature"), "main"],
  ["master", "master", (git) => git("switch", "-c", "feature"), "master"],
  ["the only branch, of any name", "trunk", () => undefined, "trunk"],
  [
    "that of git's settings",
    "develop",
    (git) => {
      git("config", "init.defaultBranch", "develop");
      git("switch", "-c", "feature");
    },
    "develop",
  ],
  [
    "that of the remote repository, also beside a main",
    "release/next",
    (git) => {
      git("branch", "main");
      git("update-ref", "refs/remotes/origin/release/next", "HEAD");
      git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/next");
      git("switch", "-c", "feature");
    },
    "release/next",
  ],
  [
    "a local branch, if that of the remote repository is not there",
    "trunk",
    (git) => git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"),
    "trunk",
  ],
])("the default branch is %s", async (_, first, change, expected) => {
  const root = temporaryFolder();
  const git = gitIn(root);
  git("init", "-q", "-b", first);
  git("commit", "-q", "--allow-empty", "-m", "first");
  change(git);
  const repository = await UpdateRepository.open(root, { folder: temporaryFolder(), isDryRun: false });
  expect(await repository.defaultBranch()).toBe(expected);
});
