// Checks the spelling of the files that differ from main; of all files on main itself, and with --all, as in CI.
import { execFileSync, spawnSync } from "node:child_process";

import { binOf, ensureInstalled, ROOT } from "./ensure-installed.mjs";

ensureInstalled();
const files = process.argv.includes("--all") ? undefined : changedFiles();
if (files?.length === 0) process.exit(0);
const list = files === undefined ? [] : ["--file-list", "stdin", "--no-must-find-files"];
const { status } = spawnSync(
  process.execPath,
  [binOf("cspell", "cspell"), "lint", "--no-progress", "--no-summary", "--show-suggestions", ...list],
  { cwd: ROOT, input: files?.join("\n") ?? "", stdio: ["pipe", "inherit", "inherit"] },
);
process.exit(status ?? 1);

// All files where main is unknown, as in a shallow clone, and on main, whose own commits would be left out.
function changedFiles() {
  const base = ["main", "origin/main"].map((name) => git("merge-base", "HEAD", name)[0]).find((commit) => commit);
  if (base === undefined || base === git("rev-parse", "HEAD")[0]) return undefined;
  const changed = git("diff", "--name-only", "--diff-filter=d", base);
  return [...changed, ...git("ls-files", "--others", "--exclude-standard")];
}

function git(...args) {
  try {
    const output = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
