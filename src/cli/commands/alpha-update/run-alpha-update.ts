import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";

import { type KubernetesMinor, SUPPORTED_MINORS } from "@kubescaffold/k8s";

import { runGit } from "../../../git/git.ts";
import { createDiskReader } from "../../../machinery/disk.ts";
import { InexactVersionError } from "../../../project/errors.ts";
import { readExactVersion } from "../../../project/exact-version.ts";
import { kubernetesVersionOf, withKubernetesVersion } from "../../../project/kubernetes-version.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { parseProject, ProjectDocument } from "../../../project/project-file.ts";
import { UpdateConflictError, UpdateRefusedError } from "../../../upgrade/errors.ts";
import { runFormerProgram } from "../../../upgrade/former-program.ts";
import { commentSummary, type Issue, openIssue, requireGh } from "../../../upgrade/github-issue.ts";
import { keepConverters } from "../../../upgrade/keep-converters.ts";
import { UpdateRepository } from "../../../upgrade/update-repository.ts";
import type { Answers, Asking, Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { withTemporaryFolder } from "../../programs/uninterrupted.ts";
import { runAlphaGenerate } from "../alpha-generate/run-alpha-generate.ts";
import { readChanges, reportNothing, reportUpdate, type UpdateChanges } from "./report-update.ts";

/** An update of a project. */
export interface AlphaUpdateOptions {
  /** What is updated. */
  readonly from: Side;
  /** What it is updated to; the branch is that of the result. */
  readonly to: Side;
  /** Whether conflicts are committed, and an existing branch is overwritten. */
  readonly force: boolean;
  /** Whether the history is kept as a merge. */
  readonly showsCommits: boolean;
  /** Paths that stay as they are in the project. */
  readonly restoredPaths: readonly string[];
  readonly pushes: boolean;
  readonly opensIssue: boolean;
  /** Whether a summary is added to the issue. */
  readonly summarizes: boolean;
  readonly mergeMessage: string | undefined;
  readonly conflictMessage: string | undefined;
  /** Settings of git for the merge, as key=value; `disable` drops the defaults. */
  readonly gitSettings: readonly string[];
  /** The minor version of Kubernetes of the upgraded project; that of PROJECT unless given. */
  readonly kubernetes: KubernetesMinor | undefined;
}

/** A version of the scaffold, and a branch. */
interface Side {
  readonly version: string | undefined;
  /** The packed program of the version; that of the npm registry unless given. */
  readonly tarball: string | undefined;
  readonly branch: string | undefined;
}

/** Merges what this version scaffolds into a branch of the project in the working folder, on a new branch. */
export async function runAlphaUpdate(options: AlphaUpdateOptions, invocation: Invocation): Promise<number> {
  return await withTemporaryFolder("kubescaffold-update", (folder, signal) =>
    updateIn(options, invocation, { folder: realpathSync(folder), signal }),
  );
}

async function updateIn(
  options: AlphaUpdateOptions,
  invocation: Invocation,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<number> {
  const { cwd, program } = invocation;
  await requireRepository(cwd);
  const repository = await UpdateRepository.open(cwd, { folder, isDryRun: invocation.isDryRun });
  const branch = options.from.branch ?? (await repository.defaultBranch());
  const base = await startingPoint(cwd, repository, branch);
  const source = path.join(folder, "project");
  const own = await repository.projectTree(base);
  if (own === undefined) throw noProject();
  await repository.checkOut(own, source);
  const from = options.from.version ?? recordedVersion(source);
  const to = options.to.version ?? program.version;
  if (from === to) {
    reportNothing(invocation, from);
    return 0;
  }
  const output = options.to.branch ?? `kubescaffold-update-from-${from}-to-${to}`;
  await refuseTaken(options, cwd, { repository, output });
  const opensIssue = options.opensIssue && !invocation.isDryRun;
  if (opensIssue) await requireGh(cwd, { summarizes: options.summarizes });
  const update: Update = {
    options,
    invocation,
    signal,
    repository,
    folder,
    source,
    branch,
    base,
    own,
    from,
    to,
    output,
  };
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
  readonly options: AlphaUpdateOptions;
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

function noProject(cause?: unknown): UpdateRefusedError {
  return new UpdateRefusedError("cannot update the project: the branch has no file PROJECT", {
    hint: "pass --from-branch with a branch that contains a project",
    cause,
  });
}

async function refuseTaken(
  { force }: AlphaUpdateOptions,
  cwd: string,
  { repository, output }: Pick<Update, "repository" | "output">,
): Promise<void> {
  if ((await runGit(cwd, ["check-ref-format", "--branch", output])).kind === "failed") {
    throw new InvalidFlagError(`cannot use the branch name "${output}": it is not a valid git branch name`, {
      hint: "pass another --output-branch",
    });
  }
  if ((await repository.commitOf(`refs/heads/${output}`)) === undefined) return;
  const current = await runGit(cwd, ["symbolic-ref", "--quiet", "HEAD"]);
  const isCurrent = current.kind === "done" && current.output.trim() === `refs/heads/${output}`;
  if (force && !isCurrent) return;
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
  recordKubernetes(update, present);
  for (const file of keepConverters({ former, present, source: update.source })) {
    const text = `${file} is kept as it is; docs/reference/conversion.md describes how to adopt generated conversions`;
    invocation.terminal.writeError(`note: ${text}\n`);
  }
  const [first, second] = [`Scaffold of version ${from}`, `Scaffold of version ${to}`];
  const old = await repository.commitFolder(former, first, []);
  const next = await repository.commitFolder(present, second, [old]);
  return { former: old, present: next, messages: [first, second] };
}

async function runVersion(
  { options, invocation: { program }, signal, source, from }: Update,
  version: string,
  folder: string,
): Promise<void> {
  const { tarball } = version === from ? options.from : options.to;
  await (program.runFormer ?? runFormerProgram)({
    version,
    tarball,
    input: source,
    output: folder,
    signal,
  });
}

async function runThis({ invocation, source }: Update, folder: string): Promise<void> {
  const options = { input: source, output: folder, force: false, makesManifests: false };
  const terminal = { ...invocation.terminal, isInteractive: false, writeOut: () => undefined };
  await runAlphaGenerate(options, { ...invocation, terminal, canAsk: false, isDryRun: false, printsJson: false });
}

function recordKubernetes({ options: { kubernetes }, invocation: { terminal } }: Update, folder: string): void {
  const file = path.join(folder, PROJECT_FILE);
  const document = ProjectDocument.parse(readFileSync(file, "utf8"));
  const project = document.requireProject();
  if (kubernetes === undefined) {
    const version = kubernetesVersionOf(project);
    terminal.writeError(`note: the project stays on Kubernetes ${version}; --kubernetes selects another version\n`);
  } else {
    writeFileSync(file, document.print(withKubernetesVersion(project, kubernetes)));
  }
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
  const { options, invocation, repository, branch, base, own, to, output } = update;
  const { former, present } = scaffolds;
  const { gitSettings: given, restoredPaths: restored } = options;
  const config = [...(given.includes("disable") ? [] : MERGE_SETTINGS), ...given.filter((each) => each !== "disable")];
  // The project as scaffolded, as the base for git's merge.
  const project = await repository.commitTree(own, branch, [former]);
  const sides = { "kubescaffold/project": project, [`kubescaffold/scaffold-${to}`]: present };
  const merge = await repository.merge(sides, config);
  const tree = await repository.restore(merge.tree, own, restored);
  const conflicts = merge.conflicts.filter((file) => !restored.some((each) => isBelow(file, each)));
  const changes = await readChanges(repository, own, tree);
  if (invocation.isDryRun) {
    reportUpdate({ ...update, conflicts, changes });
    return 0;
  }
  const parents = options.showsCommits ? [base, await shown(update, scaffolds)] : [base];
  const whole = await repository.repositoryTree(tree, base);
  const commit = await repository.commitTree(whole, messageOf(update, conflicts), parents);
  update.signal.throwIfAborted();
  const isRefused = conflicts.length > 0 && !options.force;
  const target = isRefused ? `${output}-work` : output;
  await repository.ask(["update-ref", `refs/heads/${target}`, commit]);
  if (isRefused) throw new UpdateConflictError(conflicts, target);
  if (options.pushes) await push(update);
  const issue = options.opensIssue ? await announce(update, conflicts, changes) : undefined;
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

function messageOf({ options, repository, from, to }: Update, conflicts: readonly string[]): string {
  const title = `Update the scaffold from ${from} to ${to}`;
  return conflicts.length === 0
    ? (options.mergeMessage ?? title)
    : (options.conflictMessage ?? `${title}, with conflicts\n\n${inRepository(repository, conflicts).join("\n")}`);
}

// What others read of an update has no working folder.
function inRepository({ prefix }: UpdateRepository, files: readonly string[]): readonly string[] {
  return files.map((file) => prefix + file);
}

async function announce(
  { options, invocation: { cwd, program }, repository, from, to, branch, output }: Update,
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
  if (options.summarizes) await commentSummary(cwd, issue, diff);
  return issue;
}

function isBelow(file: string, folder: string): boolean {
  const clean = folder.replace(/^\.\//u, "").replace(/(?<!\/)\/+$/u, "");
  return file === clean || file.startsWith(`${clean}/`);
}

async function push({ options, invocation: { cwd }, output }: Update): Promise<void> {
  const force = options.force ? ["--force"] : [];
  const pushed = await runGit(cwd, ["push", ...force, "origin", `refs/heads/${output}:refs/heads/${output}`]);
  if (pushed.kind === "done") return;
  throw new UpdateRefusedError(`cannot push the branch ${output}: ${pushed.reason}`, {
    hint: `push the branch with \`git push origin ${output}\``,
  });
}

/** What is known when the version is asked for. */
interface KubernetesAsking extends Asking {
  readonly flags: { readonly kubernetes: string | undefined };
}

/** Prompts for the minor version of Kubernetes of the upgraded project, with the recorded one first; a project that cannot be read is left to the command. */
export async function askForKubernetes({ ask, cwd, flags }: KubernetesAsking): Promise<Answers> {
  const recorded = flags.kubernetes === undefined ? recordedIn(cwd) : undefined;
  if (recorded === undefined) return {};
  const others = SUPPORTED_MINORS.filter((minor) => minor !== recorded).toReversed();
  const minor = await ask.one<KubernetesMinor>("Version of Kubernetes", [
    { value: recorded, label: recorded, hint: "that of the project" },
    ...others.map((each) => ({ value: each, label: each })),
  ]);
  return { flags: { kubernetes: minor } };
}

function recordedIn(folder: string): KubernetesMinor | undefined {
  const text = createDiskReader(folder).read(PROJECT_FILE);
  if (text === undefined) return undefined;
  try {
    return kubernetesVersionOf(parseProject(text));
  } catch {
    return undefined;
  }
}
