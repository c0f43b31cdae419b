import path from "node:path";

import type { RunStore } from "../generators/cached-run.ts";
import type { SourceStore } from "../generators/recall-sources.ts";
import {
  type CacheBounds,
  pruneCache,
  readCacheEntry,
  touchCacheEntry,
  userCacheFolder,
  writeCacheEntry,
} from "../machinery/user-cache.ts";

// A record is some hundred bytes for each file that a run reads or writes.
const BOUNDS: CacheBounds = { maxEntries: 200, maxBytes: 32 * 1024 * 1024 };

// What is kept of sources is some three times their length.
const SOURCE_BOUNDS: CacheBounds = { maxEntries: 20, maxBytes: 128 * 1024 * 1024 };

/** Returns the store that keeps what sources say in the user's cache folder, or nothing where there is no such folder. */
export function createSourceStore(cacheFolder: string | undefined = userCacheFolder()): SourceStore | undefined {
  if (cacheFolder === undefined) return undefined;
  const folder = path.join(cacheFolder, "sources");
  const fileOf = (key: string): string => path.join(folder, `${Buffer.from(key).toString("hex")}.bin`);
  return {
    read: (key) => {
      const content = readCacheEntry(fileOf(key));
      if (content !== undefined) touchCacheEntry(fileOf(key), new Date());
      return content;
    },
    write: (key, bytes) => {
      writeCacheEntry(fileOf(key), Buffer.from(bytes));
      pruneCache(folder, (name) => name.endsWith(".bin"), SOURCE_BOUNDS);
    },
  };
}

/** Returns the store that remembers runs in the user's cache folder, or nothing where there is no such folder. */
export function createRunStore(cacheFolder: string | undefined = userCacheFolder()): RunStore | undefined {
  if (cacheFolder === undefined) return undefined;
  const folder = path.join(cacheFolder, "runs");
  const fileOf = (key: string): string => path.join(folder, `${Buffer.from(key).toString("hex")}.json`);
  return {
    read: (key) => {
      const content = readCacheEntry(fileOf(key));
      if (content !== undefined) touchCacheEntry(fileOf(key), new Date());
      return content?.toString("utf8");
    },
    write: (key, text) => {
      writeCacheEntry(fileOf(key), text);
      pruneCache(folder, (name) => name.endsWith(".json"), BOUNDS);
    },
  };
}
