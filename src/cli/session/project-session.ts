import { existsSync } from "node:fs";
import path from "node:path";

import { commitActions } from "../../machinery/commit.ts";
import { createDiskReader, pathKindSync, realDisk, unsyncedDisk } from "../../machinery/disk.ts";
import { NotARegularFileError, OutsideProjectError } from "../../machinery/errors.ts";
import { type FileAction, FileTree } from "../../machinery/file-tree.ts";
import { journalFolder, recoverJournal, type Recovery, STATE_FOLDER } from "../../machinery/journal.ts";
import { acquireLock } from "../../machinery/project-lock.ts";
import { ProjectNotFoundError } from "../../project/errors.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../project/project-config.ts";
import { parseProject } from "../../project/project-file.ts";
import type { Invocation } from "../command.ts";

/** The project a command works in, for as long as it holds the lock. */
export interface ProjectSession {
  readonly root: string;
  readonly tree: FileTree;
  /** Writes changes, all or none, and makes a new tree unnecessary: nothing is read after it. */
  readonly commit: (actions: readonly FileAction[]) => Promise<void>;
}

/**
 * Runs a command's work in a project: takes the lock, deals with what an interrupted command left, and gives the lock up at the end.
 *
 * A dry run takes the lock only to deal with an interrupted command, since it writes nothing of its own.
 */
export async function withProjectSession<T>(
  invocation: Invocation,
  options: { readonly isDryRun: boolean },
  work: (session: ProjectSession) => Promise<T>,
): Promise<T> {
  const root = invocation.cwd;
  if (options.isDryRun) {
    await recoverInterrupted(invocation, root);
    return work(sessionFor(invocation, root));
  }
  const lock = await acquireLock({ root, command: invocation.typed });
  try {
    await recoverWithLock(invocation, root);
    return await work(sessionFor(invocation, root));
  } finally {
    await lock.release();
  }
}

/** Reads PROJECT of a session. Fails: `ProjectNotFoundError`, `ProjectInvalidError`, `NotARegularFileError`. */
export function loadProject({ root, tree }: Pick<ProjectSession, "root" | "tree">): {
  readonly project: ProjectConfig;
  readonly text: string;
} {
  const kind = pathKindSync(path.join(root, PROJECT_FILE));
  if (kind === "absent") throw new ProjectNotFoundError(root);
  if (kind === "folder" || kind === "other")
    throw new NotARegularFileError(PROJECT_FILE, kind === "folder" ? "a folder" : "not a regular file");
  const text = tree.readExisting(PROJECT_FILE);
  return { project: parseProject(text), text };
}

// PROJECT may come from anyone.
function refuseOutside(actions: readonly FileAction[]): void {
  const outside = actions.find((action) => /^(?:\.\.(?:\/|$)|\/)/u.test(path.posix.normalize(action.path)));
  if (outside !== undefined) throw new OutsideProjectError(outside.path);
}

function sessionFor(invocation: Invocation, root: string): ProjectSession {
  return {
    root,
    tree: new FileTree(createDiskReader(root)),
    commit: async (actions) => {
      refuseOutside(actions);
      await commitActions({ root, command: invocation.typed, actions, last: PROJECT_FILE });
    },
  };
}

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
async function recoverWithLock({ terminal }: Invocation, root: string): Promise<void> {
  const recovery = await recoverJournal(realDisk, root);
  if (recovery !== undefined) terminal.writeError(`${describeRecovery(recovery)}\n`);
}

function describeRecovery({ outcome, command, files }: Recovery): string {
  return outcome === "completed"
    ? `note: completed \`${command}\`, which was interrupted while it wrote ${files.length} files`
    : `note: discarded what an interrupted command had prepared in ${STATE_FOLDER}; the project is as it was before`;
}
