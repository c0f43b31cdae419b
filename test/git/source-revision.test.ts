import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { publicAddress, readSourceRevision } from "../../src/git/git.ts";
import { runSuccessfully } from "../support/run-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function git(cwd: string, ...words: readonly string[]): Promise<string> {
  const person = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return (await runSuccessfully("git", [...person, ...words], { cwd })).trim();
}

it("the revision is the commit that is checked out, and whether tracked files differ from it", async () => {
  const root = temporaryFolder({ "package.json": "{}" });
  expect(await readSourceRevision(root)).toBeUndefined();
  await git(root, "init", "--quiet");
  expect(await readSourceRevision(root)).toBeUndefined();
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--message", "First");
  const commit = await git(root, "rev-parse", "HEAD");
  expect(await readSourceRevision(root)).toEqual({ commit, repository: undefined, isModified: false });
  await git(root, "remote", "add", "origin", "https://user:token@example.com/team/guestbook.git");
  writeFileSync(path.join(root, "package.json"), "[]");
  const repository = "https://example.com/team/guestbook.git";
  expect(await readSourceRevision(root)).toEqual({ commit, repository, isModified: true });
});

it.each([
  ["https://user:token@example.com/a.git?token=1#x", "https://example.com/a.git"],
  ["ssh://git@example.com:22/a.git", "ssh://example.com:22/a.git"],
  ["git@example.com:team/a.git", "ssh://example.com/team/a.git"],
  ["http://example.com/a.git", undefined],
  ["/home/user/a.git", undefined],
  ["file:///home/user/a.git", undefined],
  ["../a", undefined],
])("the public address of %s is %s", (remote, address) => {
  expect(publicAddress(remote)).toBe(address);
});
