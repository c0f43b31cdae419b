import { existsSync } from "node:fs";

import { ScaffoldError } from "@kubescaffold/k8s";

import { JOURNAL_FOLDER, shownPaths } from "../../machinery/commit/journal-manifest.ts";
import {
  inspectJournal,
  journalFolder,
  type JournalState,
  type Recovery,
  recoverJournal,
} from "../../machinery/commit/journal.ts";
import { isLocked, waitForLock } from "../../machinery/commit/project-lock.ts";
import { printable, STATE_FOLDER } from "../../machinery/commit/project-paths.ts";
import { realDisk } from "../../machinery/disk.ts";
import { NPM, withManager } from "../../project/package-manager.ts";
import type { Invocation } from "../command/command.ts";

/** Completes or discards what an interrupted command left in a folder; without anything left it touches nothing. */
export async function recoverInterrupted(invocation: Invocation, root: string): Promise<void> {
  if (!existsSync(journalFolder(root))) return;
  const lock = await waitForLock({ root, command: invocation.typed, terminal: invocation.terminal });
  try {
    const recovery = await recoverJournal(realDisk, { root });
    if (recovery !== undefined) reportRecovery(invocation, recovery);
  } finally {
    await lock.release();
  }
}

/** Reports what an interrupted command left, and what became of it. */
export function reportRecovery({ terminal, recoveries }: Invocation, recovery: Recovery): void {
  recoveries.push(recovery);
  terminal.writeError(`${describeRecovery(recovery)}\n`);
}

function describeRecovery({ outcome, command, files }: Recovery): string {
  return outcome === "completed"
    ? `note: completed \`${printable(command)}\`, which was interrupted while writing ${countedFiles(files)}:\n${files.map((file) => `  ${file}`).join("\n")}`
    : `note: discarded the files that an interrupted command prepared in ${STATE_FOLDER}; the project was not changed`;
}

function countedFiles(files: readonly string[]): string {
  return files.length === 1 ? "1 file" : `${files.length} files`;
}

/** What an interrupted command left, for a command that changes nothing. */
export interface Interruption {
  readonly message: string;
  readonly hint: string;
}

/** Returns what an interrupted command left in a folder, if anything; writes nothing. A command that is running was not interrupted. */
export async function findInterruption(root: string): Promise<Interruption | undefined> {
  try {
    if (!existsSync(journalFolder(root))) return undefined;
    const state = await inspectJournal(realDisk, { root });
    return (await isLocked({ root })) ? undefined : describeState(state);
  } catch (error) {
    if (error instanceof ScaffoldError) return { message: error.message, hint: error.hint ?? "" };
    throw error;
  }
}

const HOW_TO_COMPLETE = "run `npx scaffold doctor --fix`, or any command that writes, to";

function describeState(state: JournalState): Interruption | undefined {
  switch (state.kind) {
    case "absent":
    case "applied":
      return undefined;
    case "unsealed":
      return {
        message: "a command was interrupted before it wrote anything",
        hint: `${HOW_TO_COMPLETE} remove ${JOURNAL_FOLDER}`,
      };
    case "untrusted":
      return { message: state.error.message, hint: state.error.hint ?? "" };
    case "sealed": {
      const { command, entries } = state.manifest;
      const files = entries.map((entry) => entry.path);
      return {
        message: `\`${printable(command)}\` was interrupted while writing ${countedFiles(files)}: ${shownPaths(files)}`,
        hint: `${HOW_TO_COMPLETE} complete it`,
      };
    }
  }
}

/** Prints what an interrupted command left in a folder, if anything; writes nothing else. */
export async function noteInterruption({ terminal, program }: Invocation, root: string): Promise<void> {
  const found = await findInterruption(root);
  if (found !== undefined)
    terminal.writeError(
      `note: ${found.message}; nothing was changed\n  ${withManager(found.hint, program.packageManager ?? NPM)}\n`,
    );
}
