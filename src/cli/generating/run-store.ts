import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import {
  type ByteStore,
  type CacheBounds,
  type CacheStore,
  createCacheStore,
  userCacheFolder,
} from "@kubescaffold/generators/cache";
import type { RunStore } from "@kubescaffold/generators/runs";

// What is kept of sources is some three times their length, what was generated from them less; each command line of a project has its own of the latter.
const SOURCE_BOUNDS: CacheBounds = { maxEntries: 60, maxBytes: 128 * 1024 * 1024 };

// A record is some hundred bytes for each file that a run reads or writes.
const RUN_BOUNDS: CacheBounds = { maxEntries: 200, maxBytes: 32 * 1024 * 1024 };

/** Returns the store that keeps what sources say, and what was generated from them, in the user's cache folder, or nothing where there is no such folder. */
export function createSourceStore(cacheFolder: string | undefined = userCacheFolder()): ByteStore | undefined {
  if (cacheFolder === undefined) return undefined;
  return createStore(path.join(cacheFolder, "sources"), ".bin", SOURCE_BOUNDS);
}

/** Returns the store that remembers runs in the user's cache folder, or nothing where there is no such folder. */
export function createRunStore(cacheFolder: string | undefined = userCacheFolder()): RunStore | undefined {
  if (cacheFolder === undefined) return undefined;
  const { read, write } = createStore(path.join(cacheFolder, "runs"), ".json", RUN_BOUNDS);
  return { read: (key) => read(key)?.toString("utf8"), write };
}

// Keys may hold what a file's name may not.
function createStore(folder: string, ending: string, bounds: CacheBounds): CacheStore {
  return createCacheStore({
    folder,
    nameOf: (key) => `${Buffer.from(key).toString("hex")}${ending}`,
    isOfKind: (name) => name.endsWith(ending),
    bounds,
  });
}

const HASH_LINE = /\/\/(?<hash>[0-9a-f]{64})\n$/u;
const TAIL_BYTES = 67;

const SCRIPTS = ["program.cjs", "commands.cjs", "ts-morph.cjs"];

/**
 * Returns what tells this build of the program from all others, or nothing when it does not run from a build in the folder.
 *
 * A build consists of scripts that end with the hash of what they hold.
 */
export function buildId(folder: string = path.dirname(fileURLToPath(import.meta.url))): string | undefined {
  const hashes = SCRIPTS.map((name) => hashAtEnd(path.join(folder, name)));
  return hashes.includes(undefined) ? undefined : hashes.join(" ");
}

function hashAtEnd(file: string): string | undefined {
  try {
    const handle = openSync(file, "r");
    try {
      const tail = Buffer.alloc(TAIL_BYTES);
      readSync(handle, tail, 0, TAIL_BYTES, Math.max(0, fstatSync(handle).size - TAIL_BYTES));
      return HASH_LINE.exec(tail.toString("latin1"))?.groups?.["hash"];
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
