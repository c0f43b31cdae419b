import type { RevisionFiles, RevisionReader } from "@kubescaffold/generators";

/** What git answered: its output as it is, and with a failure its exit status and the first line of its complaint. */
export type GitOutcome =
  | { readonly kind: "done"; readonly output: string }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly status: number | undefined;
      readonly output: string;
    };

/** What git runs with, beside its words. */
export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs git in a folder; it is no failure of this program when git fails. */
export async function runGit(root: string, words: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
  const { execa } = await import("execa");
  const { failed, stdout, stderr, code, exitCode } = await execa("git", words, {
    ...options,
    cwd: root,
    reject: false,
    stripFinalNewline: false,
  });
  if (!failed) return { kind: "done", output: stdout };
  if (code === "ENOENT") return { kind: "failed", reason: "git is not installed", status: undefined, output: "" };
  const reason = stderr
    .trim()
    .replace(/^(?:fatal|error): /u, "")
    .split("\n")[0];
  return { kind: "failed", reason: reason ?? "", status: exitCode, output: stdout };
}

/** Makes the reader of former versions that asks git, in the repository that a folder belongs to. */
export function createGitRevisions(root: string): RevisionReader {
  return { readFolder: (revision, folder) => readFolder(root, revision, folder) };
}

/** Reports whether a commit has a folder with manifests; undefined for a commit that git does not know, and outside of a repository. */
export async function hasManifests(
  root: string,
  { revision, folder }: { readonly revision: string; readonly folder: string },
): Promise<boolean | undefined> {
  const commit = await commitOf(root, revision);
  if (commit.kind === "failed") return undefined;
  const read = await readFolder(root, revision, folder);
  return read.kind === "files" && read.files.length > 0;
}

function commitOf(root: string, revision: string): Promise<GitOutcome> {
  return runGit(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
}

async function readFolder(root: string, revision: string, folder: string): Promise<RevisionFiles> {
  const commit = await commitOf(root, revision);
  if (commit.kind === "failed") return missing(commit.reason || `git knows no commit, branch or tag ${revision}`);
  const place = `./${folder.replace(/^\.\//u, "").replace(/(?<!\/)\/+$/u, "")}`;
  const listed = await runGit(root, [
    "ls-tree",
    "--full-tree",
    "-z",
    "--name-only",
    `${commit.output.trim()}:${place}`,
  ]);
  if (listed.kind === "failed") return missing(`there is no folder ${folder} in ${revision}`);
  const names = listed.output.split("\0").filter((name) => /\.(?:ya?ml|json)$/u.test(name));
  const files: { readonly name: string; readonly text: string }[] = [];
  for (const name of names) {
    const shown = await runGit(root, ["show", `${commit.output.trim()}:${place}/${name}`]);
    if (shown.kind === "done") files.push({ name, text: shown.output });
  }
  return { kind: "files", files };
}

function missing(reason: string): RevisionFiles {
  return { kind: "missing", reason };
}

/** The commit that is checked out in a folder. */
interface CheckedOutRevision {
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
