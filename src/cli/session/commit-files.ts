import { existsSync } from "node:fs";

import { commitActions } from "../../machinery/commit.ts";
import { realDisk, unsyncedDisk } from "../../machinery/disk.ts";
import type { FileAction } from "../../machinery/file-tree.ts";
import { journalFolder, type Recovery, recoverJournal, STATE_FOLDER } from "../../machinery/journal.ts";
import { acquireLock } from "../../machinery/project-lock.ts";
import type { Invocation } from "../command.ts";

/** Writes generated files outside of a longer session: takes the lock only when something differs. */
export async function commitGenerated(
  invocation: Invocation,
  root: string,
  actions: readonly FileAction[],
): Promise<void> {
  if (actions.length === 0) return;
  const lock = await acquireLock({ root, command: invocation.typed });
  try {
    await commitActions({ root, command: invocation.typed, actions, disk: unsyncedDisk });
  } finally {
    await lock.release();
  }
}

/** Completes or discards what an interrupted command left in a folder; without anything left it touches nothing. */
export async function recoverInterrupted(invocation: Invocation, root: string): Promise<void> {
  if (!existsSync(journalFolder(root))) return;
  const lock = await acquireLock({ root, command: invocation.typed });
  try {
    await recoverWithLock(invocation, root);
  } finally {
    await lock.release();
  }
}

/** Does what {@link recoverInterrupted} does for a command that holds the lock. */
export async function recoverWithLock({ terminal }: Invocation, root: string): Promise<void> {
  const recovery = await recoverJournal(realDisk, root);
  if (recovery !== undefined) terminal.writeError(`${describeRecovery(recovery)}\n`);
}

function describeRecovery({ outcome, command, files }: Recovery): string {
  return outcome === "completed"
    ? `note: completed \`${command}\`, which was interrupted while it wrote ${files.length} files`
    : `note: discarded what an interrupted command had prepared in ${STATE_FOLDER}; the project is as it was before`;
}
