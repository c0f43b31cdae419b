import { existsSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { runGit } from "../../../git/git.ts";
import { LOCK_FILES } from "../../../project/package-manager.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { FORMS, requireProject } from "./former-folder.ts";

/** The folder of a former version. */
export interface FormerVersion {
  /** The name in messages. */
  readonly name: string;
  /** The folder of the project. */
  readonly project: string;
  /** Removes what was checked out. */
  close(): Promise<void>;
}

const NPM_LOCK = "package-lock.json";
const LOCKS = Object.values(LOCK_FILES).flat();
// Hooks of the repository are for the user's own checkouts.
const WITHOUT_HOOKS = ["-c", "core.hooksPath=/dev/null"];

/**
 * Opens a former version: a folder, or a revision, which is checked out into a temporary worktree. Its dependencies are those of the project if the lock files are
 * equal; npm installs others, without scripts of packages.
 *
 * Fails: {@link InvalidFlagError} for what is neither of them.
 */
export async function openFormerVersion(
  from: string,
  { project, signal }: { readonly project: string; readonly signal: AbortSignal },
): Promise<FormerVersion> {
  if (path.isAbsolute(from)) {
    requireProject(from, "the former version");
    return { name: path.basename(from), project: from, close: async () => undefined };
  }
  const root = await git(project, ["rev-parse", "--show-toplevel"], "this project is in no repository of git");
  const revision = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${from}^{commit}`];
  const commit = await git(project, revision, `git knows no commit, branch, or tag ${JSON.stringify(from)}`);
  const parent = await mkdtemp(path.join(tmpdir(), "kubescaffold-former-"));
  const worktree = path.join(parent, "worktree");
  const close = async (): Promise<void> => {
    // A failure leaves an entry that `git worktree prune` removes.
    await runGit(root, ["worktree", "remove", "--force", worktree]);
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await git(
      root,
      [...WITHOUT_HOOKS, "worktree", "add", "--quiet", "--detach", worktree, commit],
      `git cannot check out ${from}`,
    );
    const within = path.relative(realpathSync(root), realpathSync(project));
    const former = path.join(worktree, within);
    requireProject(former, `the former version, ${from}`);
    await provideDependencies({ root, project, within, worktree, from, signal });
    return { name: from, project: former, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function git(folder: string, words: readonly string[], problem: string): Promise<string> {
  const outcome = await runGit(folder, words);
  if (outcome.kind === "done") return outcome.output.trim();
  const reason = outcome.reason === "" ? "" : `: ${outcome.reason}`;
  throw new InvalidFlagError(`invalid value for flag --from: ${problem}${reason}`, { hint: FORMS });
}

interface Checkout {
  readonly root: string;
  readonly project: string;
  /** The path of the project in the repository. */
  readonly within: string;
  readonly worktree: string;
  readonly from: string;
  readonly signal: AbortSignal;
}

async function provideDependencies(checkout: Checkout): Promise<void> {
  const { root, worktree, from, signal } = checkout;
  const folders = foldersOf(checkout);
  const lock = folders
    .flatMap((folder) => LOCKS.map((name) => path.join(folder, name)))
    .find((file) => isIn(root, file) || isIn(worktree, file));
  if (lock === undefined || textOf(root, lock) === textOf(worktree, lock)) {
    link(folders, checkout);
    return;
  }
  if (path.basename(lock) !== NPM_LOCK || !isIn(worktree, lock)) {
    throw new InvalidFlagError(
      `cannot rehearse from ${from}: its dependencies are others, as ${lock} says, and only those of a package-lock.json can be installed`,
      {
        hint: `check ${from} out into a folder, install its dependencies there, and pass the folder: --from ../former`,
      },
    );
  }
  const { execa } = await import("execa");
  const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const { failed, stderr } = await execa("npm", words, {
    cwd: path.join(worktree, path.dirname(lock)),
    reject: false,
    cancelSignal: signal,
  });
  if (!failed) return;
  throw new InvalidFlagError(
    `cannot rehearse from ${from}: its dependencies cannot be installed: ${stderr.trim().split("\n")[0] ?? ""}`,
    {
      hint: `check ${from} out into a folder, install its dependencies there, and pass the folder: --from ../former`,
    },
  );
}

// From the project upward to the root of the repository, where Node looks for packages.
function foldersOf({ within }: Checkout): readonly string[] {
  const names = within === "" ? [] : within.split(path.sep);
  return [...names.keys(), names.length].map((count) => names.slice(0, count).join(path.sep)).toReversed();
}

function isIn(root: string, file: string): boolean {
  return existsSync(path.join(root, file));
}

function textOf(root: string, file: string): string | undefined {
  return isIn(root, file) ? readFileSync(path.join(root, file), "latin1") : undefined;
}

function link(folders: readonly string[], { root, worktree }: Checkout): void {
  for (const folder of folders) {
    const packages = path.join(root, folder, "node_modules");
    const target = path.join(worktree, folder, "node_modules");
    if (existsSync(packages) && !existsSync(target)) symlinkSync(packages, target, "dir");
  }
}
