import { runGit } from "../git/git.ts";
import { STATE_FOLDER } from "../machinery/commit/project-paths.ts";
import type { FileTree } from "../machinery/file-tree.ts";
import type { Finding } from "./project-files.ts";

const IGNORE_FILE = ".gitignore";
const IGNORE_LINE = `${STATE_FOLDER}/`;

/** Returns whether git tracks the folder of running commands, or would: it has a journal, a lock, and kubeconfigs with credentials. */
export async function diagnoseStateFolder(root: string, tree: FileTree): Promise<readonly Finding[]> {
  const tracked = await ask(root, ["ls-files", "-z", "--", STATE_FOLDER]);
  return [
    ...(tracked.kind === "done" && tracked.output !== "" ? [trackedFolder()] : []),
    ...((await isIgnored(root, tree)) ? [] : [unignoredFolder()]),
  ];
}

function ask(root: string, words: readonly string[]): ReturnType<typeof runGit> {
  // A program that the repository's own settings name is not run.
  return runGit(root, ["-c", "core.fsmonitor=false", ...words]);
}

// Outside of a repository, and without git, only the file of the project can tell.
async function isIgnored(root: string, tree: FileTree): Promise<boolean> {
  const outcome = await ask(root, ["check-ignore", "--quiet", "--no-index", `${STATE_FOLDER}/lock`]);
  if (outcome.kind === "done") return true;
  if (outcome.status === 1) return false;
  const text = tree.read(IGNORE_FILE);
  return text === undefined || text.split("\n").some((line) => /^\/?\.kubescaffold\/?\s*$/u.test(line));
}

function trackedFolder(): Finding {
  return {
    severity: "error",
    path: STATE_FOLDER,
    message: "git tracks the folder, but it holds local state of running commands",
    hint: `run git rm -r --cached ${STATE_FOLDER}, and commit`,
  };
}

function unignoredFolder(): Finding {
  return {
    severity: "note",
    path: IGNORE_FILE,
    message: `git does not ignore ${IGNORE_LINE}, which contains the lock, the journal, and local kubeconfigs`,
    hint: `add the line ${IGNORE_LINE}, or run with --fix`,
    fix: (tree) => {
      const text = tree.read(IGNORE_FILE) ?? "";
      const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
      tree.create(IGNORE_FILE, `${start}${IGNORE_LINE}\n`, { ifExists: "overwrite" });
    },
  };
}
