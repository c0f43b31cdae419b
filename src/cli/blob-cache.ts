import path from "node:path";

import type { BlobCache } from "../image/registry/pull-image.ts";
import {
  pruneCache,
  readCacheEntry,
  touchCacheEntry,
  userCacheFolder,
  writeCacheEntry,
} from "../machinery/user-cache.ts";

const BOUNDS = { maxEntries: 500, maxBytes: 2 * 1024 ** 3 };

/** Returns the cache of what registries sent, in the user's cache folder; without such a folder it keeps nothing. */
export function createBlobCache(folder: string | undefined = userCacheFolder()): BlobCache {
  if (folder === undefined) return { read: () => undefined, write: () => undefined };
  const blobs = path.join(folder, "blobs");
  return {
    read: (digest) => {
      const file = path.join(blobs, nameOf(digest));
      const bytes = readCacheEntry(file);
      if (bytes !== undefined) touchCacheEntry(file, new Date());
      return bytes;
    },
    write: (digest, bytes) => {
      writeCacheEntry(path.join(blobs, nameOf(digest)), Buffer.from(bytes));
      pruneCache(blobs, (name) => name.startsWith("sha256-"), BOUNDS);
    },
  };
}

function nameOf(digest: string): string {
  return digest.replace(":", "-");
}
