import type { RevisionFiles, RevisionReader } from "../generators/generator.ts";
import { runGit } from "./git.ts";

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
  const commit = await runGit(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
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
