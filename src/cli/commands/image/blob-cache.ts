import path from "node:path";

import { createCacheStore, userCacheFolder } from "../../../cache/store.ts";
import type { BlobCache } from "../../../image/registry/pull-image.ts";

const BOUNDS = { maxEntries: 500, maxBytes: 2 * 1024 ** 3 };

/** Returns the cache of what registries sent, in the user's cache folder; without such a folder it keeps nothing. */
export function createBlobCache(folder: string | undefined = userCacheFolder()): BlobCache {
  if (folder === undefined) return { read: () => undefined, write: () => undefined };
  return createCacheStore({
    folder: path.join(folder, "blobs"),
    nameOf: (digest) => digest.replace(":", "-"),
    isOfKind: (name) => name.startsWith("sha256-"),
    bounds: BOUNDS,
  });
}
