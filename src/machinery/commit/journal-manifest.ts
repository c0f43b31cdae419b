import { createHash, createHmac, timingSafeEqual, randomBytes, randomUUID } from "node:crypto";
import {
  realpathSync,
  statSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { userCacheFolder } from "@kubescaffold/generators/cache";
import { makeFolder } from "@kubescaffold/platform/files";

import { UntrustedJournalError } from "../errors.ts";
import { printable, reasonToRefuse, STATE_FOLDER, leavesRoot } from "./project-paths.ts";

/** One step of a commit: the file that is put in place or removed, with hashes of what it held before and will hold after. */
export interface JournalEntry {
  readonly path: string;
  /** The name of the new content inside the journal; omitted when the file is removed. */
  readonly content?: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Set for a file outside of the project, in a folder that the user named on the command line. */
  readonly isOutside?: true;
}

/** What the manifest of a journal says. */
export interface JournalManifest {
  readonly command: string;
  readonly entries: readonly JournalEntry[];
}

/** The folder of the journal, relative to the root of its project. */
export const JOURNAL_FOLDER: string = `${STATE_FOLDER}/journal`;

const FORMAT = 2;
const SHOWN_PATHS = 5;

/** Returns the name of the new content of an entry. */
export function contentName(index: number): string {
  return `${index}.new`;
}

/** Returns the hash by which a journal knows a file's content. */
export function contentHash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Returns the text of a manifest, signed for this user, this machine and this folder; unsigned where the user's cache folder cannot hold a key.
 *
 * An unsigned journal is never applied by another command: see {@link readManifest}.
 */
export function printManifest({ command, entries }: JournalManifest, options: JournalKeyOptions): string {
  const body = JSON.stringify({ format: FORMAT, command, entries });
  const key = requireJournalKey(options);
  return JSON.stringify({ signature: key === undefined ? null : sign(body, key, options.root), body });
}

// The device is omitted: it may have another number after the machine was restarted, when the journal is needed.
function sign(body: string, key: Buffer, root: string): string {
  const { ino } = statSync(root, { bigint: true });
  const folder = JSON.stringify([realpathSync(root), String(ino)]);
  return createHmac("sha256", key).update(`kubescaffold journal\n${folder}\n${body}`).digest("hex");
}

/**
 * Reads the text of a manifest.
 *
 * Guarantees: what it returns was written by this program, for this user, in this folder, and names nothing that a command may not write.
 * Fails: {@link UntrustedJournalError} with the files that the manifest names and the reason not to trust it.
 */
export function readManifest(text: string, options: JournalKeyOptions): JournalManifest {
  const envelope = parseObject(text);
  const { signature, body } = envelope ?? {};
  if (typeof body !== "string") throw untrusted(undefined, NOT_OUR_FORM);
  const manifest = manifestOf(parseObject(body));
  if (manifest === undefined) throw untrusted(undefined, NOT_OUR_FORM);
  const refused = refusedEntry(manifest);
  if (refused !== undefined) throw untrusted(manifest, refused);
  if (signature === null) throw unsigned(manifest);
  const key = readJournalKey(options);
  if (key === undefined)
    throw untrusted(manifest, "the key that signs journals cannot be read in the user's cache folder");
  if (!isSame(signature, sign(body, key, options.root)))
    throw untrusted(manifest, "it was not written on this machine, for this user, in this folder");
  return manifest;
}

/** Returns the error of a journal whose manifest is not read at all. */
export function unreadableManifest(reason: string): UntrustedJournalError {
  return untrusted(undefined, reason);
}

const NOT_OUR_FORM = "its manifest is not of the form that this version writes";

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function manifestOf(body: Readonly<Record<string, unknown>> | undefined): JournalManifest | undefined {
  const { format, command, entries } = body ?? {};
  if (format !== FORMAT || typeof command !== "string" || !Array.isArray(entries)) return undefined;
  return entries.every((each) => isEntry(each)) ? { command, entries } : undefined;
}

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value)) return false;
  const { path: file, content, before, after, isOutside } = value;
  return (
    typeof file === "string" &&
    (content === undefined || typeof content === "string") &&
    [before, after].every((each) => each === null || typeof each === "string") &&
    (isOutside === undefined || isOutside === true)
  );
}

function refusedEntry({ entries }: JournalManifest): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const reason = reasonToRefuseEntry(entry);
    if (reason !== undefined) return `it names ${shownPath(entry.path)}, and ${reason}`;
    if (entry.content !== undefined && entry.content !== contentName(index))
      return `it refers to the content ${shownPath(entry.content)}, but contents are named by number`;
  }
  return undefined;
}

// A name that leads out of the project is only the user's when the signature says so.
function reasonToRefuseEntry({ path: file, isOutside }: JournalEntry): string | undefined {
  if (isOutside !== true) return reasonToRefuse(file);
  const isPlain = file.startsWith("../") && path.posix.normalize(file) === file;
  return isPlain ? reasonToRefuse(file.replace(/^(?:\.\.\/)+/u, "")) : "it is no path outside of the project";
}

function isSame(signature: unknown, expected: string): boolean {
  if (typeof signature !== "string" || signature.length !== expected.length) return false;
  const [left, right] = [Buffer.from(signature), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function unsigned(manifest: JournalManifest): UntrustedJournalError {
  return new UntrustedJournalError(describe(manifest), {
    reason:
      "it has no signature, because the user's cache folder could not be written, or because another user wrote it",
    hint: `compare the files with version control, then remove ${JOURNAL_FOLDER}; nothing was written`,
  });
}

function untrusted(manifest: JournalManifest | undefined, reason: string): UntrustedJournalError {
  return new UntrustedJournalError(describe(manifest), { reason });
}

function describe(manifest: JournalManifest | undefined): string {
  if (manifest === undefined || manifest.entries.length === 0) return JOURNAL_FOLDER;
  return `${JOURNAL_FOLDER}, which names ${shownPaths(manifest.entries.map((entry) => entry.path))}`;
}

/** Returns the names of files in one line, the first of them where there are many. */
export function shownPaths(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN_PATHS).map((file) => shownPath(file));
  const left = files.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [`${left} more`])].join(", ");
}

function shownPath(file: string): string {
  const text = printable(file);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const KEY_FILE = "journal.key";
const KEY_BYTES = 32;

/** Which key is meant: the one in the user's cache folder, for a project. */
export interface JournalKeyOptions {
  readonly root: string;
  readonly cacheFolder?: string | undefined;
}

/**
 * Returns the key that signs the journals of this user on this machine, or nothing when there is none that only this user can read.
 *
 * A key inside the project is none: whoever made the project could have put it there.
 */
export function readJournalKey(options: JournalKeyOptions): Buffer | undefined {
  const file = keyFile(options);
  return file === undefined ? undefined : readKey(file);
}

/**
 * Returns the key of {@link readJournalKey}, and creates it first where it is missing; nothing when the cache folder cannot be written.
 *
 * Guarantees: of two processes that create it at once, both get the same key.
 */
function requireJournalKey(options: JournalKeyOptions): Buffer | undefined {
  const file = keyFile(options);
  if (file === undefined) return undefined;
  return readKey(file) ?? createKey(file);
}

function keyFile({ root, cacheFolder = userCacheFolder() }: JournalKeyOptions): string | undefined {
  if (cacheFolder === undefined) return undefined;
  const file = path.join(cacheFolder, KEY_FILE);
  return isBelow(root, file) ? undefined : file;
}

function isBelow(root: string, file: string): boolean {
  const folder = nearestRealFolder(path.dirname(file));
  return folder === undefined || !leavesRoot(path.relative(realpathSync(root), folder));
}

function nearestRealFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? undefined : nearestRealFolder(parent);
  }
}

// Neither a link nor a pipe is opened, and a key that others can read proves nothing.
function readKey(file: string): Buffer | undefined {
  let handle: number | undefined;
  try {
    // Windows has no such flags.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    const isPrivate =
      process.platform === "win32" || ((stat.mode & 0o077) === 0 && stat.uid === (process.getuid?.() ?? stat.uid));
    return stat.isFile() && stat.size === KEY_BYTES && isPrivate ? readFileSync(handle) : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

// The key appears with its content: it is written under another name and linked to its own.
function createKey(file: string): Buffer | undefined {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    makeFolder(path.dirname(file), 0o700);
    writeKey(draft, randomBytes(KEY_BYTES));
    if (!tryLink(draft, file) && readKey(file) === undefined) {
      rmSync(file, { force: true });
      tryLink(draft, file);
    }
    return readKey(file);
  } catch {
    return undefined;
  } finally {
    removeQuietly(draft);
  }
}

function writeKey(file: string, key: Buffer): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeFileSync(handle, key);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The draft of a key that nobody uses.
  }
}
