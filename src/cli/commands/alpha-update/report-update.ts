import type { Issue } from "../../../upgrade/github-issue.ts";
import type { UpdateRepository } from "../../../upgrade/update-repository.ts";
import type { Invocation } from "../../command/command.ts";
import { withCall } from "../../output/report-outcome.ts";

/** What an update changes in the branch that it begins from. */
export interface UpdateChanges {
  readonly files: readonly { readonly action: string; readonly path: string }[];
  readonly diff: string;
}

/** What an update did, or would do. */
export interface UpdateReport {
  readonly invocation: Invocation;
  readonly from: string;
  readonly to: string;
  /** The branch of the result. */
  readonly output: string;
  readonly commit?: string;
  readonly conflicts: readonly string[];
  readonly changes: UpdateChanges;
  readonly issue?: Issue | undefined;
}

const ACTIONS: Readonly<Record<string, string>> = { A: "create", D: "delete" };

/** Reads what differs between a commit and a tree. */
export async function readChanges(repository: UpdateRepository, base: string, tree: string): Promise<UpdateChanges> {
  const listed = await repository.read(["diff", "--no-renames", "--name-status", "-z", base, tree]);
  const words = listed.split("\0").filter((word) => word !== "");
  const files = words.flatMap((word, index) =>
    index % 2 === 0 ? [{ action: ACTIONS[word] ?? "overwrite", path: words[index + 1] ?? "" }] : [],
  );
  return { files, diff: await repository.read(["diff", "--no-renames", "--no-color", "--no-ext-diff", base, tree]) };
}

/** Says that an update has nothing to do. */
export function reportNothing(invocation: Invocation, version: string): void {
  const text = `The project is up to date with version ${version}.`;
  if (!invocation.printsJson) invocation.terminal.writeOut(`${text}\n`);
  else print(invocation, { from: version, to: version, files: [], notes: [text] });
}

/** Prints what an update did: what to do next, a diff on a dry run, or all of it as JSON. */
export function reportUpdate(report: UpdateReport): void {
  const { invocation } = report;
  if (invocation.printsJson) printJson(report);
  else if (invocation.isDryRun) printDiff(report);
  else printNext(report);
}

function printJson({ invocation, from, to, output, commit, conflicts, changes, issue }: UpdateReport): void {
  print(invocation, {
    from,
    to,
    branch: output,
    ...(commit === undefined ? {} : { commit }),
    files: changes.files,
    conflicts,
    ...(invocation.isDryRun ? { diff: changes.diff } : {}),
    ...(issue === undefined ? {} : { issue }),
  });
}

function print(invocation: Invocation, facts: object): void {
  const shown = { command: invocation.typed, dryRun: invocation.isDryRun, ...facts };
  invocation.terminal.writeOut(`${JSON.stringify(shown, undefined, 2)}\n`);
}

function printDiff({ invocation: { terminal }, changes, conflicts }: UpdateReport): void {
  terminal.writeOut(changes.diff);
  if (conflicts.length > 0)
    terminal.writeError(`there would be conflicts in:\n${conflicts.map((file) => `  ${file}\n`).join("")}`);
  terminal.writeError(`dry run: ${changes.files.length} files would change; nothing was written\n`);
}

function printNext({ invocation: { terminal, program }, from, to, output, conflicts, issue }: UpdateReport): void {
  terminal.writeOut(`The branch ${output} contains the project upgraded from ${from} to ${to}.\n`);
  if (conflicts.length > 0)
    terminal.writeOut(`\nResolve the conflicts in:\n${conflicts.map((file) => `  ${file}\n`).join("")}`);
  if (issue !== undefined)
    terminal.writeOut(`\n${issue.isNew ? "Opened the issue" : "The issue is already open:"} ${issue.url}\n`);
  const steps = "  npm install\n  npm run manifests && npm run generate\n  npm test\n";
  terminal.writeOut(`\nNext:\n  git switch ${output}\n${withCall(steps, program)}`);
}
