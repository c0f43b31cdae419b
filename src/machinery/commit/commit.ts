import path from "node:path";

import { diskFailure } from "../disk-failure.ts";
import { type Disk, realDisk } from "../disk.ts";
import { DanglingLinkError, DiskError, NotAFolderError, NotARegularFileError } from "../errors.ts";
import type { FileAction } from "../file-tree.ts";
import {
  type JournalKeyOptions,
  readJournalKey,
  contentHash,
  contentName,
  JOURNAL_FOLDER,
  type JournalEntry,
} from "./journal-manifest.ts";
import { applyJournal, journalFolder, makeFolders, removeJournal, sealJournal } from "./journal.ts";
import { leavesRoot, printable, requireContained, requireNoLinks, requireProjectPath } from "./project-paths.ts";

/** What is committed, and in whose name. */
export interface CommitOptions {
  readonly root: string;
  /** What the user typed, for the message of a recovery. */
  readonly command: string;
  readonly actions: readonly FileAction[];
  /** The file that is put in place after all others. */
  readonly last?: string;
  /** Whether the user named folders outside of the project to write to. */
  readonly allowsOutside?: boolean;
  /** Checks what is written, while the disk takes it: nothing is changed if it fails. */
  readonly check?: () => Promise<void>;
  readonly disk?: Disk;
  /** The folder of the key that signs the journal; the user's cache folder unless given. */
  readonly cacheFolder?: string | undefined;
}

/**
 * Writes all planned changes, or none.
 *
 * The new contents and a manifest are written and synced below `.kubescaffold/journal` first, then renamed into place. Guarantees: whenever the process
 * is killed, {@link recoverJournal} brings the tree to the old or to the new state; a failure before the first rename leaves no trace. Nothing is written
 * through a symbolic link that leads out of the project, nor into the folders of git and of running commands.
 * Where the user's cache folder cannot be written, the journal has no signature: a commit that is killed half-way is then left to the user.
 * Fails: `OutsideProjectError`, `SymbolicLinkError`, {@link NotARegularFileError}, {@link NotAFolderError}, {@link DanglingLinkError}, {@link DiskError}, or
 * as the check does.
 */
export async function commitActions(options: CommitOptions): Promise<void> {
  const { root, command, last, allowsOutside = false, check, disk = realDisk, cacheFolder } = options;
  const actions = ordered(options.actions, last);
  if (actions.length === 0) return;
  for (const action of actions) requireAllowed(action, allowsOutside);
  await requireAllWritable(disk, root, actions);
  const entries = actions.map((action, index) => entryFor(action, index));
  const key = { root, cacheFolder };
  await prepare(disk, { key, command, actions, entries, check });
  await finish(disk, { key, command, entries });
}

function requireAllowed({ path: file }: FileAction, allowsOutside: boolean): void {
  const plain = path.posix.normalize(file);
  const isNamed = allowsOutside && plain.startsWith("../");
  requireProjectPath(isNamed ? plain.replace(/^(?:\.\.\/)+/u, "") : plain);
}

function ordered(actions: readonly FileAction[], last: string | undefined): readonly FileAction[] {
  return [...actions.filter((action) => action.path !== last), ...actions.filter((action) => action.path === last)];
}

async function requireAllWritable(disk: Disk, root: string, actions: readonly FileAction[]): Promise<void> {
  try {
    await requireNoLinks(disk, root, JOURNAL_FOLDER);
    for (const action of actions) {
      await requireContained(disk, root, path.posix.normalize(action.path));
      await requireWritable(disk, root, action.path);
    }
  } catch (error) {
    throw diskFailure(error, { what: "write the project", outcome: "nothing was changed" });
  }
}

async function requireWritable(disk: Disk, root: string, relative: string): Promise<void> {
  const kind = await disk.kindOf(path.join(root, relative));
  if (kind === "link") throw new NotARegularFileError(relative, await describeLink(disk, path.join(root, relative)));
  if (kind === "folder" || kind === "other") throw new NotARegularFileError(relative, describeKind(kind));
  const parent = await nearestFolder(disk, path.dirname(path.join(root, relative)), root);
  if (!(await disk.isWritable(parent))) {
    throw new DiskError(`cannot write ${relative}: the folder ${parent} is read-only`, {
      hint: "make the folder writable; nothing was written",
    });
  }
}

async function describeLink(disk: Disk, link: string): Promise<string> {
  return `a symbolic link to ${printable(await disk.readLink(link))}`;
}

function describeKind(kind: "folder" | "other"): string {
  return { folder: "a folder", other: "not a regular file" }[kind];
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
  const file = path.posix.normalize(action.path);
  const place = { path: file, ...(leavesRoot(file) ? { isOutside: true as const } : {}) };
  if (action.kind === "delete") return { ...place, before, after: null };
  return { ...place, content: contentName(index), before, after: contentHash(action.content) };
}

interface Preparation {
  readonly key: JournalKeyOptions;
  readonly command: string;
  readonly actions: readonly FileAction[];
  readonly entries: readonly JournalEntry[];
  readonly check: (() => Promise<void>) | undefined;
}

// Everything that can run out of space happens here; folders are made now so that later there are only renames.
async function prepare(disk: Disk, { key, command, actions, entries, check }: Preparation): Promise<void> {
  const { root } = key;
  const folder = journalFolder(root);
  const made: string[] = [];
  const onMade = (each: string): void => void made.push(each);
  try {
    await makeFolders(disk, folder, onMade);
    // All of them must have ended before anything is cleaned up.
    const ended = await Promise.allSettled([
      check?.(),
      ...actions.map((action, index) => writeContent(disk, root, { action, entry: entries[index] })),
      makeFoldersOf(entries, async (place) => await makeFolders(disk, path.join(root, place), onMade)),
    ]);
    const failed = ended.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await sealJournal(disk, { command, entries }, key);
  } catch (error) {
    await undo(disk, root, made);
    throw diskFailure(error, { what: "write the project", outcome: "nothing was changed" });
  }
}

async function makeFoldersOf(entries: readonly JournalEntry[], make: (folder: string) => Promise<void>): Promise<void> {
  const written = entries.filter(({ content }) => content !== undefined);
  for (const folder of new Set(written.map((entry) => path.dirname(entry.path)))) await make(folder);
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

async function finish(disk: Disk, { key, command, entries }: Omit<Preparation, "actions" | "check">): Promise<void> {
  const { root } = key;
  try {
    await applyJournal(disk, root, { command, entries });
    await removeJournal(disk, root);
  } catch (error) {
    const isSigned = readJournalKey(key) !== undefined;
    const what = isSigned
      ? "the next command completes the change"
      : `compare the project with version control, then remove ${JOURNAL_FOLDER}`;
    throw diskFailure(error, { what: "write the project", outcome: `some files may already be written; ${what}` });
  }
}

async function undo(disk: Disk, root: string, made: readonly string[]): Promise<void> {
  // The disk has failed already: what cannot be cleaned up now is discarded by the next command.
  await removeJournal(disk, root).catch(() => undefined);
  for (const folder of made.toReversed()) await disk.removeFolder(folder).catch(() => undefined);
}
