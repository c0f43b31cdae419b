import { execa } from "execa";

import type { RevisionFiles, RevisionReader } from "../generators/generator.ts";

/** Makes the reader of former versions that asks git, in the repository that a folder belongs to. */
export function createGitRevisions(root: string): RevisionReader {
  return { readFolder: (revision, folder) => readFolder({ root, revision, folder }) };
}

interface FolderRequest {
  readonly root: string;
  readonly revision: string;
  readonly folder: string;
}

async function readFolder({ root, revision, folder }: FolderRequest): Promise<RevisionFiles> {
  const commit = await git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (commit.kind === "failed") return missing(commit.reason || `git knows no commit, branch or tag ${revision}`);
  const place = `./${folder.replace(/^\.\//u, "").replace(/\/+$/u, "")}`;
  const listed = await git(root, ["ls-tree", "--full-tree", "-z", "--name-only", `${commit.output.trim()}:${place}`]);
  if (listed.kind === "failed") return missing(`there is no folder ${folder} in ${revision}`);
  const names = listed.output.split("\0").filter((name) => /\.(?:ya?ml|json)$/u.test(name));
  const files: { readonly name: string; readonly text: string }[] = [];
  for (const name of names) {
    const shown = await git(root, ["show", `${commit.output.trim()}:${place}/${name}`]);
    if (shown.kind === "done") files.push({ name, text: shown.output });
  }
  return { kind: "files", files };
}

type GitOutcome =
  | { readonly kind: "done"; readonly output: string }
  | { readonly kind: "failed"; readonly reason: string };

async function git(root: string, words: readonly string[]): Promise<GitOutcome> {
  const { failed, stdout, stderr, code } = await execa("git", words, {
    cwd: root,
    reject: false,
    stripFinalNewline: false,
  });
  if (!failed) return { kind: "done", output: stdout };
  if (code === "ENOENT") return { kind: "failed", reason: "git is not installed" };
  return {
    kind: "failed",
    reason:
      stderr
        .trim()
        .replace(/^fatal: /u, "")
        .split("\n")[0] ?? "",
  };
}

function missing(reason: string): RevisionFiles {
  return { kind: "missing", reason };
}
