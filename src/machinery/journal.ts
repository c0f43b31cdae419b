import { createHash } from "node:crypto";
import path from "node:path";

import { type Disk, systemCodeOf } from "./disk.ts";
import { JournalConflictError, NotAFolderError } from "./errors.ts";

/** The folder that commands keep their lock and journal in, in the root of a project. */
export const STATE_FOLDER = ".kubescaffold";

const JOURNAL_FOLDER = "journal";
const MANIFEST = "manifest.json";
const FORMAT = 1;

/** One step of a commit: the file that is put in place or removed, with hashes of what it held before and will hold after. */
export interface JournalEntry {
  readonly path: string;
  /** The name of the new content inside the journal; left out when the file is removed. */
  readonly content?: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What the manifest of a journal says. */
export interface JournalManifest {
  readonly format: number;
  readonly command: string;
  readonly entries: readonly JournalEntry[];
}

/** How an unfinished commit was dealt with. */
export interface Recovery {
  readonly outcome: "completed" | "discarded";
  readonly command: string;
  readonly files: readonly string[];
}

/** Returns the folder of the journal of a project. */
export function journalFolder(root: string): string {
  return path.join(root, STATE_FOLDER, JOURNAL_FOLDER);
}

/** Returns the hash by which a journal knows a file's content. */
export function contentHash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Writes the manifest, which makes the journal whole: from here on the commit will be completed whatever happens. */
export async function sealJournal(disk: Disk, root: string, manifest: Omit<JournalManifest, "format">): Promise<void> {
  const folder = journalFolder(root);
  const body = JSON.stringify({ format: FORMAT, ...manifest });
  const draft = path.join(folder, `${MANIFEST}.new`);
  await disk.writeSynced(draft, JSON.stringify({ hash: contentHash(body), body }), 0o644);
  await disk.rename(draft, path.join(folder, MANIFEST));
  await disk.syncFolder(folder);
}

/** Puts the contents of a sealed journal in place, in its order. Guarantees: may be called again after it was interrupted anywhere. */
export async function applyJournal(disk: Disk, root: string, manifest: JournalManifest): Promise<void> {
  const folder = journalFolder(root);
  for (const entry of manifest.entries) {
    const target = path.join(root, entry.path);
    if (entry.content === undefined) await ignoreAbsent(disk.remove(target));
    else if ((await disk.kindOf(path.join(folder, entry.content))) === "file") {
      await moveIntoPlace(disk, path.join(folder, entry.content), target);
    }
  }
  const folders = new Set(manifest.entries.map((entry) => path.dirname(path.join(root, entry.path))));
  await Promise.all([...folders].map((each) => ignoreAbsent(disk.syncFolder(each))));
  const removed = manifest.entries.filter((entry) => entry.content === undefined);
  for (const { path: file } of removed) await removeEmptyFolders(disk, root, path.dirname(file));
}

// A folder that holds nothing any more goes with its last file; what cannot be removed does no harm.
async function removeEmptyFolders(disk: Disk, root: string, folder: string): Promise<void> {
  for (let each = folder; each !== "." && each !== path.dirname(each); each = path.dirname(each)) {
    try {
      await disk.removeFolder(path.join(root, each));
    } catch {
      return;
    }
  }
}

/** Removes the journal of a project, and the state folder when nothing else is in it. */
export async function removeJournal(disk: Disk, root: string): Promise<void> {
  const folder = journalFolder(root);
  // Without its manifest the rest is rubbish, which a later command may remove.
  await ignoreAbsent(disk.remove(path.join(folder, MANIFEST)));
  await disk.removeTree(folder);
}

/**
 * Deals with what an interrupted command left: completes a journal that is whole, discards one that is not.
 *
 * Fails: {@link JournalConflictError} when files that the journal would replace have been changed since, or its contents are damaged.
 */
export async function recoverJournal(disk: Disk, root: string): Promise<Recovery | undefined> {
  const folder = journalFolder(root);
  const kind = await disk.kindOf(folder);
  if (kind === "absent") return undefined;
  if (kind === "file" || kind === "other") throw new NotAFolderError(`${STATE_FOLDER}/${JOURNAL_FOLDER}`);
  const manifest = await readManifest(disk, folder);
  if (manifest === undefined) {
    const isFinished = !(await disk.list(folder)).some((name) => name.endsWith(".new"));
    await disk.removeTree(folder);
    // All contents were in place and only the folder was left: nothing is to be told.
    if (isFinished) return undefined;
    return { outcome: "discarded", command: "", files: [] };
  }
  await requireUnchanged(disk, root, manifest);
  await applyJournal(disk, root, manifest);
  await removeJournal(disk, root);
  return { outcome: "completed", command: manifest.command, files: manifest.entries.map((entry) => entry.path) };
}

async function readManifest(disk: Disk, folder: string): Promise<JournalManifest | undefined> {
  const file = path.join(folder, MANIFEST);
  if ((await disk.kindOf(file)) !== "file") return undefined;
  try {
    const { hash, body } = JSON.parse(await disk.readFile(file)) as { readonly hash: string; readonly body: string };
    if (hash !== contentHash(body)) return undefined;
    const manifest = JSON.parse(body) as JournalManifest;
    return manifest.format === FORMAT ? manifest : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

async function requireUnchanged(disk: Disk, root: string, manifest: JournalManifest): Promise<void> {
  const folder = journalFolder(root);
  for (const entry of manifest.entries) {
    const pending = entry.content === undefined ? undefined : path.join(folder, entry.content);
    const isPending = pending !== undefined && (await disk.kindOf(pending)) === "file";
    if (pending !== undefined && !isPending) continue;
    const now = await hashOf(disk, path.join(root, entry.path));
    if (now !== entry.before && now !== entry.after) throw conflict(manifest, entry.path, "has been changed since");
    if (isPending && (await hashOf(disk, pending)) !== entry.after)
      throw conflict(manifest, entry.path, "is damaged in the journal");
  }
}

function conflict(manifest: JournalManifest, file: string, why: string): JournalConflictError {
  return new JournalConflictError(
    `cannot complete \`${manifest.command}\`, which was interrupted while it wrote: ${file} ${why}`,
    {
      hint: `bring ${file} back to what it was, or remove ${STATE_FOLDER}/${JOURNAL_FOLDER} to keep the files as they are`,
    },
  );
}

async function hashOf(disk: Disk, target: string): Promise<string | null> {
  return (await disk.kindOf(target)) === "file" ? contentHash(await disk.readFile(target)) : null;
}

async function moveIntoPlace(disk: Disk, from: string, to: string): Promise<void> {
  await makeFolders(disk, path.dirname(to));
  await disk.rename(from, to);
}

/** Makes a folder and those above it, and tells of each that was not there when it is made, outermost first. */
export async function makeFolders(
  disk: Disk,
  folder: string,
  onMade: (folder: string) => void = () => undefined,
): Promise<void> {
  if ((await disk.kindOf(folder)) !== "absent") return;
  await makeFolders(disk, path.dirname(folder), onMade);
  try {
    await disk.makeFolder(folder);
    onMade(folder);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  }
}

async function ignoreAbsent(step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
}
