import path from "node:path";

import { type Disk, systemCodeOf } from "../disk.ts";
import { JournalConflictError, NotAFolderError, UntrustedJournalError } from "../errors.ts";
import {
  type JournalKeyOptions,
  contentHash,
  JOURNAL_FOLDER,
  type JournalEntry,
  type JournalManifest,
  printManifest,
  readManifest,
  unreadableManifest,
} from "./journal-manifest.ts";
import { requireContained, requireNoLinks } from "./project-paths.ts";

const MANIFEST = "manifest.json";
const LARGEST_MANIFEST_BYTES = 32 * 1024 * 1024;

/** How an unfinished commit was dealt with. */
export interface Recovery {
  readonly outcome: "completed" | "discarded";
  readonly command: string;
  readonly files: readonly string[];
}

/** What is in the place of a project's journal. */
export type JournalState =
  | { readonly kind: "absent" }
  /** All contents are in place, and only the folder is left. */
  | { readonly kind: "applied" }
  /** Without a manifest: nothing of the commit is in place. */
  | { readonly kind: "unsealed" }
  | { readonly kind: "untrusted"; readonly error: UntrustedJournalError }
  /** The commit has to be completed. */
  | { readonly kind: "sealed"; readonly manifest: JournalManifest };

/** Returns the folder of the journal of a project. */
export function journalFolder(root: string): string {
  return path.join(root, JOURNAL_FOLDER);
}

/** Writes the manifest, which makes the journal whole: from here on the commit will be completed regardless of what is interrupted. */
export async function sealJournal(disk: Disk, manifest: JournalManifest, options: JournalKeyOptions): Promise<void> {
  const folder = journalFolder(options.root);
  const draft = path.join(folder, `${MANIFEST}.new`);
  await disk.writeSynced(draft, printManifest(manifest, options), 0o644);
  await disk.rename(draft, path.join(folder, MANIFEST));
  await disk.syncFolder(folder);
}

/** Puts the contents of a sealed journal in place, in its order. Guarantees: may be called again after it was interrupted anywhere. */
export async function applyJournal(disk: Disk, root: string, { entries }: JournalManifest): Promise<void> {
  const folder = journalFolder(root);
  for (const entry of entries) {
    const target = path.join(root, entry.path);
    if (entry.content === undefined) await ignoreAbsent(disk.remove(target));
    else if ((await disk.kindOf(path.join(folder, entry.content))) === "file") {
      await moveIntoPlace(disk, path.join(folder, entry.content), target);
    }
  }
  const folders = new Set(entries.map((entry) => path.dirname(path.join(root, entry.path))));
  await Promise.all([...folders].map((each) => ignoreAbsent(disk.syncFolder(each))));
  const removed = entries.filter((entry) => entry.content === undefined && entry.isOutside !== true);
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
 * Guarantees: only a journal that this program wrote, for this user, in this folder is applied.
 * Fails: {@link UntrustedJournalError} for any other; {@link JournalConflictError} when files that the journal would replace have been changed since, or
 * its contents are damaged; `SymbolicLinkError` when a link leads out of the project.
 */
export async function recoverJournal(disk: Disk, options: JournalKeyOptions): Promise<Recovery | undefined> {
  const { root } = options;
  const state = await inspectJournal(disk, options);
  switch (state.kind) {
    case "absent":
      return undefined;
    case "applied":
      await disk.removeTree(journalFolder(root));
      return undefined;
    case "unsealed":
      await disk.removeTree(journalFolder(root));
      return { outcome: "discarded", command: "", files: [] };
    case "untrusted":
      throw state.error;
    case "sealed":
      return await complete(disk, root, state.manifest);
  }
}

async function complete(disk: Disk, root: string, manifest: JournalManifest): Promise<Recovery> {
  await requireUnchanged(disk, root, manifest);
  for (const entry of manifest.entries) await requireContained(disk, root, entry.path);
  await applyJournal(disk, root, manifest);
  await removeJournal(disk, root);
  return { outcome: "completed", command: manifest.command, files: manifest.entries.map((entry) => entry.path) };
}

/**
 * Reads the journal of a project, and writes nothing.
 *
 * Fails: `SymbolicLinkError`, {@link NotAFolderError} when something else is in its place.
 */
export async function inspectJournal(disk: Disk, options: JournalKeyOptions): Promise<JournalState> {
  const folder = journalFolder(options.root);
  await requireNoLinks(disk, options.root, JOURNAL_FOLDER);
  const kind = await disk.kindOf(folder);
  if (kind === "absent") return { kind: "absent" };
  if (kind !== "folder") throw new NotAFolderError(JOURNAL_FOLDER);
  const file = path.join(folder, MANIFEST);
  if ((await disk.kindOf(file)) === "absent") {
    const isApplied = !(await disk.list(folder)).some((name) => name.endsWith(".new"));
    return { kind: isApplied ? "applied" : "unsealed" };
  }
  try {
    return { kind: "sealed", manifest: readManifest(await readText(disk, file), options) };
  } catch (error) {
    if (error instanceof UntrustedJournalError) return { kind: "untrusted", error };
    throw error;
  }
}

async function readText(disk: Disk, file: string): Promise<string> {
  if ((await disk.kindOf(file)) !== "file") throw unreadableManifest("its manifest is not a regular file");
  if (((await disk.sizeOf(file)) ?? 0) > LARGEST_MANIFEST_BYTES)
    throw unreadableManifest("its manifest is larger than any that this program writes");
  return await disk.readFile(file);
}

async function requireUnchanged(disk: Disk, root: string, manifest: JournalManifest): Promise<void> {
  const folder = journalFolder(root);
  for (const entry of manifest.entries) {
    const pending = entry.content === undefined ? undefined : path.join(folder, entry.content);
    const pendingKind = pending === undefined ? undefined : await disk.kindOf(pending);
    // It is in place already.
    if (pendingKind === "absent") continue;
    if (!(await holds(disk, path.join(root, entry.path), [entry.before, entry.after])))
      throw conflict(manifest, entry, "has been changed since");
    if (pending !== undefined && (pendingKind !== "file" || !(await holds(disk, pending, [entry.after]))))
      throw conflict(manifest, entry, "is damaged in the journal");
  }
}

async function holds(disk: Disk, target: string, hashes: readonly (string | null)[]): Promise<boolean> {
  const kind = await disk.kindOf(target);
  if (kind === "absent") return hashes.includes(null);
  return kind === "file" && hashes.includes(contentHash(await disk.readFile(target)));
}

function conflict(manifest: JournalManifest, { path: file }: JournalEntry, why: string): JournalConflictError {
  return new JournalConflictError(
    `cannot complete \`${manifest.command}\`, which was interrupted while writing: ${file} ${why}`,
    { hint: `restore ${file}, or remove ${JOURNAL_FOLDER} to keep the current files` },
  );
}

async function moveIntoPlace(disk: Disk, from: string, to: string): Promise<void> {
  await makeFolders(disk, path.dirname(to));
  await disk.rename(from, to);
}

/** Makes a folder and those above it, and reports each that was not there when it is made, outermost first. */
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
