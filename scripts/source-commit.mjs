// The commit that sources are built from, as far as git knows it.
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";

const UNKNOWN = { commit: "unknown", date: "unknown" };

/**
 * Returns the commit of a folder that is the top of a clone, and when that was made: the same for every build of the same commit.
 *
 * "-dirty" follows a commit that the sources differ from. What was unpacked from an archive has none, even inside of another clone.
 */
export function sourceCommit(folder) {
  const top = git(folder, "rev-parse", "--show-toplevel");
  if (top === undefined || realpathSync(top) !== realpathSync(folder)) return UNKNOWN;
  const head = git(folder, "rev-list", "--max-count=1", "--timestamp", "HEAD");
  const changes = git(folder, "--no-optional-locks", "status", "--porcelain", "--untracked-files=no");
  if (head === undefined || changes === undefined) return UNKNOWN;
  const [seconds, hash] = head.split(" ");
  const date = new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
  return { commit: changes === "" ? hash : `${hash}-dirty`, date };
}

function git(folder, ...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
