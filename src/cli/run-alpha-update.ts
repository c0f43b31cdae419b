import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { PROJECT_FILE } from "../project/project-config.ts";
import { parseProject } from "../project/project-file.ts";
import type { Invocation } from "./command.ts";
import { InvalidFlagError, UpdateConflictError, UpdateRefusedError } from "./errors.ts";
import { listFlag, switchFlag, textFlag } from "./flag-values.ts";
import { runFormerProgram } from "./former-program.ts";
import { runGit } from "./git.ts";
import { runAlphaGenerate } from "./run-alpha-generate.ts";
import { UpdateRepository } from "./update-repository.ts";

/** Merges what this version scaffolds into a branch of the project in the working folder, on a branch of its own. */
export async function runAlphaUpdate(invocation: Invocation): Promise<number> {
  refuseContradiction(invocation);
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-update-")));
  try {
    return await updateIn(invocation, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuseContradiction({ flags }: Invocation): void {
  if (listFlag(flags, "restore-path").length === 0 || switchFlag(flags, "show-commits") !== true) return;
  throw new InvalidFlagError("cannot restore paths in a merge that is shown with its history", {
    hint: "leave out --restore-path or --show-commits",
  });
}

async function updateIn(invocation: Invocation, folder: string): Promise<number> {
  const { cwd, flags, program, terminal } = invocation;
  const repository = new UpdateRepository(cwd, folder);
  const branch = textFlag(flags, "from-branch") ?? "main";
  const base = await startingPoint(cwd, repository, branch);
  const source = path.join(folder, "project");
  await repository.checkOut(base, source);
  const from = (textFlag(flags, "from-version") ?? recordedVersion(source)).replace(/^v/u, "");
  if (from === program.version) {
    terminal.writeOut(`The project is of version ${from}, which this program is: there is nothing to update.\n`);
    return 0;
  }
  const output = textFlag(flags, "output-branch") ?? `kubescaffold-update-from-${from}-to-${program.version}`;
  await refuseTaken(invocation, repository, output);
  const update: Update = { invocation, repository, folder, source, branch, base, from, output };
  return finish(update, await scaffoldCommits(update));
}

interface Update {
  readonly invocation: Invocation;
  readonly repository: UpdateRepository;
  readonly folder: string;
  /** The branch's files, in a folder of their own. */
  readonly source: string;
  readonly branch: string;
  readonly base: string;
  readonly from: string;
  readonly output: string;
}

async function startingPoint(root: string, repository: UpdateRepository, branch: string): Promise<string> {
  const prefix = await repository.ask(["rev-parse", "--show-prefix"]);
  if (prefix !== "") {
    throw new UpdateRefusedError("cannot update a project that is not at the root of its repository", {
      hint: "move it into a repository of its own",
    });
  }
  const status = await runGit(root, ["status", "--porcelain", "--", ".", ":!.kubescaffold"]);
  if (status.kind === "done" && status.output !== "") {
    throw new UpdateRefusedError("cannot update the project: its work tree has changes that git does not have", {
      hint: "commit or stash them first",
    });
  }
  const commit = await repository.commitOf(`refs/heads/${branch}`);
  if (commit !== undefined) return commit;
  throw new UpdateRefusedError(`cannot update the project: it has no branch ${branch}`, {
    hint: "pass --from-branch with the branch to update",
  });
}

function recordedVersion(source: string): string {
  let text: string;
  try {
    text = readFileSync(path.join(source, PROJECT_FILE), "utf8");
  } catch (error) {
    throw new UpdateRefusedError("cannot update the project: the branch has no file PROJECT", {
      hint: "pass --from-branch with a branch that has a project",
      cause: error,
    });
  }
  const { cliVersion } = parseProject(text);
  if (cliVersion !== undefined && cliVersion !== "") return cliVersion;
  throw new UpdateRefusedError("cannot update the project: PROJECT does not say which version made it", {
    hint: "pass --from-version, or write cliVersion into PROJECT",
  });
}

async function refuseTaken({ cwd, flags }: Invocation, repository: UpdateRepository, output: string): Promise<void> {
  if ((await runGit(cwd, ["check-ref-format", "--branch", output])).kind === "failed") {
    throw new InvalidFlagError(`cannot use the branch name "${output}": git does not allow it`, {
      hint: "pass another --output-branch",
    });
  }
  if ((await repository.commitOf(`refs/heads/${output}`)) === undefined) return;
  const current = await runGit(cwd, ["symbolic-ref", "--quiet", "HEAD"]);
  const isCurrent = current.kind === "done" && current.output.trim() === `refs/heads/${output}`;
  if (switchFlag(flags, "force") === true && !isCurrent) return;
  throw new UpdateRefusedError(`cannot write the branch ${output}: ${isCurrent ? "it is checked out" : "it exists"}`, {
    hint: "delete it, or pass another --output-branch",
  });
}

interface ScaffoldCommits {
  readonly former: string;
  readonly present: string;
}

async function scaffoldCommits(update: Update): Promise<ScaffoldCommits> {
  const { invocation, repository, folder, source, from } = update;
  const { flags, program, cwd } = invocation;
  const [former, present] = [path.join(folder, "former"), path.join(folder, "present")];
  const tarball = textFlag(flags, "from-tarball");
  await (program.runFormer ?? runFormerProgram)({
    version: from,
    tarball: tarball === undefined ? undefined : path.resolve(cwd, tarball),
    input: source,
    output: former,
  });
  await runAlphaGenerate({
    ...invocation,
    terminal: { ...invocation.terminal, writeOut: () => undefined },
    flags: { "input-dir": source, "output-dir": present, make: false },
  });
  for (const made of [former, present]) placeSpecs(made, cwd);
  const first = await repository.commitFolder(former, `Scaffold of version ${from}`, []);
  const second = await repository.commitFolder(present, `Scaffold of version ${program.version}`, [first]);
  return { former: first, present: second };
}

// Specs of packages on this machine are relative to the project, which is elsewhere.
function placeSpecs(folder: string, root: string): void {
  const file = path.join(folder, "package.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return;
  }
  const placed = text.replaceAll(/"file:(?<spec>[^"]+)"/gu, (_, spec: string) => {
    const target = path.relative(realpathSync(root), path.resolve(folder, spec));
    return `"file:${target.replaceAll("\\", "/")}"`;
  });
  if (placed !== text) writeFileSync(file, placed);
}

const MERGE_SETTINGS = ["merge.renameLimit=999999", "diff.renameLimit=999999", "merge.conflictStyle=merge"];

async function finish(update: Update, { former, present }: ScaffoldCommits): Promise<number> {
  const { invocation, repository, branch, base, from, output } = update;
  const { flags, program } = invocation;
  const given = listFlag(flags, "git-config");
  const config = [...(given.includes("disable") ? [] : MERGE_SETTINGS), ...given.filter((each) => each !== "disable")];
  // The project as if it had grown from its scaffold, so that this is what git compares with.
  const project = await repository.commitTree(`${base}^{tree}`, branch, [former]);
  const sides = { "kubescaffold/project": project, [`kubescaffold/scaffold-${program.version}`]: present };
  const merge = await repository.merge(sides, config);
  const restored = listFlag(flags, "restore-path");
  const tree = await repository.restore(merge.tree, base, restored);
  const conflicts = merge.conflicts.filter((file) => !restored.some((each) => isBelow(file, each)));
  const parents = switchFlag(flags, "show-commits") === true ? [base, present] : [base];
  const title = `Update the scaffold from ${from} to ${program.version}`;
  const message =
    conflicts.length === 0
      ? (textFlag(flags, "merge-message") ?? title)
      : (textFlag(flags, "conflict-message") ?? `${title}, with conflicts\n\n${conflicts.join("\n")}`);
  const commit = await repository.commitTree(tree, message, parents);
  const isRefused = conflicts.length > 0 && switchFlag(flags, "force") !== true;
  const target = isRefused ? `${output}-work` : output;
  await repository.ask(["update-ref", `refs/heads/${target}`, commit]);
  if (isRefused) throw new UpdateConflictError(conflicts, target);
  if (switchFlag(flags, "push") === true) await push(update);
  report(update, conflicts);
  return 0;
}

function isBelow(file: string, folder: string): boolean {
  const clean = folder.replace(/^\.\//u, "").replace(/\/+$/u, "");
  return file === clean || file.startsWith(`${clean}/`);
}

async function push({ invocation: { cwd, flags }, output }: Update): Promise<void> {
  const force = switchFlag(flags, "force") === true ? ["--force"] : [];
  const pushed = await runGit(cwd, ["push", ...force, "origin", `refs/heads/${output}:refs/heads/${output}`]);
  if (pushed.kind === "done") return;
  throw new UpdateRefusedError(`cannot push the branch ${output}: ${pushed.reason}`, {
    hint: `the branch is there: push it with \`git push origin ${output}\``,
  });
}

function report({ invocation, from, output }: Update, conflicts: readonly string[]): void {
  const { terminal, program } = invocation;
  terminal.writeOut(`The branch ${output} holds the project updated from ${from} to ${program.version}.\n`);
  if (conflicts.length > 0)
    terminal.writeOut(`\nResolve the conflicts in:\n${conflicts.map((file) => `  ${file}\n`).join("")}`);
  terminal.writeOut(
    `\nNext:\n  git switch ${output}\n  npm install\n  npm run manifests && npm run generate\n  npm test\n`,
  );
}
