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
import { commentSummary, type Issue, openIssue, requireGh } from "./github-issue.ts";
import { isDryRun } from "./report-outcome.ts";
import { readChanges, reportNothing, reportUpdate, type UpdateChanges } from "./report-update.ts";
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
  const isGiven = (name: string): boolean => textFlag(flags, name) !== undefined || switchFlag(flags, name) === true;
  if (listFlag(flags, "restore-path").length > 0 && isGiven("show-commits")) {
    throw new InvalidFlagError("cannot restore paths in a merge that is shown with its history", {
      hint: "leave out --restore-path or --show-commits",
    });
  }
  for (const [name, needed] of NEEDS) {
    if (!isGiven(name) || isGiven(needed)) continue;
    throw new InvalidFlagError(`cannot use --${name} without --${needed}`, {
      hint: `pass --${needed} too, or leave out --${name}`,
    });
  }
  for (const name of ["from-version", "to-version"]) requireVersion(name, textFlag(flags, name));
}

/** Flags, and those without which they mean nothing: nobody sees an issue's branch that is not pushed. */
const NEEDS = [
  ["use-gh-models", "open-gh-issue"],
  ["open-gh-issue", "push"],
  ["to-tarball", "to-version"],
] as const;

function requireVersion(name: string, version: string | undefined): void {
  if (version === undefined || /^v?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/u.test(version)) return;
  throw new InvalidFlagError(`cannot use "${version}" for --${name}: it is no version`, {
    hint: `pass --${name} with three numbers, such as 0.2.0`,
  });
}

async function updateIn(invocation: Invocation, folder: string): Promise<number> {
  const { cwd, flags, program } = invocation;
  const repository = await UpdateRepository.open(cwd, { folder, isDryRun: isDryRun(invocation) });
  const branch = textFlag(flags, "from-branch") ?? "main";
  const base = await startingPoint(cwd, repository, branch);
  const source = path.join(folder, "project");
  await repository.checkOut(base, source);
  const from = (textFlag(flags, "from-version") ?? recordedVersion(source)).replace(/^v/u, "");
  const to = (textFlag(flags, "to-version") ?? program.version).replace(/^v/u, "");
  if (from === to) {
    reportNothing(invocation, from);
    return 0;
  }
  const output = textFlag(flags, "output-branch") ?? `kubescaffold-update-from-${from}-to-${to}`;
  await refuseTaken(invocation, repository, output);
  if (opensIssue(invocation)) await requireGh(cwd, { summarizes: switchFlag(flags, "use-gh-models") === true });
  const update: Update = { invocation, repository, folder, source, branch, base, from, to, output };
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
  readonly to: string;
  readonly output: string;
}

function opensIssue(invocation: Invocation): boolean {
  return switchFlag(invocation.flags, "open-gh-issue") === true && !isDryRun(invocation);
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
  const { invocation, repository, folder, from, to } = update;
  const [former, present] = [path.join(folder, "former"), path.join(folder, "present")];
  await runVersion(update, from, former);
  if (to === invocation.program.version) await runThis(update, present);
  else await runVersion(update, to, present);
  for (const made of [former, present]) placeSpecs(made, invocation.cwd);
  const first = await repository.commitFolder(former, `Scaffold of version ${from}`, []);
  const second = await repository.commitFolder(present, `Scaffold of version ${to}`, [first]);
  return { former: first, present: second };
}

async function runVersion({ invocation, source, from }: Update, version: string, folder: string): Promise<void> {
  const { flags, program, cwd } = invocation;
  const tarball = textFlag(flags, version === from ? "from-tarball" : "to-tarball");
  await (program.runFormer ?? runFormerProgram)({
    version,
    tarball: tarball === undefined ? undefined : path.resolve(cwd, tarball),
    input: source,
    output: folder,
  });
}

async function runThis({ invocation, source }: Update, folder: string): Promise<void> {
  await runAlphaGenerate({
    ...invocation,
    terminal: { ...invocation.terminal, isInteractive: false, writeOut: () => undefined },
    flags: { "input-dir": source, "output-dir": folder, make: false },
  });
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
  const { invocation, repository, branch, base, to, output } = update;
  const { flags } = invocation;
  const given = listFlag(flags, "git-config");
  const config = [...(given.includes("disable") ? [] : MERGE_SETTINGS), ...given.filter((each) => each !== "disable")];
  // The project as if it had grown from its scaffold, so that this is what git compares with.
  const project = await repository.commitTree(`${base}^{tree}`, branch, [former]);
  const sides = { "kubescaffold/project": project, [`kubescaffold/scaffold-${to}`]: present };
  const merge = await repository.merge(sides, config);
  const restored = listFlag(flags, "restore-path");
  const tree = await repository.restore(merge.tree, base, restored);
  const conflicts = merge.conflicts.filter((file) => !restored.some((each) => isBelow(file, each)));
  const changes = await readChanges(repository, base, tree);
  if (isDryRun(invocation)) {
    reportUpdate({ ...update, conflicts, changes });
    return 0;
  }
  const parents = switchFlag(flags, "show-commits") === true ? [base, present] : [base];
  const commit = await repository.commitTree(tree, messageOf(update, conflicts), parents);
  const isRefused = conflicts.length > 0 && switchFlag(flags, "force") !== true;
  const target = isRefused ? `${output}-work` : output;
  await repository.ask(["update-ref", `refs/heads/${target}`, commit]);
  if (isRefused) throw new UpdateConflictError(conflicts, target);
  if (switchFlag(flags, "push") === true) await push(update);
  const issue = opensIssue(invocation) ? await announce(update, conflicts, changes) : undefined;
  reportUpdate({ ...update, commit, conflicts, changes, issue });
  return 0;
}

function messageOf({ invocation: { flags }, from, to }: Update, conflicts: readonly string[]): string {
  const title = `Update the scaffold from ${from} to ${to}`;
  return conflicts.length === 0
    ? (textFlag(flags, "merge-message") ?? title)
    : (textFlag(flags, "conflict-message") ?? `${title}, with conflicts\n\n${conflicts.join("\n")}`);
}

async function announce(
  { invocation: { cwd, flags }, from, to, branch, output }: Update,
  conflicts: readonly string[],
  { diff }: UpdateChanges,
): Promise<Issue> {
  const issue = await openIssue(cwd, { from, to, base: branch, branch: output, conflicts });
  if (switchFlag(flags, "use-gh-models") === true) await commentSummary(cwd, issue, diff);
  return issue;
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
