import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * Loads a script in CommonJS form through V8's code cache, which saves compiling it again in every process.
 *
 * The script is ASCII, which is read several times faster than what may be anything; its last line is `//` and the hash of what is above. The cache
 * lies in the user's cache folder, one file for each hash, use of the script and version of Node. Guarantees: written atomically when a process
 * succeeds, by when the functions in use have been compiled; where it cannot be read or written, V8 refuses it, or the script has no hash, the script
 * loads without. It has `__import` in place of `import()`, which such scripts cannot call; that starts from this module, not from the script.
 */
export function loadCachedScript(url: URL, { use = "" }: CachedScriptOptions = {}): Record<string, unknown> {
  const file = fileURLToPath(url);
  const source = readFileSync(file, "latin1");
  const cacheFile = cacheFileFor(source, [path.basename(file, path.extname(file)), ...(use === "" ? [] : [use])]);
  const cachedData = readCache(cacheFile);
  const wrapped = `(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`;
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  const module = { exports: {} as Record<string, unknown> };
  const importModule = (name: string): Promise<unknown> => import(name);
  run.call(module.exports, module.exports, createRequire(url), module, file, path.dirname(file), importModule);
  if (cacheFile !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    process.once("exit", (status) => {
      if (status === 0) writeCache(cacheFile, script);
    });
  }
  return module.exports;
}

/** How a script is loaded. */
export interface CachedScriptOptions {
  /** What the script is used for: each use has a cache of its own, with the functions that it needs. */
  readonly use?: string;
}

const HASH_LINE = /\/\/(?<hash>[0-9a-f]{64})\n$/u;

// Hashing millions of characters here would cost what the cache saves.
function cacheFileFor(source: string, names: readonly string[]): string | undefined {
  const folder = cacheFolder();
  const hash = HASH_LINE.exec(source.slice(-80))?.groups?.["hash"]?.slice(0, 16);
  if (folder === undefined || hash === undefined) return undefined;
  const { versions, arch } = process;
  return path.join(folder, [...names, hash, "node", versions.node, "v8", versions.v8, `${arch}.cache`].join("-"));
}

function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, "kubescaffold");
  const home = homedir();
  if (!path.isAbsolute(home)) return undefined;
  if (process.platform === "darwin") return path.join(home, "Library", "Caches", "kubescaffold");
  if (process.platform === "win32")
    return path.join(LOCALAPPDATA ?? path.join(home, "AppData", "Local"), "kubescaffold", "Cache");
  return path.join(home, ".cache", "kubescaffold");
}

function readCache(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function writeCache(file: string, script: Script): void {
  const draft = `${file}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, file);
  } catch {
    // A cache that cannot be written is done without.
    removeDraft(draft);
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Where the cache's folder cannot be, the draft is not either.
  }
}
