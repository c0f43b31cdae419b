import path from "node:path";

import { diskFailure } from "./disk-failure.ts";
import { type Disk, realDisk } from "./disk.ts";
import { DanglingLinkError, DiskError, NotAFolderError, NotARegularFileError } from "./errors.ts";
import type { FileAction } from "./file-tree.ts";
import {
  applyJournal,
  contentHash,
  journalFolder,
  type JournalEntry,
  makeFolders,
  removeJournal,
  sealJournal,
} from "./journal.ts";

/** What is committed, and in whose name. */
export interface CommitOptions {
  readonly root: string;
  /** What the user typed, for the message of a recovery. */
  readonly command: string;
  readonly actions: readonly FileAction[];
  /** The file that is put in place after all others. */
  readonly last?: string;
  readonly disk?: Disk;
}

/**
 * Writes all planned changes, or none.
 *
 * The new contents and a manifest are written and synced below `.kubescaffold/journal` first, then renamed into place. Guarantees: whenever the process
 * is killed, {@link recoverJournal} brings the tree to the old or to the new state; a failure before the first rename leaves no trace.
 * Fails: {@link NotARegularFileError}, {@link NotAFolderError}, {@link DanglingLinkError}, {@link DiskError}.
 */
export async function commitActions(options: CommitOptions): Promise<void> {
  const { root, command, last, disk = realDisk } = options;
  const actions = ordered(options.actions, last);
  if (actions.length === 0) return;
  await requireAllWritable(disk, root, actions);
  const entries = actions.map((action, index) => entryFor(action, index));
  await prepare(disk, { root, command, actions, entries });
  await finish(disk, { root, command, entries });
}

function ordered(actions: readonly FileAction[], last: string | undefined): readonly FileAction[] {
  return [...actions.filter((action) => action.path !== last), ...actions.filter((action) => action.path === last)];
}

async function requireAllWritable(disk: Disk, root: string, actions: readonly FileAction[]): Promise<void> {
  try {
    for (const action of actions) await requireWritable(disk, root, action.path);
  } catch (error) {
    throw diskFailure(error, { what: "write the project", outcome: "nothing was changed" });
  }
}

async function requireWritable(disk: Disk, root: string, relative: string): Promise<void> {
  const kind = await disk.kindOf(path.join(root, relative));
  if (kind !== "absent" && kind !== "file") throw new NotARegularFileError(relative, describeKind(kind));
  const parent = await nearestFolder(disk, path.dirname(path.join(root, relative)), root);
  if (!(await disk.isWritable(parent))) {
    throw new DiskError(`cannot write ${relative}: the folder ${parent} is read-only`, {
      hint: "make the folder writable; nothing was written",
    });
  }
}

function describeKind(kind: "folder" | "link" | "other"): string {
  return { folder: "a folder", link: "a symbolic link", other: "not a regular file" }[kind];
}

async function nearestFolder(disk: Disk, folder: string, root: string): Promise<string> {
  const kind = await disk.kindOf(folder);
  if (kind === "absent") return nearestFolder(disk, path.dirname(folder), root);
  const target = kind === "link" ? await disk.targetKindOf(folder) : kind;
  if (target === "folder") return folder;
  const shown = path.relative(root, folder).replaceAll("\\", "/");
  throw target === "absent" ? new DanglingLinkError(shown) : new NotAFolderError(shown);
}

function entryFor(action: FileAction, index: number): JournalEntry {
  const before = action.kind === "create" ? null : contentHash(action.previous);
  if (action.kind === "delete") return { path: action.path, before, after: null };
  return { path: action.path, content: `${index}.new`, before, after: contentHash(action.content) };
}

interface Preparation {
  readonly root: string;
  readonly command: string;
  readonly actions: readonly FileAction[];
  readonly entries: readonly JournalEntry[];
}

// Everything that can run out of space happens here; folders are made now so that later there are only renames.
async function prepare(disk: Disk, { root, command, actions, entries }: Preparation): Promise<void> {
  const folder = journalFolder(root);
  const made: string[] = [];
  const onMade = (each: string): void => void made.push(each);
  try {
    await makeFolders(disk, folder, onMade);
    const writes = actions.map((action, index) => writeContent(disk, root, { action, entry: entries[index] }));
    // All of them must have ended before anything is cleaned up.
    const failed = (await Promise.allSettled(writes)).find((write) => write.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    for (const entry of entries) {
      if (entry.content !== undefined) await makeFolders(disk, path.dirname(path.join(root, entry.path)), onMade);
    }
    await sealJournal(disk, root, { command, entries });
  } catch (error) {
    await undo(disk, root, made);
    throw diskFailure(error, { what: "write the project", outcome: "nothing was changed" });
  }
}

async function writeContent(
  disk: Disk,
  root: string,
  { action, entry }: { readonly action: FileAction; readonly entry: JournalEntry | undefined },
): Promise<void> {
  if (action.kind === "delete" || entry?.content === undefined) return;
  const mode = (await disk.modeOf(path.join(root, action.path))) ?? (action.isExecutable ? 0o755 : 0o644);
  await disk.writeSynced(path.join(journalFolder(root), entry.content), action.content, mode);
}

async function finish(
  disk: Disk,
  {
    root,
    command,
    entries,
  }: {
    readonly root: string;
    readonly command: string;
    readonly entries: readonly JournalEntry[];
  },
): Promise<void> {
  try {
    await applyJournal(disk, root, { format: 1, command, entries });
    await removeJournal(disk, root);
  } catch (error) {
    const outcome = "some files may be in place already; the next command completes the change";
    throw diskFailure(error, { what: "write the project", outcome });
  }
}

async function undo(disk: Disk, root: string, made: readonly string[]): Promise<void> {
  // The disk has failed already: what cannot be cleaned up now is discarded by the next command.
  await removeJournal(disk, root).catch(() => undefined);
  for (const folder of made.toReversed()) await disk.removeFolder(folder).catch(() => undefined);
}
