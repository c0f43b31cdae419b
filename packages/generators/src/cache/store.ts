import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";

/** How much of a kind of entry is kept: the newest ones, by when they were last used. */
export interface CacheBounds {
  /** The largest number of entries. */
  readonly maxEntries: number;
  /** The largest total size of the entries. */
  readonly maxBytes: number;
}

/** What a kind of entry is: the folder of its files, their names, and how much of it is kept. */
export interface CacheKind {
  /** The folder of the entries. */
  readonly folder: string;
  /** Returns the file name of the entry for a key. */
  readonly nameOf: (key: string) => string;
  /** Says of a name in the folder whether it is one of the kind's. */
  readonly isOfKind: (name: string) => boolean;
  /** The bounds beyond which the oldest entries are removed. */
  readonly bounds: CacheBounds;
}

/** Keeps one kind of entry, each under a key. */
export interface CacheStore {
  /** Returns an entry, which from then on is kept before others; nothing when it cannot be read. */
  readonly read: (key: string) => Buffer | undefined;
  /** Writes an entry, and removes those that are beyond the bounds. */
  readonly write: (key: string, content: Uint8Array | string) => void;
}

/** Returns the store of a kind of entry. */
export function createCacheStore({ folder, nameOf, isOfKind, bounds }: CacheKind): CacheStore {
  const fileOf = (key: string): string => path.join(folder, nameOf(key));
  return {
    read: (key) => {
      const content = readCacheEntry(fileOf(key));
      if (content !== undefined) touchCacheEntry(fileOf(key), new Date());
      return content;
    },
    write: (key, content) => {
      writeCacheEntry(fileOf(key), content);
      pruneCache(folder, isOfKind, bounds);
    },
  };
}

/** Returns the program's folder in the user's cache folder, or nothing where there is no such folder. */
export function userCacheFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = environment;
  if (XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, "kubescaffold");
  const home = homedir();
  if (!path.isAbsolute(home)) return undefined;
  if (process.platform === "darwin") return path.join(home, "Library", "Caches", "kubescaffold");
  if (process.platform === "win32")
    return path.join(LOCALAPPDATA ?? path.join(home, "AppData", "Local"), "kubescaffold", "Cache");
  return path.join(home, ".cache", "kubescaffold");
}

/** Reads an entry of the cache, or nothing when it cannot be read. */
export function readCacheEntry(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Marks an entry as used now, so that it is kept before others. */
export function touchCacheEntry(file: string, now: Date): void {
  try {
    utimesSync(file, now, now);
  } catch {
    // An entry that cannot be marked is only dropped earlier.
  }
}

/**
 * Writes an entry of the cache.
 *
 * Guarantees: other processes see all of it or none; where it cannot be written, nothing happens.
 */
export function writeCacheEntry(file: string, content: Uint8Array | string): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    makeFolder(path.dirname(file));
    writeFileSync(draft, content);
    // What takes the place of another file is written to the disk first, which no cache needs to wait for.
    rmSync(file, { force: true });
    renameSync(draft, file);
  } catch {
    // A cache that cannot be written is done without.
    removeQuietly(draft);
  }
}

/** Removes the entries of a folder that a kind of entry has beyond its bounds; what cannot be removed stays. */
export function pruneCache(folder: string, isOfKind: (name: string) => boolean, bounds: CacheBounds): void {
  let bytes = 0;
  for (const [index, { file, size }] of newestFirst(folder, isOfKind).entries()) {
    bytes += size;
    if (index >= bounds.maxEntries || bytes > bounds.maxBytes) removeQuietly(file);
  }
}

function newestFirst(
  folder: string,
  isOfKind: (name: string) => boolean,
): readonly { readonly file: string; readonly size: number }[] {
  try {
    return readdirSync(folder)
      .filter((name) => isOfKind(name))
      .flatMap((name) => {
        const file = path.join(folder, name);
        const stat = statSync(file, { throwIfNoEntry: false });
        return stat?.isFile() === true ? [{ file, size: stat.size, usedMs: stat.mtimeMs }] : [];
      })
      .toSorted((left, right) => right.usedMs - left.usedMs);
  } catch {
    return [];
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another process may be removing it, or may not let us.
  }
}
