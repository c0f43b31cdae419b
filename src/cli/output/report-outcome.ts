import type { FileAction } from "../../machinery/file-tree.ts";
import { textDiff } from "../../machinery/text-diff.ts";
import { NPM, type PackageManager, withManager } from "../../project/package-manager.ts";
import type { Invocation } from "../command/command.ts";
import { CancelledError } from "../command/errors.ts";
import { shownPath } from "../session/project-folder.ts";

/** What a command did, or would do. */
export interface Outcome {
  readonly actions: readonly FileAction[];
  /** Files that were overwritten as a whole, whatever was in them. */
  readonly replaced?: readonly string[];
  /** Files that were not written because there were others of that name. */
  readonly skipped?: readonly string[];
  readonly notes?: readonly string[];
  /** What to do next, one line each. */
  readonly next?: readonly string[];
  /** What JSON says beside all this. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Prints what a command waits for. JSON is alone on the standard output, and this is no part of it. */
export function announce(
  { terminal, printsJson, program }: Pick<Invocation, "terminal" | "printsJson"> & { readonly program?: Callers },
  text: string,
): void {
  const line = withCall(text, program ?? {});
  if (printsJson) terminal.writeError(`${line}\n`);
  else terminal.writeOut(`\n${line}\n`);
}

/** Prints what a command did: files and next steps, a diff on a dry run, or all of it as JSON. */
export function reportOutcome(invocation: Invocation, planned: Outcome): void {
  const { terminal, program } = invocation;
  const called = (texts: readonly string[] = []): readonly string[] => texts.map((text) => withCall(text, program));
  const outcome = { ...planned, notes: called(planned.notes), next: called(planned.next) };
  if (invocation.printsJson) {
    terminal.writeOut(`${JSON.stringify(jsonOf(invocation, outcome), undefined, 2)}\n`);
    return;
  }
  if (invocation.isDryRun) {
    for (const action of outcome.actions) terminal.writeOut(`${diffOf(action)}\n`);
    terminal.writeError(`dry run: ${outcome.actions.length} files would change; nothing was written\n`);
    return;
  }
  const replaced = new Set(outcome.replaced);
  for (const { kind, path } of outcome.actions)
    terminal.writeOut(`${replaced.has(path) ? "replaced" : VERBS[kind]} ${shownPath(invocation, path)}\n`);
  if (outcome.skipped !== undefined && outcome.skipped.length > 0)
    terminal.writeOut(`kept    ${keptFiles(outcome.skipped.map((path) => shownPath(invocation, path)))}\n`);
  if (replaced.size > 0) terminal.writeOut(`\n${replacedNote(replaced.size)}\n`);
  for (const note of outcome.notes) terminal.writeOut(`\n${note}\n`);
  if (outcome.next.length > 0) terminal.writeOut(`\nNext:\n${outcome.next.map((line) => `  ${line}\n`).join("")}`);
}

const VERBS: Readonly<Record<FileAction["kind"], string>> = {
  create: "created",
  overwrite: "changed",
  delete: "deleted",
};

// A command may find many files of an earlier one, which says less than what it wrote.
function keptFiles([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return `${first} and ${others.length === 1 ? "1 other existing file" : `${others.length} other existing files`}`;
}

function replacedNote(count: number): string {
  const files = count === 1 ? "1 file" : `${count} files`;
  return `--force replaced ${files}; \`git diff\` shows the previous contents, if committed.`;
}

function jsonOf(
  invocation: Invocation,
  { actions, replaced = [], skipped = [], notes = [], next = [], details = {} }: Outcome,
): object {
  const isDry = invocation.isDryRun;
  return {
    command: invocation.typed,
    dryRun: isDry,
    files: actions.map((action) => ({
      action: action.kind,
      path: action.path,
      ...(isDry ? { diff: diffOf(action) } : {}),
    })),
    replaced,
    skipped,
    notes,
    next,
    ...recoveredIn(invocation),
    ...details,
  };
}

/** Returns the member of JSON reports that names the interrupted commands that a command dealt with; none where there were none. */
export function recoveredIn({ recoveries }: Pick<Invocation, "recoveries">): object {
  return recoveries.length === 0 ? {} : { recovered: recoveries };
}

/** Returns what an action changes, as a diff. */
function diffOf(action: FileAction): string {
  return textDiff({
    path: action.path,
    before: action.kind === "create" ? undefined : action.previous,
    after: action.kind === "delete" ? undefined : action.content,
  });
}

/** What a forced command would remove. */
interface Loss {
  readonly actions: readonly FileAction[];
  /** The paths of the files whose text would be lost. */
  readonly paths: readonly string[];
  readonly verb: "Replace" | "Delete";
}

/**
 * Shows the user what a forced command would remove, and asks whether it is meant. Nothing is asked where nobody can answer,
 * with `--yes`, and on a dry run.
 *
 * Fails: {@link CancelledError} when it is not meant.
 */
export async function confirmReplacing(invocation: Invocation, { actions, paths, verb }: Loss): Promise<void> {
  const { terminal, isDryRun, isConfirmed, canAsk } = invocation;
  const lost = actions.filter((action) => paths.includes(action.path) && action.kind !== "create");
  if (lost.length === 0 || isDryRun || isConfirmed || !canAsk) return;
  for (const action of lost) terminal.writeOut(`${diffOf(action)}\n`);
  const { createAsker } = await import("../prompts/prompter.ts");
  const files = lost.length === 1 ? (lost[0]?.path ?? "") : `these ${lost.length} files`;
  if (!(await createAsker(terminal).yesNo(`${verb} ${files} as shown above?`, false))) throw new CancelledError();
}

/**
 * Returns a text with the program called as the user called it, in commands between backticks and at the start of lines, and with the commands of the
 * project's package manager.
 *
 * `npx kubescaffold`, which needs no installation, stays where the user called the program with npx: it may be for another folder.
 */
export function withCall(text: string, { calledAs, packageManager = NPM }: Callers): string {
  return withManager(calledAs === undefined ? text : ownCalls(text, calledAs), packageManager);
}

/** How the user calls the program, and the scripts of the project. */
export interface Callers {
  readonly calledAs?: string | undefined;
  readonly packageManager?: PackageManager | undefined;
}

function ownCalls(text: string, call: string): string {
  return text.replaceAll(COMMAND, (command, start: string, words: string) =>
    words === "npx kubescaffold" && call.startsWith("npx ") ? command : `${start}${call}`,
  );
}

const COMMAND = /(^|`)((?:npx )?(?:kube)?scaffold)(?= (?:--)?[a-z])/gmu;
