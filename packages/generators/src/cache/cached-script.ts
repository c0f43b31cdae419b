import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

import { type CacheBounds, pruneCache, readCacheEntry, userCacheFolder, writeCacheEntry } from "./store.ts";

/**
 * Loads a script through V8's code cache, which saves compiling it again in every process.
 *
 * The script is a function in parentheses, whose parameters are those of CommonJS and `__import`. It is ASCII, which is read several times faster than
 * what may be anything; its last line is `//` and the hash of what is above. The cache
 * is in the user's cache folder, one file for each hash, use of the script and version of Node. Guarantees: written atomically when a process
 * succeeds, by when the functions in use have been compiled; where it cannot be read or written, V8 refuses it, or the script has no hash, the script
 * loads without. It has `__import` in place of `import()`, which such scripts cannot call; that starts from this module, not from the script.
 */
export function loadCachedScript(url: URL, { use = "" }: CachedScriptOptions = {}): Record<string, unknown> {
  const file = fileURLToPath(url);
  const source = readFileSync(file, "latin1");
  const names = [path.basename(file, path.extname(file)), ...(use === "" ? [] : [use])];
  const cacheFile = cacheFileFor(source, names);
  const cachedData = cacheFile === undefined ? undefined : readCacheEntry(cacheFile);
  const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  const module = { exports: {} as Record<string, unknown> };
  const importModule = (name: string): Promise<unknown> => import(name);
  run.call(module.exports, module.exports, createRequire(url), module, file, path.dirname(file), importModule);
  if (cacheFile !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    process.once("exit", (status) => {
      if (status === 0) keep(cacheFile, names, script);
    });
  }
  return module.exports;
}

/** How a script is loaded. */
export interface CachedScriptOptions {
  /** What the script is used for: each use has its own cache, with the functions that it needs. */
  readonly use?: string;
}

// Caches of former builds and other versions of Node are of no use for long.
const KEPT: CacheBounds = { maxEntries: 6, maxBytes: 64 * 1024 * 1024 };

function keep(cacheFile: string, names: readonly string[], script: Script): void {
  writeCacheEntry(cacheFile, script.createCachedData());
  const own = new RegExp(`^${names.join("-")}-[0-9a-f]{16}-node-.*\\.cache$`, "u");
  pruneCache(path.dirname(cacheFile), (name) => own.test(name), KEPT);
}

const HASH_LINE = /\/\/(?<hash>[0-9a-f]{64})\n$/u;

// Hashing millions of characters here would cost what the cache saves.
function cacheFileFor(source: string, names: readonly string[]): string | undefined {
  const folder = userCacheFolder();
  const hash = HASH_LINE.exec(source.slice(-80))?.groups?.["hash"]?.slice(0, 16);
  if (folder === undefined || hash === undefined) return undefined;
  const { versions, arch } = process;
  return path.join(folder, [...names, hash, "node", versions.node, "v8", versions.v8, `${arch}.cache`].join("-"));
}
