import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { userCacheFolder } from "../../cache/store.ts";
import { leavesRoot } from "./project-paths.ts";

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
export function requireJournalKey(options: JournalKeyOptions): Buffer | undefined {
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
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
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
