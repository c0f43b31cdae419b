import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";

import { runGit } from "../../../git/git.ts";
import { InexactVersionError } from "../../../project/errors.ts";
import { EXACT_VERSION_RULE, readExactVersion } from "../../../project/exact-version.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { parseProject } from "../../../project/project-file.ts";
import { UpdateConflictError, UpdateRefusedError } from "../../../upgrade/errors.ts";
import { runFormerProgram } from "../../../upgrade/former-program.ts";
import { commentSummary, type Issue, openIssue, requireGh } from "../../../upgrade/github-issue.ts";
import { UpdateRepository } from "../../../upgrade/update-repository.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { listFlag, switchFlag, textFlag } from "../../flags/flag-values.ts";
import { isDryRun } from "../../output/report-outcome.ts";
import { withTemporaryFolder } from "../../programs/uninterrupted.ts";
import { runAlphaGenerate } from "../alpha-generate/run-alpha-generate.ts";
import { readChanges, reportNothing, reportUpdate, type UpdateChanges } from "./report-update.ts";

/** Merges what this version scaffolds into a branch of the project in the working folder, on a new branch. */
export async function runAlphaUpdate(invocation: Invocation): Promise<number> {
  refuseContradiction(invocation);
  return await withTemporaryFolder("kubescaffold-update", (folder, signal) =>
    updateIn(invocation, realpathSync(folder), signal),
  );
}

function refuseContradiction({ flags }: Invocation): void {
  const isGiven = (name: string): boolean => textFlag(flags, name) !== undefined || switchFlag(flags, name) === true;
  if (listFlag(flags, "restore-path").length > 0 && isGiven("show-commits")) {
    throw new InvalidFlagError("cannot use --restore-path with --show-commits", {
      hint: "omit one of the two flags",
    });
  }
  for (const [name, needed] of NEEDS) {
    if (!isGiven(name) || isGiven(needed)) continue;
    throw new InvalidFlagError(`cannot use --${name} without --${needed}`, {
      hint: `pass --${needed} too, or omit --${name}`,
    });
  }
  for (const name of ["from-version", "to-version"]) requireVersion(name, textFlag(flags, name));
  for (const setting of listFlag(flags, "git-config")) requireSetting(setting);
}

/** Flags, and those without which they mean nothing: nobody sees an issue's branch that is not pushed. */
const NEEDS = [
  ["use-gh-models", "open-gh-issue"],
  ["open-gh-issue", "push"],
  ["to-tarball", "to-version"],
] as const;

function requireVersion(name: string, version: string | undefined): void {
  if (version === undefined || readExactVersion(version) !== undefined) return;
  throw new InvalidFlagError(`cannot use "${version}" for --${name}: ${EXACT_VERSION_RULE}`, {
    hint: `pass --${name} with an exact version, such as 0.2.0`,
  });
}

// git itself would say so when the former version is installed and run, minutes later.
function requireSetting(setting: string): void {
  if (setting === "disable" || /^[a-z][a-z\d-]*(?:\..+)?\.[a-z][a-z\d-]*=/iu.test(setting)) return;
  throw new InvalidFlagError(`cannot use "${setting}" for --git-config: it is not a git setting`, {
    hint: "pass --git-config section.key=value, such as merge.conflictStyle=diff3, or disable",
  });
}

async function updateIn(invocation: Invocation, folder: string, signal: AbortSignal): Promise<number> {
  const { cwd, flags, program } = invocation;
  await requireRepository(cwd);
  const repository = await UpdateRepository.open(cwd, { folder, isDryRun: isDryRun(invocation) });
  const branch = textFlag(flags, "from-branch") ?? (await repository.defaultBranch());
  const base = await startingPoint(cwd, repository, branch);
  const source = path.join(folder, "project");
  const own = await repository.projectTree(base);
  if (own === undefined) throw noProject();
  await repository.checkOut(own, source);
  const from = exact(textFlag(flags, "from-version")) ?? recordedVersion(source);
  const to = exact(textFlag(flags, "to-version")) ?? program.version;
  if (from === to) {
    reportNothing(invocation, from);
    return 0;
  }
  const output = textFlag(flags, "output-branch") ?? `kubescaffold-update-from-${from}-to-${to}`;
  await refuseTaken(invocation, repository, output);
  if (opensIssue(invocation)) await requireGh(cwd, { summarizes: switchFlag(flags, "use-gh-models") === true });
  const update: Update = { invocation, signal, repository, folder, source, branch, base, own, from, to, output };
  return finish(update, await scaffoldCommits(update));
}

async function requireRepository(root: string): Promise<void> {
  const found = await runGit(root, ["rev-parse", "--git-dir"]);
  if (found.kind === "done") return;
  throw new UpdateRefusedError(`cannot update the project: ${found.reason}`, {
    hint: "run the command in a project whose files are committed to git; the project was not changed",
  });
}

interface Update {
  readonly invocation: Invocation;
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly repository: UpdateRepository;
  readonly folder: string;
  /** The branch's files, in their own folder. */
  readonly source: string;
  readonly branch: string;
  readonly base: string;
  /** The tree of the project in that commit. */
  readonly own: string;
  readonly from: string;
  readonly to: string;
  readonly output: string;
}

function opensIssue(invocation: Invocation): boolean {
  return switchFlag(invocation.flags, "open-gh-issue") === true && !isDryRun(invocation);
}

async function startingPoint(root: string, repository: UpdateRepository, branch: string): Promise<string> {
  const status = await runGit(root, ["status", "--porcelain", "--", ".", ":!.kubescaffold"]);
  if (status.kind === "done" && status.output !== "") {
    throw new UpdateRefusedError("cannot update the project: its work tree has uncommitted changes", {
      hint: "commit or stash the changes first",
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
    throw noProject(error);
  }
  const { cliVersion } = parseProject(text);
  if (cliVersion === undefined || cliVersion === "") {
    throw new UpdateRefusedError("cannot update the project: PROJECT has no cliVersion", {
      hint: "pass --from-version, or add cliVersion to PROJECT",
    });
  }
  const version = readExactVersion(cliVersion);
  if (version !== undefined) return version;
  throw new InexactVersionError(cliVersion);
}

function exact(version: string | undefined): string | undefined {
  return version === undefined ? undefined : readExactVersion(version);
}

function noProject(cause?: unknown): UpdateRefusedError {
  return new UpdateRefusedError("cannot update the project: the branch has no file PROJECT", {
    hint: "pass --from-branch with a branch that contains a project",
    cause,
  });
}

async function refuseTaken({ cwd, flags }: Invocation, repository: UpdateRepository, output: string): Promise<void> {
  if ((await runGit(cwd, ["check-ref-format", "--branch", output])).kind === "failed") {
    throw new InvalidFlagError(`cannot use the branch name "${output}": it is not a valid git branch name`, {
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
  readonly messages: readonly [former: string, present: string];
}

async function scaffoldCommits(update: Update): Promise<ScaffoldCommits> {
  const { invocation, repository, folder, from, to } = update;
  const [former, present] = [path.join(folder, "former"), path.join(folder, "present")];
  await runVersion(update, from, former);
  if (to === invocation.program.version) await runThis(update, present);
  else await runVersion(update, to, present);
  for (const made of [former, present]) placeSpecs(made, invocation.cwd);
  const [first, second] = [`Scaffold of version ${from}`, `Scaffold of version ${to}`];
  const old = await repository.commitFolder(former, first, []);
  const next = await repository.commitFolder(present, second, [old]);
  return { former: old, present: next, messages: [first, second] };
}

async function runVersion(
  { invocation, signal, source, from }: Update,
  version: string,
  folder: string,
): Promise<void> {
  const { flags, program, cwd } = invocation;
  const tarball = textFlag(flags, version === from ? "from-tarball" : "to-tarball");
  await (program.runFormer ?? runFormerProgram)({
    version,
    tarball: tarball === undefined ? undefined : path.resolve(cwd, tarball),
    input: source,
    output: folder,
    signal,
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

async function finish(update: Update, scaffolds: ScaffoldCommits): Promise<number> {
  const { invocation, repository, branch, base, own, to, output } = update;
  const { former, present } = scaffolds;
  const { flags } = invocation;
  const given = listFlag(flags, "git-config");
  const config = [...(given.includes("disable") ? [] : MERGE_SETTINGS), ...given.filter((each) => each !== "disable")];
  // The project as scaffolded, as the base for git's merge.
  const project = await repository.commitTree(own, branch, [former]);
  const sides = { "kubescaffold/project": project, [`kubescaffold/scaffold-${to}`]: present };
  const merge = await repository.merge(sides, config);
  const restored = listFlag(flags, "restore-path");
  const tree = await repository.restore(merge.tree, own, restored);
  const conflicts = merge.conflicts.filter((file) => !restored.some((each) => isBelow(file, each)));
  const changes = await readChanges(repository, own, tree);
  if (isDryRun(invocation)) {
    reportUpdate({ ...update, conflicts, changes });
    return 0;
  }
  const parents = switchFlag(flags, "show-commits") === true ? [base, await shown(update, scaffolds)] : [base];
  const whole = await repository.repositoryTree(tree, base);
  const commit = await repository.commitTree(whole, messageOf(update, conflicts), parents);
  update.signal.throwIfAborted();
  const isRefused = conflicts.length > 0 && switchFlag(flags, "force") !== true;
  const target = isRefused ? `${output}-work` : output;
  await repository.ask(["update-ref", `refs/heads/${target}`, commit]);
  if (isRefused) throw new UpdateConflictError(conflicts, target);
  if (switchFlag(flags, "push") === true) await push(update);
  const issue = opensIssue(invocation) ? await announce(update, conflicts, changes) : undefined;
  reportUpdate({ ...update, commit, conflicts, changes, issue });
  return 0;
}

// Where the project is a folder of the repository, so it is in the history.
async function shown({ repository }: Update, { former, present, messages }: ScaffoldCommits): Promise<string> {
  if (repository.prefix === "") return present;
  const [old, next] = [
    await repository.repositoryTree(`${former}^{tree}`),
    await repository.repositoryTree(`${present}^{tree}`),
  ];
  return repository.commitTree(next, messages[1], [await repository.commitTree(old, messages[0], [])]);
}

function messageOf({ invocation: { flags }, repository, from, to }: Update, conflicts: readonly string[]): string {
  const title = `Update the scaffold from ${from} to ${to}`;
  return conflicts.length === 0
    ? (textFlag(flags, "merge-message") ?? title)
    : (textFlag(flags, "conflict-message") ??
        `${title}, with conflicts\n\n${inRepository(repository, conflicts).join("\n")}`);
}

// What others read of an update has no working folder.
function inRepository({ prefix }: UpdateRepository, files: readonly string[]): readonly string[] {
  return files.map((file) => prefix + file);
}

async function announce(
  { invocation: { cwd, flags, program }, repository, from, to, branch, output }: Update,
  conflicts: readonly string[],
  { diff }: UpdateChanges,
): Promise<Issue> {
  const issue = await openIssue(cwd, {
    from,
    to,
    base: branch,
    branch: output,
    conflicts: inRepository(repository, conflicts),
    packageManager: program.packageManager,
  });
  if (switchFlag(flags, "use-gh-models") === true) await commentSummary(cwd, issue, diff);
  return issue;
}

function isBelow(file: string, folder: string): boolean {
  const clean = folder.replace(/^\.\//u, "").replace(/(?<!\/)\/+$/u, "");
  return file === clean || file.startsWith(`${clean}/`);
}

async function push({ invocation: { cwd, flags }, output }: Update): Promise<void> {
  const force = switchFlag(flags, "force") === true ? ["--force"] : [];
  const pushed = await runGit(cwd, ["push", ...force, "origin", `refs/heads/${output}:refs/heads/${output}`]);
  if (pushed.kind === "done") return;
  throw new UpdateRefusedError(`cannot push the branch ${output}: ${pushed.reason}`, {
    hint: `push the branch with \`git push origin ${output}\``,
  });
}
