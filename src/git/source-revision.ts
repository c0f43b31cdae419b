import { runGit } from "./git.ts";

/** The commit that is checked out in a folder. */
export interface CheckedOutRevision {
  readonly commit: string;
  /** The address of the remote `origin` over HTTPS or SSH, without credentials. */
  readonly repository: string | undefined;
  /** Tracked files differ from the commit. */
  readonly isModified: boolean;
}

/** Returns the commit that is checked out in a folder, or nothing outside of a repository and before the first commit. */
export async function readSourceRevision(root: string): Promise<CheckedOutRevision | undefined> {
  const commit = await textOf(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (commit === undefined) return undefined;
  const status = await textOf(root, [
    "--no-optional-locks",
    "status",
    "--porcelain",
    "--untracked-files=no",
    "--",
    ".",
  ]);
  const remote = await textOf(root, ["config", "--get", "remote.origin.url"]);
  return { commit, repository: remote === undefined ? undefined : publicAddress(remote), isModified: status !== "" };
}

async function textOf(root: string, words: readonly string[]): Promise<string | undefined> {
  const outcome = await runGit(root, words);
  return outcome.kind === "done" ? outcome.output.trim() : undefined;
}

/** Returns the address of a remote without credentials, or nothing for one that means something on this machine alone. */
export function publicAddress(remote: string): string | undefined {
  const [, host, path] = /^(?:[^@/\s]+@)?([\w.-][\w-]*\.[\w.-]+):(?!\/)([\w./~-]+)$/u.exec(remote) ?? [];
  if (host !== undefined && path !== undefined) return `ssh://${host}/${path}`;
  const url = URL.canParse(remote) ? new URL(remote) : undefined;
  if (url === undefined || !["https:", "ssh:"].includes(url.protocol)) return undefined;
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
